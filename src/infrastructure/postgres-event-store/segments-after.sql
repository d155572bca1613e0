-- The log after a position, in order, as segments, up to the one that contains p_upto. Stops at the one that reaches
-- p_limit events, or p_bytes of data, and returns at least one if there is one. A null filter matches everything.
-- p_private: with the private halves. Segments that match by queue or build may also contain events of other queues. The first segment may begin before the position.
create function waybill_segments_after(p_after bigint, p_upto bigint, p_limit int, p_categories text[], p_types text[], p_queue text, p_actor text, p_build text, p_bytes int, p_private boolean)
returns table ("position" bigint, n smallint, category text, type text, version smallint, recorded_at timestamptz, meta text, shared text, data text,
               streams text, revisions text, ids text, name text, private text)
language plpgsql stable set enable_seqscan = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
  s segments;
  v_left int := p_limit;
  v_bytes int := p_bytes;
begin
  for s in
    select g.* from segments g
    where g.position > p_after - 64 and g.position <= p_upto and g.position + g.n > p_after + 1
      and (p_categories is null or g.category = any (p_categories)) and (p_types is null or g.type = any (p_types))
      and (p_actor is null or g.meta::jsonb->>'actor' = p_actor)
      and (p_build is null or coalesce(g.shared::jsonb->>'build', p_build) = p_build)
      and (p_queue is null or coalesce(g.shared::jsonb->>'queue', p_queue) = p_queue)
    order by g.position
  loop
    if p_queue is not null and (s.shared is null or not s.shared::jsonb ? 'queue') then
      v_left := v_left - (select count(*) from string_to_table(s.data, E'\n') with ordinality as e(line, n)
        where s.position + e.n - 1 > p_after and e.line::jsonb->>'queue' = p_queue);
    else
      v_left := v_left - (s.position + s.n - 1 - greatest(p_after, s.position - 1));
    end if;
    continue when v_left = p_limit;
    return query select s.position, s.n, s.category, s.type, s.version, s.recorded_at, s.meta, s.shared, s.data, s.streams::text, s.revisions::text,
      s.ids::text, case when s.category <> 'task' then (select n.name from stream_names n where n.stream = s.streams[1]) end,
      case when p_private then s.private end;
    v_bytes := v_bytes - octet_length(s.data) - case when p_private then coalesce(octet_length(s.private), 0) else 0 end;
    exit when v_left <= 0 or v_bytes <= 0;
  end loop;
end $$
