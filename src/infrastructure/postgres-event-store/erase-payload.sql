-- Erases a task's payloads from its history, in place. They become null. All else stays byte for byte, including the
-- other tasks' events in the same segments. An event, not this function, must record who asked for it and when.
create function waybill_erase_payload(p_task uuid) returns void language plpgsql as $$
begin
  if not exists (select from waybill_history(p_task)) then
    raise exception 'Expected the history of task % here, but there is none: the id is wrong, or the events are in EventStoreDB', p_task;
  end if;
  with erased as (
    select s.position, h.position - s.position + 1 as n, split_part(s.data, E'\n', (h.position - s.position + 1)::int)::jsonb as line
    from waybill_history(p_task) h
    cross join lateral (select g.* from segments g where g.position <= h.position order by g.position desc limit 1) s)
  update segments s set data = (
      select string_agg(case when l.n = e.n
          then (e.line || (select jsonb_object_agg(k, null) from jsonb_object_keys(e.line) as k where k in ('payload', 'previous')))::text
          else l.line end, E'\n' order by l.n)
      from string_to_table(s.data, E'\n') with ordinality as l(line, n))
  from erased e where s.position = e.position and e.line ?| array['payload', 'previous'];
end $$
