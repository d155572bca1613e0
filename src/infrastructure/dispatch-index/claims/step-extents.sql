-- The places of the extents that hold the first p_max tasks of a queue, in claim order, among those whose next step is one
-- of these.
create function waybill_step_extents(p_queue text, p_steps text[], p_max int) returns setof tid language sql stable as $$
  select l.place from (
    select r.*, sum(r.tasks) over (order by r.priority desc, r.from_seq) as upto
    from (select distinct unnest(p_steps) as step) s cross join lateral (
      select r.ctid as place, r.to_seq - r.from_seq + 1 as tasks, r.priority, r.from_seq from ready r
      where r.queue = p_queue and r.step = s.step and (r.expires_at is null or r.expires_at > clock_timestamp()) order by r.priority desc, r.from_seq limit p_max) r) l
  where l.upto - l.tasks < p_max order by l.priority desc, l.from_seq
$$
