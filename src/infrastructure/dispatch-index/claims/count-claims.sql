-- Gives each claim of a counted queue a slot. A queue counts as such if it has a gate, which its first claim under that
-- policy creates.
create function waybill_count_claims(p_tokens bigint[], p_queues text[]) returns void language sql as $$
  insert into slots (token, queue)
    select c.token, c.queue from unnest(p_tokens, p_queues) as c(token, queue)
    where c.queue in (
      select q.name from queues q join queue_gates g on g.queue = q.name and g.policy_version = q.policy_version
      where q.name = any (p_queues))
$$
