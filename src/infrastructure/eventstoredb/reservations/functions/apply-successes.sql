-- Applies successes that workers reported. Returns the queues of tasks that became ready because these were done.
create function waybill_apply_successes(p_successes jsonb) returns text[] language plpgsql as $$
declare
  r record;
  v_leases bigint[] := '{}';
  v_ended uuid[] := '{}';
begin
  for r in
    update tasks t set state = 'succeeded', finished_at = s.at, failed_at = null, error = null, error_class = null, waiting_since = null,
        position = s.position, revision = s.revision, token = null, lease = null, cancel_requested = false, run_until = null, alarm_at = null, overdue = false
      from jsonb_to_recordset(p_successes) as s(task uuid, position bigint, revision int, at timestamptz)
      where t.task_id = s.task and t.revision = s.revision - 1 returning t.task_id, t.queue, t.key, t.awaited, t.batch, (select o.lease from tasks o where o.task_id = s.task) as lease
  loop
    v_leases := v_leases || r.lease;
    if r.batch is not null then perform waybill_count_members(r.batch, 'running', 'succeeded', 1); end if;
    if r.awaited then v_ended := v_ended || r.task_id; end if;
    continue when r.key is null;
    perform waybill_leave_line(r.task_id, r.queue, r.key, false);
    perform waybill_next_of_key(r.task_id, r.queue, r.key);
  end loop;
  if cardinality(v_leases) < jsonb_array_length(p_successes) then
    raise exception using errcode = 'WB002', message = 'the dispatch index lacks a task that succeeded, or an event of it, or has the success';
  end if;
  perform waybill_end_leases(v_leases);
  update queues set failure_streak = 0, failure_task = null where failure_streak > 0
    and name = any (array(select distinct s->>'queue' from jsonb_array_elements(p_successes) as s));
  delete from open_histories where task_id = any (array(select (s->>'task')::uuid from jsonb_array_elements(p_successes) as s));
  return case when v_ended = '{}' then v_ended::text[] else waybill_unblock(v_ended, clock_timestamp()) end;
end $$
