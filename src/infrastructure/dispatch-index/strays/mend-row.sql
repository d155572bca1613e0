-- Writes an aggregate's row as its stream has it (p_row, up to p_position; null if the stream makes none), unless they agree.
-- p_key: its first column. p_seen: position and revision of the row before the stream was read; null if there was none. p_moving: columns that
-- also change without events, whose values only a new row takes over.
-- Returns the columns in which they differed, which are 'missing' or 'unknown' if one of them does not exist, and the queues that now may
-- have tasks to give out. Null if somebody has changed the row since.
create function waybill_mend_row(p_table text, p_key text, p_seen jsonb, p_row jsonb, p_moving text[], p_position bigint, p_revision int, p_at timestamptz)
returns table (differing text[], queues text[]) language plpgsql as $$
declare
  v_column text;
  v_type text;
  v_key jsonb;
  v_now jsonb;
  v_meant jsonb;
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  select attname, format_type(atttypid, null) into v_column, v_type from pg_attribute where attrelid = p_table::regclass and attnum = 1;
  v_key := jsonb_build_object(v_column, p_key);
  execute format('select to_jsonb(t), to_jsonb(jsonb_populate_record(t, $2)) from %I t where t.%I = $1::%s', p_table, v_column, v_type)
    into v_now, v_meant using p_key, p_row - p_moving || jsonb_build_object('position', p_position, 'revision', p_revision);
  if jsonb_build_object('position', v_now->'position', 'revision', v_now->'revision') is distinct from coalesce(p_seen, '{"position": null, "revision": null}') then
    return;
  end if;
  queues := '{}';
  differing := case
    when p_row is null and v_now is null then '{}'
    when p_row is null then '{unknown}'
    when v_now is null then '{missing}'
    else array(select m.key from jsonb_each(v_meant) m where v_now->m.key is distinct from m.value and m.key <> 'needs' and m.key <> 'retains' order by m.key) end;
  if differing <> '{}' then
    if p_row is null then
      execute format('delete from %I where %I = $1::%s', p_table, v_column, v_type) using p_key;
    else
      -- Another row may have taken the id, and is itself wrong then.
      if p_table = 'queues' then update queues q set id = gen_random_uuid() where q.id = (p_row->>'id')::uuid and q.name <> p_key; end if;
      perform waybill_write_row(p_table, case when v_now is null then p_row else p_row - p_moving end, p_position, p_revision, p_at);
      queues := case p_table when 'queues' then array[p_key] else '{*}' end;
    end if;
    perform waybill_count_mended(p_table);
  end if;
  return next;
end $$
