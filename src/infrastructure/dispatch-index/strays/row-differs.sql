-- The columns in which an aggregate's row differs from what its stream makes of it, as waybill_mend_row describes. Null if somebody has changed the row
-- since it was seen, or is about to: an append that is reserved, perhaps in a transaction of which the log has a part only.
create function waybill_row_differs(p_table text, p_key text, p_stream uuid, p_seen jsonb, p_row jsonb, p_moving text[], p_position bigint, p_revision int)
returns text[] language plpgsql stable as $$
declare
  v_column text;
  v_type text;
  v_now jsonb;
  v_meant jsonb;
begin
  if exists (select from reservations r where r.stream = p_stream) then return null; end if;
  select attname, format_type(atttypid, null) into v_column, v_type from pg_attribute where attrelid = p_table::regclass and attnum = 1;
  execute format('select to_jsonb(t), to_jsonb(jsonb_populate_record(t, $2)) from %I t where t.%I = $1::%s', p_table, v_column, v_type)
    into v_now, v_meant using p_key, p_row - p_moving || jsonb_build_object('position', p_position, 'revision', p_revision);
  if jsonb_build_object('position', v_now->'position', 'revision', v_now->'revision') is distinct from coalesce(p_seen, '{"position": null, "revision": null}') then
    return null;
  end if;
  return case
    when p_row is null and v_now is null then '{}'
    when p_row is null then '{unknown}'
    when v_now is null then '{missing}'
    else array(select m.key from jsonb_each(v_meant) m where v_now->m.key is distinct from m.value and m.key <> 'needs' and m.key <> 'retains' order by m.key) end;
end $$
