-- Looks at the next p_max tasks of a queue, in the order of their ids, and moves those to the archive whose time in the
-- lists is over by the queue's policy. A pass begins again if the policy has changed. Returns how many it moved, and
-- whether the pass goes on.
--
-- The rows are copied before the lock of the log is taken, so claims wait only while the old rows are marked as deleted,
-- and nobody waits for the flush: what a crash undoes is done again. A row that changed meanwhile stays, and one that another
-- sweeper has moved meanwhile is not moved twice.
create function waybill_archive(p_queue text, p_max int) returns table (moved int, more boolean)
language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  q queues;
  v_after uuid;
  v_up_to uuid;
  v_tasks uuid[];
  v_versions xid[];
  v_failed uuid[];
begin
  perform set_config('synchronous_commit', 'off', true);
  select * into q from queues where name = p_queue;
  v_after := coalesce((select a.looked_up_to from archives a where a.queue = p_queue and a.policy_version = q.policy_version),
    '00000000-0000-0000-0000-000000000000');
  v_up_to := (select t.task_id from tasks t where t.queue = p_queue and t.task_id > v_after order by t.task_id offset p_max - 1 limit 1);
  more := v_up_to is not null;
  select array_agg(l.task_id), array_agg(l.version) into v_tasks, v_versions
    from waybill_leaving(p_queue, q.policy->'retention', v_after, coalesce(v_up_to, 'ffffffff-ffff-ffff-ffff-ffffffffffff')) l;
  moved := 0;
  if v_tasks is not null then
    insert into tasks_archive select now(), t.* from tasks t where t.task_id = any (v_tasks) on conflict do nothing;
    perform pg_advisory_xact_lock(:LOG_LOCK);
    with gone as (
      delete from tasks t using unnest(v_tasks, v_versions) as v(task, version) where t.task_id = v.task and t.xmin = v.version
      returning t.task_id, t.state)
    select count(*), array_agg(g.task_id) filter (where g.state = 'failed') into moved, v_failed from gone g;
    if moved < cardinality(v_tasks) then
      delete from tasks_archive a where a.task_id = any (v_tasks) and exists (select from tasks t where t.task_id = a.task_id);
    end if;
    delete from key_failures f using tasks_archive a
      where a.task_id = any (v_failed) and f.queue = a.queue and f.key = a.key and f.task_id = a.task_id;
    delete from open_histories h where h.task_id = any (v_failed);
  end if;
  insert into archives as a (queue, tasks, policy_version, looked_up_to, ended_at)
    values (p_queue, moved, q.policy_version, v_up_to, case when not more then now() end)
    on conflict (queue) do update set tasks = a.tasks + excluded.tasks, policy_version = excluded.policy_version,
      looked_up_to = excluded.looked_up_to, ended_at = coalesce(excluded.ended_at, a.ended_at);
  return next;
end $$
