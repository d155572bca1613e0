-- What is wrong with a place outside the lane: its task has no row ('unknown'), has no such place (its state), the place says something else than
-- the task ('place') or waits for what the task does not ('gate'), or it counts more or less than the task waits for ('blockers'). Null if
-- nothing is. A set-aside task is looked at elsewhere.
create function waybill_waiting_problem(w waiting) returns text language sql stable as $$
  select case
    when w.gate = 'quarantined' or exists (select from reservations r where r.stream = w.task_id) then null
    when t.task_id is null then 'unknown'
    when t.state not in ('prepared', 'pending', 'held', 'undecided') then t.state
    when (w.queue, w.key, w.priority, w.place) is distinct from (t.queue, t.key, t.priority, coalesce(t.place, t.seq))
      or w.gate <> 'key' and w.due_at is distinct from t.due_at then 'place'
    when t.state <> 'pending' and w.gate = t.state or t.state = 'pending' and w.gate = 'key' and exists (
      select from key_slots s where s.queue = t.queue and s.key = t.key) then null
    when t.state = 'pending' and w.gate = 'due' and w.due_at is not null then null
    when w.gate <> 'blocked' or t.state <> 'pending' then 'gate'
    when w.blockers = 0 or w.blockers <> waybill_place_blockers(w) then 'blockers' end
  from (select) as one left join tasks t on t.task_id = w.task_id
$$
