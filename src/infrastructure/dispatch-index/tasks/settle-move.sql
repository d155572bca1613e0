-- Applies a move whose constraints hold: to the task's row, its place in the index, and its key.
create function waybill_settle_move(m waybill_move, t tasks, p_task uuid, p_position bigint, p_revision int,
                                    p_now timestamptz) returns jsonb language plpgsql as $$
declare
  v_new tasks := jsonb_populate_record(t, m.patch);
  v_blockers int := 0;
  v_staged uuid;
  v_later boolean;
begin
  if m.after is not null then
    perform waybill_arrange(p_task, m.after);
    v_new.dependent := exists (select from prerequisites where task_id = p_task);
  end if;
  if v_new.dependent or t.batch is not null then v_blockers := waybill_blockers(v_new); end if;
  if t.batch is not null then
    if v_new.state is distinct from t.state then
      perform waybill_count_members(t.batch, t.state, v_new.state, 1);
    end if;
    v_staged := waybill_staged_in(t.batch);
  end if;
  v_later := v_new.state = 'pending' and (v_blockers > 0 or coalesce(v_new.due_at > p_now, false));
  if m.state is not null then v_new.stopped := m.stopped; v_new.hold := m.hold; end if;
  v_new.rare_state := case when v_new.state not in ('pending', 'running', 'succeeded', 'failed') then v_new.state end;
  v_new.entered := v_new.entered or m.released or m.enters and coalesce(t.step, v_new.step) is not null;
  v_new.retries := t.retries + case when m.retried then 1 else 0 end;
  v_new.position := p_position;
  v_new.revision := p_revision;
  v_new.cancel_requested := v_new.state = 'running' and (t.cancel_requested or m.cancel);
  if v_new.state <> 'running' then v_new.token := null; v_new.lease := null; v_new.run_until := null; end if;
  v_new.overdue := v_new.missed and v_new.state in ('prepared', 'pending', 'held', 'running', 'undecided');
  v_new.alarm_at := waybill_alarm(v_new);
  v_new.waiting_since := case when v_new.state <> 'pending' or m.created is not null then null
    when m.state = 'pending' or m.patch ? 'due_at' then p_now else t.waiting_since end;
  if m.finished is not null then v_new.finished_at := case when m.finished then p_now end; end if;
  if m.failed is not null then v_new.failed_at := case when m.failed then p_now end; end if;
  v_new.place := case when v_new.state in ('prepared', 'pending', 'held', 'running', 'succeeded')
    then coalesce(p_position - m.placed, v_new.place) end;
  if m.created is not null then
    insert into tasks select v_new.*;
  else
    update tasks set (:CHANGING, token, lease, cancel_requested, dependent, alarm_at)
      = (:NEW_VALUES, v_new.token, v_new.lease, v_new.cancel_requested, v_new.dependent, v_new.alarm_at)
      where task_id = p_task;
  end if;
  perform waybill_count_failure(t.queue, p_task, m.attempt_failed, v_new.state);
  if not m.moved then return null; end if;
  if t.batch is null and (v_new.state in ('failed', 'aborted', 'deleted') or t.state in ('failed', 'aborted')) then
    perform waybill_planner_moved(p_task, v_new.state);
  end if;
  if t.key is not null then
    perform waybill_key_leave(p_task, t.queue, t.key, v_new.state in ('pending', 'held'));
    if v_new.state in ('failed', 'undecided') then
      insert into key_failures (queue, key, task_id) values (t.queue, t.key, p_task) on conflict do nothing;
    end if;
  end if;
  -- The next task of the key comes after this one has begun to block the key (because it failed, or cannot run yet), and
  -- before it is placed again, because a task behind it may come before it now.
  if v_later then
    perform waybill_offer(p_task, t.queue, t.key, v_new.priority, coalesce(v_new.place, t.seq), v_new.due_at, v_blockers, v_staged, p_now);
  elsif v_new.state in ('prepared', 'held', 'undecided') then
    insert into waiting (task_id, queue, gate, due_at, key, priority, place, begun, blockers, staged)
      values (p_task, t.queue, v_new.state, v_new.due_at, t.key, v_new.priority, coalesce(v_new.place, t.seq), waybill_has_begun(v_new), v_blockers, v_staged);
    if v_new.state = 'held' and t.key is not null then perform waybill_take_place(p_task, t.queue, t.key); end if;
  end if;
  if t.key is not null and (v_later or v_new.state in ('held', 'failed', 'undecided')) then perform waybill_key_requeue_blocked(t.queue, t.key); end if;
  if t.key is not null and v_new.state <> 'running' then perform waybill_next_of_key(p_task, t.queue, t.key); end if;
  if v_new.state = 'pending' and not v_later then
    perform waybill_offer(p_task, t.queue, t.key, v_new.priority, coalesce(v_new.place, t.seq), v_new.due_at, v_blockers, v_staged, p_now);
  end if;
  return null;
end $$
