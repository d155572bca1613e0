/** What becomes of one task in the dispatch index: every move that is not on the fast path of `waybill_append`, which calls them. */
export const MOVE_FUNCTIONS = `
-- Takes an open task out of the index; false where a claim has it in its hands.
create function waybill_withdraw(t tasks) returns boolean language plpgsql as $$
begin
  delete from ready where (queue, priority, seq) in (
    select queue, priority, seq from ready
    where queue = t.queue and priority = t.priority and seq = t.seq for update skip locked);
  if found then return true; end if;
  delete from waiting where task_id in (select task_id from waiting where task_id = t.task_id for update skip locked);
  return found;
end $$;

-- Moves tasks whose time has come from waiting to ready, the first in line first, until p_max are ready: one whose key is busy
-- must not stand in the way of one that can run. The caller holds the log lock.
create function waybill_promote(p_queue text, p_now timestamptz, p_max int) returns void language plpgsql as $$
declare
  w waiting;
  v_ready int := 0;
  v_seen int;
begin
  loop
    v_seen := 0;
    for w in select * from waiting where queue = p_queue and gate = 'due' and due_at <= p_now
      order by priority desc, seq limit greatest(p_max, 1000) loop
      delete from waiting where task_id = w.task_id;
      if waybill_offer(w.task_id, w.queue, w.key, w.priority, w.seq, null, p_now) then v_ready := v_ready + 1; end if;
      v_seen := v_seen + 1;
    end loop;
    exit when v_seen = 0 or v_ready >= p_max;
  end loop;
end $$;

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
end $$;

-- The effects of a move whose constraints hold: the task's row, its place in the index, its key.
create function waybill_settle_move(m jsonb, t tasks, p_task uuid, p_position bigint, p_revision int,
                                    p_now timestamptz) returns jsonb language plpgsql as $$
declare
  v_new tasks := jsonb_populate_record(t, m->'patch');
  v_state text := m->>'state';
  v_later boolean := v_new.state = 'pending' and coalesce(v_new.due_at > p_now, false);
begin
  v_new.position := p_position;
  v_new.revision := p_revision;
  v_new.waiting_since := case when v_new.state <> 'pending' or m ? 'create' then null
    when v_state = 'pending' or m->'patch' ? 'due_at' then p_now else t.waiting_since end;
  if m ? 'finished' then v_new.finished_at := case when (m->>'finished')::boolean then p_now end; end if;
  if m ? 'failed' then v_new.failed_at := case when (m->>'failed')::boolean then p_now end; end if;
  if m ? 'create' then
    insert into tasks select v_new.*;
  else
    update tasks set (state, priority, due_at, attempt, worker, last_step, error, error_class, started_at, finished_at,
        failed_at, waiting_since, position, revision)
      = (v_new.state, v_new.priority, v_new.due_at, v_new.attempt, v_new.worker, v_new.last_step, v_new.error,
        v_new.error_class, v_new.started_at, v_new.finished_at, v_new.failed_at, v_new.waiting_since, v_new.position, v_new.revision)
      where task_id = p_task;
  end if;
  perform waybill_count_failure(t.queue, p_task, m ? 'attemptFailed', v_new.state);
  if not m ? 'moved' then return null; end if;
  if t.key is not null then
    perform waybill_leave_line(p_task, t.queue, t.key, v_new.state in ('pending', 'held'));
    if v_new.state in ('failed', 'undecided') then
      insert into key_failures (queue, key, task_id) values (t.queue, t.key, p_task) on conflict do nothing;
    end if;
  end if;
  -- The next of the key has its turn after the task can keep it waiting (it has failed, or is due later), and before the task is
  -- placed anew: one that it was ahead of may come before it now.
  if v_later then
    perform waybill_offer(p_task, t.queue, t.key, v_new.priority, t.seq, v_new.due_at, p_now);
    perform waybill_keep_order(t.queue, t.key) where t.key is not null;
  end if;
  if t.key is not null and v_new.state <> 'running' then perform waybill_next_of_key(p_task, t.queue, t.key); end if;
  if v_new.state = 'pending' and not v_later then
    perform waybill_offer(p_task, t.queue, t.key, v_new.priority, t.seq, v_new.due_at, p_now);
  elsif v_new.state in ('prepared', 'held', 'undecided') then
    insert into waiting (task_id, queue, gate, due_at, key, priority, seq)
      values (p_task, t.queue, v_new.state, v_new.due_at, t.key, v_new.priority, t.seq);
    if v_new.state = 'held' and t.key is not null then
      perform waybill_take_place(p_task, t.queue, t.key);
    end if;
  end if;
  return null;
end $$;
`;
