-- The answer to an append at an outdated revision: the stream holds the same events (duplicate) or others (conflict).
-- p_first and p_last are the numbers of the item's events; p_first is greater if it has none.
create function waybill_stale(p_item int, p_segments waybill_segment[], p_first int, p_last int, p_actual int) returns jsonb language sql as $$
  with sent as (
    select s.first + e.at - 1 as number, e.stream, coalesce(s.revisions[least(e.at, cardinality(s.revisions))], 0) as revision, e.id
    from unnest(p_segments) as s cross join lateral unnest(s.streams, s.ids) with ordinality as e(stream, id, at)
    where s.first + e.at - 1 in (p_first, p_last) and p_first <= p_last)
  select coalesce((
    select jsonb_build_object('i', p_item, 'kind', 'duplicate', 'position', l.position::text, 'revision', l.revision)
    from sent f join sent t on f.number = p_first and t.number = p_last
    cross join lateral waybill_history(f.stream) as h
    join lateral waybill_history(f.stream) as l on l.revision = t.revision
    where h.revision = f.revision and h.id = f.id),
    jsonb_build_object('i', p_item, 'kind', 'conflict', 'actual', p_actual))
$$
