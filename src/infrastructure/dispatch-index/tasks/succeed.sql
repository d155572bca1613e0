-- Ends tasks with a success, many at once: those that have the revision of their record and, unless its token is null
-- because the success is recorded, still its claim. The success with the number 'first' has the position and the time of this number in
-- p_positions and p_times; if these are null, it is so far behind p_head, and at p_now. Leaves out the items of p_bad. Returns the numbers
-- of those that were applied, for each the position of its task's previous event, and the tasks for which others wait.
-- o is the row as it was before the update (as `old` is from Postgres 18 on), and t.ctid finds it without the index. If
-- another transaction changed the row meanwhile, o is older than t: then the lease is one that this statement does not
-- see, and the second try finds both.
create function waybill_succeed(
  p_successes waybill_success[], p_head bigint, p_positions bigint[], p_now timestamptz, p_times timestamptz[], p_bad int[],
  out firsts int[], out befores bigint[], out awaited uuid[]
) language plpgsql as $$
#variable_conflict use_column
declare
  v_firsts int[];
  v_befores bigint[];
  v_leases bigint[];
  v_keyed uuid[];
  v_queues text[];
  v_keys text[];
  v_awaited uuid[];
  v_batches uuid[];
begin
  firsts := '{}';
  befores := '{}';
  awaited := '{}';
  for v_try in 1 .. 2 loop
    with succeeded as (
      update tasks t set state = 'succeeded', finished_at = coalesce(p_times[s.first], p_now), :AFTER_SUCCESS,
        position = coalesce(p_positions[s.first], p_head + s.first), revision = t.revision + 1, token = null, lease = null,
        cancel_requested = false, alarm_at = null
      from unnest(p_successes) as s join tasks o on o.task_id = s.task
      where t.ctid = o.ctid and t.revision = s.expected and s.item <> all (p_bad)
        and (s.token is null or t.token = s.token
          and exists (select from leases l where l.id = t.lease and (l.secret is null or l.secret = s.secret)))
      returning t.task_id, t.queue, t.key, t.awaited, t.batch, s.first, o.position as before, o.lease)
    select array_agg(d.first), array_agg(d.before), array_agg(d.lease), array_agg(d.task_id) filter (where d.key is not null),
        array_agg(d.queue) filter (where d.key is not null), array_agg(d.key) filter (where d.key is not null),
        array_agg(d.task_id) filter (where d.awaited), array_agg(d.batch) filter (where d.batch is not null)
      into v_firsts, v_befores, v_leases, v_keyed, v_queues, v_keys, v_awaited, v_batches from succeeded d;
    firsts := firsts || v_firsts;
    befores := befores || v_befores;
    awaited := awaited || v_awaited;
    perform waybill_end_leases(v_leases);
    if v_batches is not null then
      perform waybill_count_members(b, 'running', 'succeeded', count(*)::int) from unnest(v_batches) as b group by b;
    end if;
    if v_keyed is not null then perform waybill_free_keys(v_keyed, v_queues, v_keys); end if;
    -- A heartbeat may have given the task another lease while its row was awaited. Only a new statement sees that.
    exit when cardinality(firsts) = cardinality(p_successes);
  end loop;
  if exists (select from queues q where q.failure_streak > 0) then
    update queues q set failure_streak = 0, failure_task = null where q.failure_streak > 0 and exists (
      select from unnest(p_successes) as s join tasks t on t.task_id = s.task
      where t.queue = q.name and t.position = coalesce(p_positions[s.first], p_head + s.first));
  end if;
end $$
