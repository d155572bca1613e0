-- Those of these events that a build stored before it knew halves, or that have no private half, with their streams.
create function waybill_stored_whole(p_positions bigint[]) returns table (stream uuid, "position" bigint) language sql stable as $$
  select g.streams[(p.at - g.position + 1)::int], p.at from unnest(p_positions) as p(at)
    cross join lateral (select s.position, s.streams, s.private from segments s where s.position <= p.at order by s.position desc limit 1) g
    where g.private is null or split_part(g.private, E'\n', (p.at - g.position + 1)::int) = ''
$$
