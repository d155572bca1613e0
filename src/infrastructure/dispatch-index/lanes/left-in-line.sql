-- The value of the label of the first ready task that a claim with this offer has left in line, and in how many milliseconds a rate allows the next start; null if none keeps
-- tasks from starting. No row if nothing is left.
create function waybill_left_in_line(p_queue text, p_steps text[], p_offers jsonb) returns table (value text, after_ms bigint, until text) language plpgsql stable as $$
declare
  q queues;
  v_now timestamptz := clock_timestamp();
  v_lanes text[];
  v_limit jsonb;
  v_of_queue timestamptz;
  v_of_lanes timestamptz;
begin
  select * into q from queues where name = p_queue;
  -- Tasks that wait for a resource wait for no limit.
  if q.needs is not null then p_steps := waybill_open_steps(q, p_steps); end if;
  -- Tasks without lanes are all alike.
  v_lanes := case when q.by_lanes then array(select waybill_lanes(p_queue, p_offers)) else '{null}' end;
  select waybill_lane_limit(l.lane)::jsonb into v_limit from unnest(v_lanes) as l(lane) cross join lateral (
      select r.priority, r.from_seq from ready r
      where r.queue = p_queue and (l.lane is null or r.lane = l.lane) and (p_steps is null or r.step = any (p_steps)) and (r.expires_at is null or r.expires_at > v_now)
        and not exists (select from reservations o where o.stream = r.task_id)
      order by r.priority desc, r.from_seq limit 1) r
    order by r.priority desc, r.from_seq limit 1;
  if not found then return; end if;
  v_of_queue := waybill_free_at(q.policy->'rate', (select p.used_until from paces p where p.queue = p_queue and p.lane = ''), v_now);
  v_of_lanes := (
    select min(f.at) from paces p cross join lateral (select waybill_free_at(waybill_lane_limits(q, p.lane)->'rate', p.used_until, v_now) as at) f
    where p.queue = p_queue and p.lane <> '' and p.used_until > v_now and f.at is not null
      and exists (select from unnest(v_lanes) l where waybill_lane_limit(l) = p.lane)
      and not exists (select from waybill_limits_running(q) l where l.lane_limit = p.lane and l.tasks >= (waybill_lane_limits(q, p.lane)->>'maxRunning')::int));
  return query select v_limit->>q.lane_label, ceil(extract(epoch from greatest(v_of_queue, v_of_lanes) - v_now) * 1000)::bigint,
    to_char(greatest(v_of_queue, v_of_lanes) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
end $$
