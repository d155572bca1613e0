-- The value of the label of the first ready task that a claim has left in line; no row if it left none.
create function waybill_first_in_lanes(p_queue text, p_steps text[]) returns table (value text) language sql stable as $$
  select r.lane::jsonb->>q.lane_label from queues q join ready r on r.queue = q.name
  where q.name = p_queue and r.lane is not null and (p_steps is null or r.step = any (p_steps)) and (r.expires_at is null or r.expires_at > clock_timestamp())
    and not exists (select from reservations o where o.stream = r.task_id)
  order by r.priority desc, r.from_seq limit 1
$$
