-- Notes on a batch that is being planned that its planner has ended without success, or goes on.
create function waybill_planner_moved(p_task uuid, p_state text) returns void language sql as $$
  update batches set plan_ended = p_state in ('failed', 'aborted', 'deleted')
    where planner = p_task and state = 'planning' and plan_ended <> (p_state in ('failed', 'aborted', 'deleted'))
$$
