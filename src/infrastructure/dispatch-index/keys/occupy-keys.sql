-- Gives each of the tasks its key, as waybill_occupy_key does for one. Nearly all are the ready ones of their keys.
create function waybill_occupy_keys(p_tasks uuid[]) returns void language plpgsql as $$
declare
  v_left uuid[];
begin
  with own as materialized (
    select t.task_id, t.queue, t.key, t.priority, coalesce(t.place, t.seq) as place, t.due_at, waybill_has_begun(t) as begun, s.ctid as slot
    from unnest(p_tasks) as p(id) join tasks t on t.task_id = p.id
    join key_slots s on s.queue = t.queue and s.key = t.key and s.ready = t.task_id),
  left_lane as (
    delete from ready r using own o where r.queue = o.queue and r.priority = o.priority and r.from_seq = o.place and r.task_id = o.task_id
    returning r.task_id),
  in_line as (
    insert into waiting (task_id, queue, gate, due_at, key, priority, place, begun)
      select o.task_id, o.queue, 'key', o.due_at, o.key, o.priority, o.place, o.begun from own o join left_lane l on l.task_id = o.task_id),
  given as (update key_slots s set running = s.ready, ready = null where s.ctid = any (array(select o.slot from own o)))
  select array_agg(p.id) into v_left from unnest(p_tasks) as p(id) where p.id not in (select o.task_id from own o);
  perform waybill_occupy_key(t.task_id, t.queue, t.key) from tasks t where t.task_id = any (v_left);
end $$
