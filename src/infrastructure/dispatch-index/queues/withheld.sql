-- Why a queue gives nothing out, or null: claims keep to it, and explanations name it.
create function waybill_withheld(q queues) returns text language sql immutable as $$
  select case when q.status is distinct from 'active' then coalesce(q.status, 'unknown')
    when q.failure_streak >= (q.policy->>'pauseAfterFailures')::int then 'failing' end
$$
