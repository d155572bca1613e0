-- Applies successes that workers reported. Returns the queues of tasks that became ready because these were done.
create function waybill_apply_successes(p_successes jsonb) returns text[] language plpgsql as $$
declare
  v_count int;
  v_leases bigint[];
  v_batches uuid[];
  v_ended uuid[];
  v_keyed uuid[];
  v_queues text[];
  v_keys text[];
begin
  with succeeded as (
    update tasks t set state = 'succeeded', finished_at = s.at, failed_at = null, error = null, error_class = null, waiting_since = null,
        position = s.position, revision = s.revision, token = null, lease = null, cancel_requested = false, run_until = null, alarm_at = null, overdue = false
      from jsonb_to_recordset(p_successes) as s(task uuid, position bigint, revision int, at timestamptz)
      where t.task_id = s.task and t.revision = s.revision - 1 returning t.task_id, t.queue, t.key, t.awaited, t.batch, (select o.lease from tasks o where o.task_id = s.task) as lease)
  select count(*), array_agg(d.lease), array_agg(d.batch) filter (where d.batch is not null), array_agg(d.task_id) filter (where d.awaited),
      array_agg(d.task_id) filter (where d.key is not null), array_agg(d.queue) filter (where d.key is not null), array_agg(d.key) filter (where d.key is not null)
    into v_count, v_leases, v_batches, v_ended, v_keyed, v_queues, v_keys from succeeded d;
  if v_count < jsonb_array_length(p_successes) then
    raise exception using errcode = 'WB002', message = 'the dispatch index lacks a task that succeeded, or an event of it, or has the success';
  end if;
  if v_batches is not null then
    perform waybill_count_members(b, 'running', 'succeeded', count(*)::int) from unnest(v_batches) as b group by b;
  end if;
  if v_keyed is not null then perform waybill_free_keys(v_keyed, v_queues, v_keys); end if;
  perform waybill_end_leases(v_leases);
  update queues set failure_streak = 0, failure_task = null where failure_streak > 0
    and name = any (array(select distinct s->>'queue' from jsonb_array_elements(p_successes) as s));
  delete from open_histories where task_id = any (array(select (s->>'task')::uuid from jsonb_array_elements(p_successes) as s));
  return case when v_ended is null then '{}'::text[] else waybill_unblock(v_ended, clock_timestamp()) end;
end $$
