-- One task's move that is not on the fast path, or one create with a constraint. Null: done. Otherwise the problem.
create function waybill_move(m jsonb, p_task uuid, p_seq bigint, p_position bigint, p_revision int, p_now timestamptz)
returns jsonb language plpgsql as $$
declare
  t tasks;
  v_lease jsonb := m->'lease';
  v_state text := m->>'state';
  v_holder text;
begin
  if m ? 'create' then
    t := jsonb_populate_record(null::tasks, m->'create');
    t.task_id := p_task; t.seq := p_seq; t.enqueued_at := p_now; t.attempt := 0;
    if t.reference is not null then
      select o.task_id into v_holder from tasks o join queues q on q.name = o.queue
        where o.queue = t.queue and o.reference = t.reference and (q.policy->>'uniqueReference' = 'always'
          or q.policy->>'uniqueReference' = 'open' and o.state not in ('succeeded', 'aborted', 'superseded', 'deleted'))
        limit 1;
      if found then return jsonb_build_object('kind', 'refused', 'constraint', 'reference', 'taskId', v_holder); end if;
    end if;
  else
    select * into t from tasks where task_id = p_task;
  end if;
  if v_lease is not null then
    perform 1 from leases l where l.token = (v_lease->>'token')::bigint
      and case when v_lease ? 'expired' then l.deadline < p_now
          else l.secret is null or l.secret = (v_lease->>'secret')::uuid end for update;
    if not found then return jsonb_build_object('kind', 'refused', 'constraint', 'lease'); end if;
  end if;
  if t.key is not null and v_state in ('pending', 'held') then
    v_holder := waybill_key_holder(t.queue, t.key, p_task);
    if v_holder is not null then
      return jsonb_build_object('kind', 'refused', 'constraint', 'key-waiting', 'taskId', v_holder);
    end if;
  end if;
  if t.state in ('prepared', 'pending', 'held', 'undecided') and not m ? 'create'
     and m ? 'moved' then
    if not waybill_withdraw(t) then return jsonb_build_object('kind', 'conflict', 'actual', p_revision); end if;
  end if;
  if t.state = 'running' and v_state <> 'running' then
    delete from leases where case when m ? 'release' then token = (m->>'release')::bigint else task_id = p_task end;
  end if;
  if m ? 'cancel' then update leases set cancel_requested = true where token = (m->>'cancel')::bigint; end if;
  if t.state in ('failed', 'undecided') and v_state is not null and t.key is not null then
    delete from key_failures where queue = t.queue and key = t.key and task_id = p_task;
  end if;
  return waybill_settle_move(m, t, p_task, p_position, p_revision, p_now);
end $$
