-- Whether a task in this state has still to end.
create function waybill_is_open(p_state text) returns boolean language sql immutable as $$
  select p_state in ('prepared', 'pending', 'held', 'running', 'undecided')
$$
