-- What is wrong with a place outside the lane: its task has no row ('unknown'), has no such place (its state), or the place counts more or
-- less than its task waits for ('blockers'). Null if nothing is. A set-aside task is looked at elsewhere.
create function waybill_waiting_problem(w waiting) returns text language sql stable as $$
  select case
    when w.gate = 'quarantined' or exists (select from reservations r where r.stream = w.task_id) then null
    when t.task_id is null then 'unknown'
    when t.state not in ('prepared', 'pending', 'held', 'undecided') then t.state
    when w.gate = 'blocked' and w.blockers <> waybill_place_blockers(w) then 'blockers' end
  from (select) as one left join tasks t on t.task_id = w.task_id
$$
