-- Loads the events after those already loaded, in the form of the view `events` but without reading the whole log.
insert into pg_temp.logged_events
  select s.position + e.n - 1, s.streams[e.n], coalesce(s.revisions[least(e.n, cardinality(s.revisions))], 0), s.category, s.type, s.version, s.ids[e.n], s.recorded_at,
    waybill_whole(s.shared, e.line, e.half), s.meta
  from segments s cross join lateral rows from (string_to_table(s.data, E'\n'), string_to_table(s.private, E'\n')) with ordinality as e(line, half, n)
  where s.position > (select coalesce(max(l.position), 0) from pg_temp.logged_events l)
