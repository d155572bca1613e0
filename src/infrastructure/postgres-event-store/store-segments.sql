-- Stores the events of an append after the head. p_before has, for each event's number, the position of the previous
-- event in its stream; null for a stream's first. Leaves out the events of bad items; the others of their segments are
-- stored in segments of one event. Not in SQL, which would parse and plan its statements in each append.
create function waybill_store_segments(
  p_segments waybill_segment[], p_kinds waybill_event_kind[], p_envelopes text[], p_head bigint, p_before bigint[], p_now timestamptz, p_bad int[]
) returns void language plpgsql as $$
begin
  insert into segments (position, n, category, type, version, recorded_at, meta, shared, streams, revisions, prevs, ids, data, private, salts, digest)
    select p_head + s.first, cardinality(s.streams), (p_kinds[s.kind]).category, (p_kinds[s.kind]).type, (p_kinds[s.kind]).version,
      p_now, p_envelopes[s.envelope], s.shared, s.streams, s.revisions,
      case when s.revisions is not null and (p_kinds[s.kind]).category = 'task'
        then waybill_run_of(p_before[s.first : s.first + cardinality(s.streams) - 1]) end, s.ids, s.data, s.private, s.salts, s.digest
    from unnest(p_segments) as s where cardinality(p_bad) = 0 or not s.items && p_bad;
  if cardinality(p_bad) = 0 then return; end if;
  insert into segments (position, n, category, type, version, recorded_at, meta, shared, streams, revisions, prevs, ids, data, private, salts, digest)
    select p_head + s.first + e.n - 1, 1, k.category, k.type, k.version, p_now, p_envelopes[s.envelope], s.shared, o.streams, o.revisions,
      case when k.category = 'task' then array[p_before[s.first + e.n - 1]] end, o.ids, e.line, o.half, o.salt,
      waybill_digest(k.category, k.type, k.version, p_envelopes[s.envelope], s.shared, o.streams, o.revisions, o.ids, e.line, o.half, o.salt)
    from unnest(p_segments) as s
    cross join lateral (select (p_kinds[s.kind]).*) as k
    cross join lateral rows from (unnest(s.streams, s.ids, s.items), string_to_table(s.data, E'\n'), string_to_table(s.private, E'\n'))
      with ordinality as e(stream, id, item, line, half, n)
    cross join lateral (select array[e.stream] as streams, array[e.id] as ids, nullif(e.half, '') as half,
      case when s.revisions is not null then array[s.revisions[least(e.n, cardinality(s.revisions))]] end as revisions,
      case when e.half <> '' then substr(s.salts, (16 * (e.n - 1) + 1)::int, 16) end as salt) as o
    where s.items && p_bad and e.item <> all (p_bad);
end $$
