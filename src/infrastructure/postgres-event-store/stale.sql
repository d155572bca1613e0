-- The answer to an append at a revision that is not the stream's: the same events stand there already, or others do. p_first and
-- p_last: the item's first and last event; null where it has none.
create function waybill_stale(p_item int, p_first waybill_event, p_last waybill_event, p_actual int) returns jsonb language sql as $$
  select coalesce((
    select jsonb_build_object('i', p_item, 'kind', 'duplicate', 'position', l.position::text, 'revision', l.revision)
    from events f join events l on l.stream = f.stream and l.revision = p_last.revision
    where f.stream = p_first.stream and f.revision = p_first.revision and f.id = p_first.id),
    jsonb_build_object('i', p_item, 'kind', 'conflict', 'actual', p_actual))
$$
