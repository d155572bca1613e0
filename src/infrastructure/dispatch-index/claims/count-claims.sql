-- Claims of the queues that run a limited number of tasks take a slot each. A queue that was claimed from under its policy has a gate.
create function waybill_count_claims(p_tokens bigint[], p_queues text[]) returns void language sql as $$
  insert into slots (token, queue)
    select c.token, c.queue from unnest(p_tokens, p_queues) as c(token, queue)
    where c.queue in (
      select q.name from queues q join queue_gates g on g.queue = q.name and g.policy_version = q.policy_version
      where q.name = any (p_queues))
$$
