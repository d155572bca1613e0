-- Frees the keys of ended tasks and makes the next task in line of each ready, in one statement: what waybill_key_leave and
-- waybill_next_of_key do for one of them. Returns the places of those that it left to them: keys in whose line a task has
-- begun or failed, which may block those behind it, and keys without a line.
create function waybill_next_of_keys(p_ended uuid[], p_queues text[], p_keys text[]) returns int[] language plpgsql as $$
declare
  v_left int[];
begin
  with freed as materialized (
    select n, s.ctid as slot, w.task_id, w.queue, w.priority, w.place
    from generate_subscripts(p_ended, 1) as n
    -- 'offset 0': each slot by its key, also by a plan from when there were few.
    cross join lateral (
      select s.ctid, s.queue, s.key from key_slots s
      where s.queue = p_queues[n] and s.key = p_keys[n] and s.running = p_ended[n] and s.ready is null offset 0) s
    cross join lateral (
      select * from waiting l where l.queue = s.queue and l.key = s.key and l.gate = 'key' order by l.priority desc, l.place limit 1) w
    where not exists (select from waiting b where b.queue = s.queue and b.key = s.key and b.begun)
      and not exists (select from key_failures f where f.queue = s.queue and f.key = s.key)),
  left_line as (delete from waiting where task_id = any (array(select f.task_id from freed f))),
  made_ready as (
    insert into ready (queue, priority, from_seq, to_seq, task_id, step, lane, since, expires_at)
      select f.queue, f.priority, f.place, f.place, f.task_id, t.step, :LANE, greatest(coalesce(t.waiting_since, t.enqueued_at), t.due_at), t.expires_at
      from freed f join tasks t on t.task_id = f.task_id
    returning queue, lane, from_seq),
  in_turn as (:BEGIN_TURNS),
  moved as (update key_slots s set running = null, ready = f.task_id from freed f where s.ctid = f.slot)
  select array_agg(n) into v_left from generate_subscripts(p_ended, 1) as n where n not in (select f.n from freed f);
  return v_left;
end $$
