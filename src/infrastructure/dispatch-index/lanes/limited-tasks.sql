-- How many tasks of a queue wait for a place under its limits, and for a start under its rates, each up to p_most. Who waits for both counts for both.
create function waybill_limited_tasks(q queues, p_most int, out running int, out rate int) language plpgsql stable as $$
declare
  r record;
begin
  running := 0;
  rate := 0;
  if not q.paced and q.lane_label is null and q.policy->>'maxRunning' is null and coalesce(q.policy->>'concurrency', 'unlimited') = 'unlimited' then return; end if;
  for r in
    with reached as materialized (select * from waybill_reached_limits(q))
    select * from reached l where l.lane_limit = '' or not exists (select from reached w where w.kind = l.kind and w.lane_limit = '')
  loop
    if r.kind = 'rate' and rate < p_most then
      rate := least(p_most, rate + waybill_behind_limit(q, r.lane_limit, p_most));
    elsif r.kind = 'running' and running < p_most then
      running := least(p_most, running + waybill_behind_limit(q, r.lane_limit, p_most));
    end if;
  end loop;
end $$
