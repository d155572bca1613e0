-- The revision of an aggregate's row, found by the first column of its table; null if there is no row.
create function waybill_row_revision(p_table text, p_row jsonb) returns int language plpgsql stable as $$
declare
  v_key text := (select attname from pg_attribute where attrelid = p_table::regclass and attnum = 1);
  v_revision int;
begin
  execute format('select revision from %I where %I = $1', p_table, v_key) into v_revision using p_row->>v_key;
  return v_revision;
end $$
