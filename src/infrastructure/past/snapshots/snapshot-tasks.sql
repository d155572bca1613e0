-- The tasks of a snapshot, those in runs of places by the segments that hold their first events. A segment has 64 events at most.
select t.queue, t.state, coalesce(t.ids, '') || coalesce(r.ids, '') as ids
from snapshot_tasks t cross join lateral (
  select string_agg(uuid_send(s.streams[p.place - s.position + 1]), '' order by p.place) as ids
  from (
    select first, first + more as last
    from generate_series(0, coalesce(octet_length(t.runs), 0) / 12 - 1) as n
      cross join lateral (select ('x' || encode(substr(t.runs, 12 * n + 1, 8), 'hex'))::bit(64)::bigint as first,
        ('x' || encode(substr(t.runs, 12 * n + 9, 4), 'hex'))::bit(32)::int as more) as run) as r
    join segments s on s.position > r.first - 64 and s.position <= r.last and s.position + s.n > r.first
    cross join lateral generate_series(greatest(r.first, s.position), least(r.last, s.position + s.n - 1)) as p(place)
) as r
where t.position = :position and (:queue::text is null or t.queue = :queue) and (:state::text is null or t.state = :state)
