-- When something is to be done about the task, unless it changes before: it expires, its run takes too long, or it misses its
-- deadline. Null if nothing is.
create function waybill_alarm(t tasks) returns timestamptz language sql immutable as $$
  select least(
    case when t.state in ('prepared', 'pending', 'held') then t.expires_at end,
    case when t.state = 'running' then t.run_until end,
    case when t.state in ('prepared', 'pending', 'held', 'running', 'undecided') and not t.missed then t.deadline_at end)
$$
