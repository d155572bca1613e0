-- The phase of an append that makes the changes of the index that have no record of their own: moves of tasks, and rows of other
-- aggregates. Returns the numbers of the moves' events, for each the position of the event before it in its stream, the tasks that ended and for which
-- others wait, and the queues in which tasks became ready.
create function waybill_append_changes(
  p_changes waybill_change[], p_atomic boolean, p_segments waybill_segment[], p_checks waybill_check[], p_head bigint, p_now timestamptz,
  inout problems jsonb, inout bad int[], out firsts int[], out befores bigint[], out awaited uuid[], out woken text[]
) language plpgsql as $$
declare
  v_problem jsonb;
  v_position bigint;
  r record;
begin
  firsts := '{}';
  befores := '{}';
  awaited := '{}';
  woken := '{}';
  -- One after the other: a queue is empty after its last task has ended, and a failure before the queue's resumption
  -- does not count.
  for r in select c.*, p_head + c.last as position from unnest(p_changes) as c where c.item <> all (bad) loop
    -- An item does not continue the stream of an item that was not stored.
    continue when p_atomic and cardinality(bad) > 0
      and (exists (select from unnest(p_segments) as s cross join lateral unnest(s.items, s.streams) as e(item, stream)
          where e.item = any (bad) and e.stream = r.stream)
        or exists (select from unnest(p_checks) as c where c.item = any (bad) and c.stream = r.stream));
    if r.row is null and r.first <= r.last then
      v_position := (select t.position from tasks t where t.task_id = r.stream);
      for n in r.first .. r.last loop
        -- There is none before a stream's first event.
        if v_position is not null then
          firsts := firsts || n;
          befores := befores || v_position;
        end if;
        v_position := p_head + n;
      end loop;
    end if;
    v_problem := case when r.row is null then
        waybill_move(r.move, r.stream, p_head + r.first, r.position, r.revision, p_now)
      -- After such an item, it is unknown whether a queue is empty.
      when not p_atomic or cardinality(bad) = 0 then waybill_guard_problem(r.guards) end;
    if v_problem is not null then
      problems := problems || (v_problem || jsonb_build_object('i', r.item));
      bad := bad || r.item;
    elsif (r.move).state in ('succeeded', 'superseded', 'aborted') then
      awaited := awaited || array(select t.task_id from tasks t where t.task_id = r.stream and t.awaited);
    elsif r.row is not null then
      perform waybill_write_row(r.model, r.row, r.position, r.revision, p_now);
      woken := woken || waybill_follow_row(r.model, r.row, p_now);
    end if;
  end loop;
end $$
