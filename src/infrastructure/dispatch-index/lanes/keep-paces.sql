-- Keeps what is used up of a queue's rates within their bursts, after a change of the policy or of the clock, so that nobody waits longer for a
-- start than the rate says.
create function waybill_keep_paces(q queues) returns void language sql as $$
  update paces p set used_until = r.most from (
    select clock_timestamp() + (q.policy->'rate'->>'burst')::int * waybill_time_of_start(q.policy->'rate') as most, true as whole
    union all
    select clock_timestamp() + (q.policy->'perLabel'->'rate'->>'burst')::int * waybill_time_of_start(q.policy->'perLabel'->'rate'), false) r
  where p.queue = q.name and (p.lane = '') = r.whole and p.used_until > r.most
$$
