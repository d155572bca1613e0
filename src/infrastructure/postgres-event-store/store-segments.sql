-- Stores the events of an append after the head. p_before has, for each event's number, the position of the previous
-- event in its stream; null for a stream's first. Not in SQL, which would parse and plan its statements in each append.
create function waybill_store_segments(
  p_segments waybill_segment[], p_kinds waybill_event_kind[], p_envelopes text[], p_head bigint, p_before bigint[], p_now timestamptz
) returns void language plpgsql as $$
begin
  insert into segments (position, n, category, type, version, recorded_at, meta, shared, streams, revisions, prevs, ids, data, private, salts, digest)
    select p_head + s.first, cardinality(s.streams), (p_kinds[s.kind]).category, (p_kinds[s.kind]).type, (p_kinds[s.kind]).version,
      p_now, p_envelopes[s.envelope], s.shared, s.streams, s.revisions,
      case when s.revisions is not null and (p_kinds[s.kind]).category = 'task'
        then waybill_run_of(p_before[s.first : s.first + cardinality(s.streams) - 1]) end, s.ids, s.data, s.private, s.salts, s.digest
    from unnest(p_segments) as s;
end $$
