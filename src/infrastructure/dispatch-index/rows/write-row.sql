-- p_base: the revision that the row must have before, -1 for no row; null: any. Another one is an error.
-- Writes an aggregate's row after its events. The first column of the table is the key, and the table has the columns
-- position and revision; p_at is the time of the last event. Creates no row of events that do not make a whole one: the stream begins with
-- a fence, or the row was lost and is written anew by whoever misses it (waybill_mend_row). The event must not fail for that.
create function waybill_write_row(p_table text, p_row jsonb, p_position bigint, p_revision int, p_at timestamptz, p_base int default null) returns void language plpgsql as $$
declare
  v_columns text[] := array(select quote_ident(attname) from pg_attribute
    where attrelid = p_table::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum);
  v_type text := (select format_type(atttypid, null) from pg_attribute where attrelid = p_table::regclass and attnum = 1);
  v_is_new boolean;
  v_had_blocking boolean := p_table = 'queues' and waybill_blocks_keys(p_row->>'name');
begin
  if exists (select from pg_attribute where attrelid = p_table::regclass and attnum > 0 and not attisdropped and attnotnull and not atthasdef
        and attname not in ('position', 'revision') and not p_row ? attname) and waybill_row_revision(p_table, p_row) is null then
    -- The others are known by name, or by tasks; a batch without tasks is not.
    if p_table = 'batches' then insert into consequences (id, what) values ((p_row->>'id')::uuid, 'compare') on conflict do nothing; end if;
    return;
  end if;
  execute format('insert into %1$I (%3$s)
      select %3$s from jsonb_populate_record((select t from %1$I t where t.%2$s = ($1->>%2$L)::%5$s), $1)
      on conflict (%2$s) do update set (%3$s) = row(excluded.%4$s)
        where $2 is null or %1$I.revision = $2 returning xmax = 0',
      p_table, v_columns[1], array_to_string(v_columns, ', '), array_to_string(v_columns, ', excluded.'), v_type)
    into v_is_new using p_row || jsonb_build_object('position', p_position, 'revision', p_revision, 'updated_at', p_at), p_base;
  if v_is_new is null or v_is_new and p_base >= 0 then
    raise exception using errcode = 'WB002', message = 'the dispatch index lacks events before this one, or has it';
  end if;
  if p_table = 'queues' then update queues set created_at = p_at where name = p_row->>'name' and created_at is null; end if;
  if v_had_blocking and not waybill_blocks_keys(p_row->>'name') then
    perform waybill_next_of_key(null, s.queue, s.key) from key_slots s
      where s.queue = p_row->>'name' and s.running is null and s.ready is null;
  end if;
end $$
