-- Whether a prerequisite in this state is done. It never leaves such a state. It is only deleted if nothing waits for it.
create function waybill_is_closed(p_state text, p_ignore boolean) returns boolean language sql immutable as $$
  select p_state in ('succeeded', 'superseded', 'completed', 'deleted') or p_ignore and p_state = 'aborted'
$$
