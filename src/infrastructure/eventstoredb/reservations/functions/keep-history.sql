-- Keeps what was recorded of an open task at hand, so that a claim need not read its stream. p_events: the last ones, each
-- as JSON on a line of its own; null: the task has ended.
create function waybill_keep_history(p_task uuid, p_revision int, p_events text) returns void language plpgsql as $$
begin
  if p_events is null then
    delete from open_histories where task_id = p_task;
    return;
  end if;
  update open_histories set revision = p_revision, events = events || E'\n' || p_events where task_id = p_task;
  -- A fence may stand before the task's first event, in a stream that has no task yet.
  if not found and p_revision = array_length(string_to_array(p_events, E'\n'), 1) - 1
      and exists (select from tasks where task_id = p_task) then
    insert into open_histories (task_id, revision, events) values (p_task, p_revision, p_events);
  end if;
end $$
