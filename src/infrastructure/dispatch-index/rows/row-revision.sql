-- The revision of an aggregate's row, which is known by the table's first column; null where there is none.
create function waybill_row_revision(p_table text, p_row jsonb) returns int language plpgsql stable as $$
declare
  v_key text := (select attname from pg_attribute where attrelid = p_table::regclass and attnum = 1);
  v_revision int;
begin
  execute format('select revision from %I where %I = $1', p_table, v_key) into v_revision using p_row->>v_key;
  return v_revision;
end $$
