-- Erases the private halves of these events: a commitment takes the place of each, and zeros that of its salt, so that nobody can
-- check a guess. p_rests: what is left of each half, as JSON, or an empty text. Digests and the other halves of the segments stay. Returns the
-- streams with the number of halves that were erased now. The caller must commit it with the rows.
create function waybill_erase(p_positions bigint[], p_rests text[]) returns table (stream uuid, halves int) language plpgsql as $$
#variable_conflict use_column
declare
  v_segments bigint[] := array(select distinct g.position from unnest(p_positions) as p(at)
    cross join lateral (select s.position from segments s where s.position <= p.at order by s.position desc limit 1) g order by 1);
  v_whole bigint;
begin
  -- Another erasure may have read the same segment before.
  perform from segments s where s.position = any (v_segments) order by s.position for update;
  v_whole := (select w.position from waybill_stored_whole(p_positions) w limit 1);
  if v_whole is not null then
    raise exception 'Expected event % to be stored in halves, but an earlier build stored it as a whole: it cannot be erased', v_whole;
  end if;
  return query with lines as (
    select s.position, s.streams[l.n] as stream, l.n, l.half, substr(s.salts, (16 * (l.n - 1) + 1)::int, 16) as salt,
      p.rest is not null and l.half not like '#%' as erases, p.rest
    from segments s cross join lateral string_to_table(s.private, E'\n') with ordinality as l(half, n)
      left join unnest(p_positions, p_rests) as p(at, rest) on p.at = s.position + l.n - 1
    where s.position = any (v_segments)),
  erased as (
    select l.position, string_agg(case when l.erases then '#' || waybill_commitment(l.salt, l.half) || l.rest else l.half end, E'\n' order by l.n) as private,
      string_agg(case when l.erases then decode(repeat('00', 16), 'hex') else l.salt end, ''::bytea order by l.n) as salts
    from lines l group by l.position having bool_or(l.erases)),
  changed as (update segments s set private = e.private, salts = e.salts from erased e where e.position = s.position)
  select l.stream, count(*)::int from lines l where l.erases group by l.stream;
end $$
