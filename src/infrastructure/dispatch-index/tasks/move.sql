-- Applies the move of one task that is not on the fast path, or one create with a constraint. Returns null if it is
-- done, otherwise the problem. p_recorded: the event is in the log, so what it names is not checked again. p_base: the
-- revision that the task's row must have, -1 for none; null if any will do.
create function waybill_move(
  m waybill_move, p_task uuid, p_seq bigint, p_position bigint, p_revision int, p_now timestamptz, p_recorded boolean default false, p_base int default null
) returns jsonb language plpgsql as $$
declare
  t tasks;
  v_new boolean := m.created is not null;
  v_key text;
  v_problem jsonb;
begin
  if v_new then
    t := jsonb_populate_record(null::tasks, :NEW_FLAGS || m.created);
    t.task_id := p_task; t.seq := p_seq; t.enqueued_at := p_now; t.attempt := 0; t.cancel_requested := false; t.awaited := false; t.dependent := false; t.retries := 0;
  else
    -- Locked, because a heartbeat may give the task another lease.
    select * into t from tasks where task_id = p_task for update;
    if not found and waybill_restore(array[p_task]) > 0 then select * into t from tasks where task_id = p_task for update; end if;
  end if;
  if not v_new and coalesce(t.revision, -1) <> p_base then
    return jsonb_build_object('kind', 'conflict', 'actual', t.revision);
  end if;
  v_key := case when m.state in ('pending', 'held') then t.key end;
  if p_recorded then
    -- The log does not say behind which task a new one of a queue that gathers was to line up.
    v_problem := waybill_unique_problem(p_task, t.queue, case when v_new and not m.rerun then t.reference end,
      case when not waybill_gathers(t.queue) then v_key end);
  else
    v_problem := waybill_item_problem(p_task, m.guards, case when v_new then 'task' end, t.queue,
      case when v_new and not m.rerun then t.reference end, v_key, v_new, t.batch, m.after, m.state = 'deleted');
  end if;
  if v_problem is null and m.start is not null and not p_recorded and exists (select from claims c where c.claim_id = (m.start->>'claimId')::uuid) then
    v_problem := jsonb_build_object('kind', 'refused', 'constraint', 'claim-repeated');
  end if;
  if v_problem is not null then return v_problem; end if;
  if m.start is not null then perform waybill_start(m.start, p_task, t.queue, t.key); end if;
  if t.state in ('prepared', 'pending', 'held', 'undecided') and not v_new and m.moved then
    if not waybill_withdraw(t) then return jsonb_build_object('kind', 'conflict', 'actual', t.revision); end if;
  end if;
  if t.state = 'pending' and not m.moved and waybill_is_ready(t.queue, t.priority, coalesce(t.place, t.seq)) then
    -- The task now has more than one event, so it can no longer be part of an extent with others.
    if not waybill_leave_lane(t.queue, t.priority, coalesce(t.place, t.seq)) then
      return jsonb_build_object('kind', 'conflict', 'actual', t.revision);
    end if;
    perform waybill_make_ready(p_task, t.queue, t.priority, coalesce(t.place, t.seq));
  end if;
  if t.state = 'running' and m.state <> 'running' then
    perform waybill_end_leases(array[t.lease]);
  end if;
  if t.state in ('failed', 'undecided') and m.state is not null and t.key is not null then
    delete from key_failures where queue = t.queue and key = t.key and task_id = p_task;
  end if;
  return waybill_settle_move(m, t, p_task, p_position, p_revision, p_now);
end $$
