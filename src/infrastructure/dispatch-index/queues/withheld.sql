-- Why a queue gives out no tasks; null if it does. Claims obey this, and explanations show it.
create function waybill_withheld(q queues) returns text language sql immutable as $$
  select case when q.status is distinct from 'active' then coalesce(q.status, 'unknown')
    when q.failure_streak >= (q.policy->>'pauseAfterFailures')::int then 'failing' end
$$
