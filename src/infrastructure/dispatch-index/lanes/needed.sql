-- What a task of the queue needs of its worker: p_own, which it says itself, or else what the policy says. Null if that is nothing, or the queue does not look at needs.
create function waybill_needed(q queues, p_own jsonb) returns jsonb language sql immutable as $$
  select case when jsonb_typeof(q.policy->'needs') = 'object' then nullif(coalesce(p_own, q.policy->'needs'), '{}') end
$$
