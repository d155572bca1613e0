-- Keeps what was recorded of an open task at hand, so that a claim need not read its stream. p_events: the last ones, each
-- as JSON on a line of its own; null: the task has ended, and nobody will ask. p_ended: it has ended, and may be restored.
create function waybill_keep_history(p_task uuid, p_revision int, p_events text, p_ended boolean) returns void language plpgsql as $$
declare
  v_before constant int := p_revision - array_length(string_to_array(p_events, E'\n'), 1);
begin
  if p_events is null then
    delete from open_histories where task_id = p_task;
    return;
  end if;
  if p_ended then
    perform waybill_keep_ended(p_task, v_before, p_revision, p_events);
    return;
  end if;
  update open_histories set revision = p_revision, events = events || E'\n' || p_events where task_id = p_task;
  if found then return; end if;
  if v_before = -1 then
    -- A fence may stand before the task's first event, in a stream that has no task yet.
    insert into open_histories (task_id, revision, events) select p_task, p_revision, p_events from tasks where task_id = p_task;
  else
    perform waybill_keep_restored(p_task, v_before, p_revision, p_events);
  end if;
end $$
