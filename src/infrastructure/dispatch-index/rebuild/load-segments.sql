-- Loads the events after those already loaded, in the form of the view `events` but without reading the whole log.
insert into pg_temp.logged_events
  select s.position + e.n - 1, s.streams[e.n], coalesce(s.revisions[least(e.n, cardinality(s.revisions))], 0), s.category, s.type, s.version, s.ids[e.n], s.recorded_at,
    case when s.shared is null then e.line when e.line = '{}' then s.shared else left(s.shared, -1) || ',' || substr(e.line, 2) end, s.meta
  from segments s cross join lateral string_to_table(s.data, E'\n') with ordinality as e(line, n)
  where s.position > (select coalesce(max(l.position), 0) from pg_temp.logged_events l)
