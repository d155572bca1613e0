-- Keeps the history of a task that came back with those of the open ones again, if it is at hand. What happens to a task that has ended, such
-- as a late report, leaves its history behind.
create function waybill_keep_restored(p_task uuid, p_before int, p_revision int, p_events text) returns void language sql as $$
  with ended as (
    delete from ended_histories e where e.task_id = p_task and e.revision = p_before
      and exists (select from tasks t where t.task_id = p_task and (t.finished_at is null or t.state = 'failed')) returning e.events)
  insert into open_histories (task_id, revision, events) select p_task, p_revision, e.events || E'\n' || p_events from ended e
$$
