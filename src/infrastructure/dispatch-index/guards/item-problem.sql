-- Why the events of one append cannot be stored, by the first of its checks that fails; null if they can. What is asked of many tasks at once is asked in
-- sets by waybill_append_creates and waybill_reserve_plain.
-- p_conditions: as waybill_guard_problem reads them; null for none. p_new: the category of a stream that has no event yet. p_reference, p_key: what
-- another task of the queue must not have. p_created: whether the task is new. p_batch: the task's batch. p_after: what it is to wait for in addition.
-- p_deleted: whether it is deleted. p_begun: new tasks that are not in the index yet, but certainly before this one.
create function waybill_item_problem(
  p_stream uuid, p_conditions jsonb, p_new text, p_queue text, p_reference text, p_key text, p_created boolean, p_batch uuid,
  p_after jsonb, p_deleted boolean, p_begun uuid[] default '{}'
) returns jsonb language plpgsql as $$
begin
  return coalesce(
    case when p_conditions is not null then waybill_guard_problem(p_conditions || jsonb_build_object('stream', p_stream)) end,
    case when p_new is not null then waybill_id_taken(p_stream, p_new) end,
    (select u.problem from waybill_unique_problem(p_stream, p_queue, p_reference, p_key) as u(problem)
      where u.problem->>'constraint' is distinct from 'key-waiting' or u.problem->>'taskId' is distinct from p_conditions->>'behind'),
    case when p_created then waybill_draining() end,
    case when p_created and p_batch is not null then waybill_batch_problem(p_batch) end,
    case when p_after is not null then waybill_prerequisites_problem(p_stream, p_batch, not p_created, p_after, p_begun)
      when p_deleted then waybill_awaited_problem(p_stream) end);
end $$
