-- How many tasks of a queue are ready and wait before a step, counted up to p_most.
create function waybill_before_step(p_queue text, p_step text, p_most int) returns int language sql stable as $$
  select least(coalesce(sum(l.tasks), 0), p_most)::int from (
    select r.to_seq - r.from_seq + 1 as tasks from ready r where r.queue = p_queue and r.step = p_step limit p_most) l
$$
