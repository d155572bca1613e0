-- The revision of an aggregate's row, found by the first column of its table; null if there is no row.
create function waybill_row_revision(p_table text, p_row jsonb) returns int language plpgsql stable as $$
declare
  v_key text;
  v_type text;
  v_revision int;
begin
  select attname, format_type(atttypid, null) into v_key, v_type from pg_attribute where attrelid = p_table::regclass and attnum = 1;
  execute format('select revision from %I where %I = $1::%s', p_table, v_key, v_type) into v_revision using p_row->>v_key;
  return v_revision;
end $$
