-- Erases a task's payloads from its history, in place, and what searches find of them. They become null. All else stays byte for byte, including the
-- other tasks' events in the same segments, but for the digests. An event, not this function, must record who asked for it and when.
create function waybill_erase_payload(p_task uuid) returns void language plpgsql as $$
begin
  if not exists (select from waybill_history(p_task)) then
    raise exception 'Expected the history of task % here, but there is none: the id is wrong, or the events are in EventStoreDB', p_task;
  end if;
  with places as (
    select s.position, h.position - s.position + 1 as n
    from waybill_history(p_task) h
    cross join lateral (select g.position from segments g where g.position <= h.position order by g.position desc limit 1) s)
  update segments s set data = waybill_without_payload(s.data, p.n), private = waybill_without_payload(s.private, p.n)
  from places p where s.position = p.position
    and (split_part(s.data, E'\n', p.n::int) ~ '"(payload|previous)"' or split_part(s.private, E'\n', p.n::int) ~ '"(payload|previous)"');
  update tasks set payload_terms = null where task_id = p_task and payload_terms is not null;
  update tasks_archive set payload_terms = null where task_id = p_task and payload_terms is not null;
  update segments s set digest = waybill_digest(s.category, s.type, s.version, s.meta, s.shared, s.streams, s.revisions, s.ids, s.data, s.private, s.salts)
  from waybill_history(p_task) h
  where s.digest is not null and s.position = (select g.position from segments g where g.position <= h.position order by g.position desc limit 1);
end $$
