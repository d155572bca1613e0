-- Keeps the history of a task that has ended beside those of the open ones: an undo asks for it. Not a long one: its stream is read.
create function waybill_keep_ended(p_task uuid, p_before int, p_revision int, p_events text) returns void language plpgsql as $$
begin
  with gone as (delete from open_histories where task_id = p_task returning events)
  insert into ended_histories (task_id, revision, events)
    select p_task, p_revision, g.events || E'\n' || p_events from gone g where octet_length(g.events) <= :MOST_BYTES
    on conflict (task_id) do update set revision = excluded.revision, events = excluded.events, kept_at = now();
  -- Of one that had ended before.
  update ended_histories set revision = p_revision, events = events || E'\n' || p_events where task_id = p_task and revision = p_before;
end $$
