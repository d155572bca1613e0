-- Writes an aggregate's row as its stream has it (p_row, up to p_position; null if the stream makes none), unless they agree.
-- p_key: its first column. p_seen: position and revision of the row before the stream was read; null if there was none. p_moving: columns that
-- also change without events, whose values only a new row takes over.
-- Returns the columns in which they differed, which are 'missing' or 'unknown' if one of them does not exist, and the queues that now may
-- have tasks to give out. Null if somebody has changed the row since, or is about to.
create function waybill_mend_row(p_table text, p_key text, p_stream uuid, p_seen jsonb, p_row jsonb, p_moving text[], p_position bigint, p_revision int, p_at timestamptz)
returns table (differing text[], queues text[]) language plpgsql as $$
begin
  queues := '{}';
  differing := waybill_row_differs(p_table, p_key, p_stream, p_seen, p_row, p_moving, p_position, p_revision);
  if differing is null then return; end if;
  if p_table = 'batches' and p_seen is null then delete from consequences where id = p_key::uuid and what = 'compare'; end if;
  if differing <> '{}' then
    perform pg_advisory_xact_lock(:LOG_LOCK);
    differing := waybill_row_differs(p_table, p_key, p_stream, p_seen, p_row, p_moving, p_position, p_revision);
    if differing is null then return; end if;
  end if;
  if differing <> '{}' then
    if p_row is null then
      execute format('delete from %I where %I::text = $1', p_table, (select attname from pg_attribute where attrelid = p_table::regclass and attnum = 1)) using p_key;
    else
      -- Another row may have taken the id, and is itself wrong then.
      if p_table = 'queues' then update queues q set id = gen_random_uuid() where q.id = (p_row->>'id')::uuid and q.name <> p_key; end if;
      perform waybill_write_row(p_table, case when differing = '{missing}' then p_row else p_row - p_moving end, p_position, p_revision, p_at);
      queues := case p_table when 'queues' then array[p_key] else '{*}' end;
      if p_table = 'batches' then
        if differing = '{missing}' then perform waybill_add_lacking((select jsonb_agg(f) from waybill_recount(array[p_key::uuid]) f)); end if;
        perform waybill_settle_batch(p_row, clock_timestamp());
      end if;
    end if;
    perform waybill_count_mended(p_table);
  end if;
  return next;
end $$
