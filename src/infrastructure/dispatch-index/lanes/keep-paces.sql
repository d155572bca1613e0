-- Keeps what is used up of a queue's rates within their bursts, after a change of the policy or of the clock, so that nobody waits longer for a
-- start than the rate says.
create function waybill_keep_paces(q queues) returns void language sql as $$
  update paces p set used_until = r.most from (
    select k.lane, clock_timestamp() + (l.rate->>'burst')::int * waybill_time_of_start(l.rate) as most
    from paces k cross join lateral (select case k.lane when '' then q.policy->'rate' else waybill_lane_limits(q, k.lane)->'rate' end as rate) l
    where k.queue = q.name and k.used_until > clock_timestamp()) r
  where p.queue = q.name and p.lane = r.lane and p.used_until > r.most
$$
