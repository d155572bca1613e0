/** The places of a key: the one that runs, the one that is ready, the one that waits, and the line behind them. All under the log lock. */
export const KEY_SLOT_FUNCTIONS = `
-- A task that waits for the key, if it is another one and the queue's policy knows only one. Those that lined up under an
-- earlier policy count, although none of them has the place.
create function waybill_key_holder(p_queue text, p_key text, p_task uuid) returns uuid language sql as $$
  select h.task_id from queues q cross join lateral (
      select s.waiting as task_id from key_slots s where s.queue = p_queue and s.key = p_key
      union all select s.ready from key_slots s where s.queue = p_queue and s.key = p_key
      union all select w.task_id from waiting w
        where w.queue = p_queue and w.key = p_key and w.gate in ('due', 'key', 'held')) h
  where q.name = p_queue and q.policy->>'duplicatePending' <> 'allow' and h.task_id <> p_task limit 1
$$;

-- The first task of a key that keeps those behind it waiting: it has failed, errs, or waits for its automatic retry. Null where there is
-- none, or the queue's policy does not ask for it.
create function waybill_key_blocker(p_queue text, p_key text) returns tasks language sql as $$
  select t.* from queues q cross join lateral (
      select f.task_id from key_failures f where f.queue = p_queue and f.key = p_key
      union all
      select w.task_id from waiting w where w.queue = p_queue and w.key = p_key and w.gate = 'due') b
    join tasks t on t.task_id = b.task_id
  where q.name = p_queue and q.policy->>'onKeyFailure' = 'block' and (t.state <> 'pending' or t.attempt > 0)
  order by t.seq limit 1
$$;

-- Takes the key's one waiting place for a task; where the policy lets tasks line up there is no such place.
create function waybill_take_place(p_task uuid, p_queue text, p_key text) returns key_slots language sql as $$
  insert into key_slots as s (queue, key, waiting)
    select p_queue, p_key, case when q.policy->>'duplicatePending' <> 'allow' then p_task end from queues q where q.name = p_queue
    on conflict (queue, key) do update set waiting = coalesce(s.waiting, excluded.waiting) returning *
$$;

-- Puts the ready task of a key back in line; false where a claim has it in its hands.
create function waybill_put_back(t tasks) returns boolean language plpgsql as $$
begin
  delete from ready where ctid in (
    select r.ctid from ready r where r.queue = t.queue and r.priority = t.priority and r.seq = t.seq for update skip locked);
  if not found then return false; end if;
  insert into waiting (task_id, queue, gate, due_at, key, priority, seq)
    values (t.task_id, t.queue, 'key', t.due_at, t.key, t.priority, t.seq);
  return true;
end $$;

-- Puts the ready task of a key back in line where one before it keeps it waiting from now on.
create function waybill_keep_order(p_queue text, p_key text) returns void language plpgsql as $$
declare
  v_blocker tasks := waybill_key_blocker(p_queue, p_key);
  t tasks;
begin
  if v_blocker.task_id is null then return; end if;
  select r.* into t from key_slots s join tasks r on r.task_id = s.ready where s.queue = p_queue and s.key = p_key and r.seq > v_blocker.seq;
  if found and waybill_put_back(t) then update key_slots set ready = null where queue = p_queue and key = p_key; end if;
end $$;

-- Puts the ready task of a key back in line behind one that comes before it; false where it stays: it comes first, or is just being claimed.
create function waybill_overtake(p_ready uuid, p_queue text, p_key text, p_priority int, p_seq bigint) returns boolean
language plpgsql as $$
declare
  t tasks;
begin
  select * into t from tasks where task_id = p_ready;
  if t.priority > p_priority or t.priority = p_priority and t.seq < p_seq then return false; end if;
  return waybill_put_back(t);
end $$;

-- Puts a task into the ready lane, with the moment since when a worker could have taken it.
create function waybill_make_ready(p_task uuid, p_queue text, p_priority int, p_seq bigint) returns void language sql as $$
  insert into ready (queue, priority, seq, task_id, since)
    select p_queue, p_priority, p_seq, p_task, greatest(coalesce(t.waiting_since, t.enqueued_at), t.due_at)
    from tasks t where t.task_id = p_task
$$;

-- Places a pending task: ready (true), or waiting for its time or its key.
create function waybill_offer(p_task uuid, p_queue text, p_key text, p_priority int, p_seq bigint,
                              p_due timestamptz, p_now timestamptz) returns boolean language plpgsql as $$
declare
  v_slot key_slots;
  v_gate text := case when p_due > p_now then 'due' end;
begin
  if p_key is not null then
    v_slot := waybill_take_place(p_task, p_queue, p_key);
    if v_gate is null and (v_slot.running is not null or p_seq > (waybill_key_blocker(p_queue, p_key)).seq
        or v_slot.ready is not null and not waybill_overtake(v_slot.ready, p_queue, p_key, p_priority, p_seq)) then
      v_gate := 'key';
    elsif v_gate is null then
      update key_slots set ready = p_task where queue = p_queue and key = p_key;
    end if;
  end if;
  if v_gate is null then
    perform waybill_make_ready(p_task, p_queue, p_priority, p_seq);
  else
    insert into waiting (task_id, queue, gate, due_at, key, priority, seq)
      values (p_task, p_queue, v_gate, p_due, p_key, p_priority, p_seq);
  end if;
  return v_gate is null;
end $$;

-- Gives the key to a task that runs, or is about to: until it leaves the key, no task of it is ready. The one that was goes back in line.
create function waybill_occupy_key(p_task uuid, p_queue text, p_key text) returns void language plpgsql as $$
begin
  perform waybill_put_back(r) from key_slots s join tasks r on r.task_id = s.ready where s.queue = p_queue and s.key = p_key;
  update key_slots set running = p_task, ready = null where queue = p_queue and key = p_key;
end $$;

-- Takes a task out of the line for its key; p_stays: it keeps the waiting place, because it is placed anew at once.
create function waybill_leave_line(p_task uuid, p_queue text, p_key text, p_stays boolean) returns void language sql as $$
  update key_slots set ready = nullif(ready, p_task), waiting = case when p_stays then waiting else nullif(waiting, p_task) end
  where queue = p_queue and key = p_key
$$;

-- The task no longer has its key: the next in line gets its turn.
create function waybill_next_of_key(p_task uuid, p_queue text, p_key text) returns void language plpgsql as $$
declare
  v_slot key_slots;
  v_blocker bigint := (waybill_key_blocker(p_queue, p_key)).seq;
  v_next waiting;
begin
  update key_slots set running = nullif(running, p_task) where queue = p_queue and key = p_key returning * into v_slot;
  if not found or v_slot.running is not null or v_slot.ready is not null then return; end if;
  select * into v_next from waiting where queue = p_queue and key = p_key and gate = 'key'
    and (v_blocker is null or seq < v_blocker) order by priority desc, seq limit 1;
  if found then
    delete from waiting where task_id = v_next.task_id;
    perform waybill_make_ready(v_next.task_id, p_queue, v_next.priority, v_next.seq);
    update key_slots set ready = v_next.task_id where queue = p_queue and key = p_key;
  elsif v_slot.waiting is null and v_blocker is null then
    delete from key_slots where queue = p_queue and key = p_key;
  end if;
end $$;
`;
