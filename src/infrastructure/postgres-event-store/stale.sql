-- The answer to an append at a revision that is not the stream's: the same events stand there already, or others do.
create function waybill_stale(p_item int, p_stream uuid, p_expected int, p_first int[], p_id uuid[], p_actual int)
returns jsonb language sql as $$
  select coalesce((
    select jsonb_build_object('i', p_item, 'kind', 'duplicate', 'position', l.position::text, 'revision', l.revision)
    from events f join events l on l.stream = f.stream
      and l.revision = p_expected + coalesce(p_first[p_item + 1], array_length(p_id, 1) + 1) - p_first[p_item]
    where f.stream = p_stream and f.revision = p_expected + 1 and f.id = p_id[p_first[p_item]]),
    jsonb_build_object('i', p_item, 'kind', 'conflict', 'actual', p_actual))
$$
