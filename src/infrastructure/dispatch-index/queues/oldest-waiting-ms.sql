-- The number of milliseconds that the oldest ready task of a queue has waited; null if there is none. Only the time since a task last
-- became pending counts. Reads only, so it needs no lock.
--
-- Tasks that never left the queue are ordered by priority and place, so this steps from priority to priority, and its cost depends on
-- the number of priorities and not on the size of the backlog. The log says which task comes first in an extent; only a log in this
-- database has extents. Tasks that are due but not yet ready, because the next claim makes them so, count from their due time.
--
-- Planned once for a connection, and without sorts: with the statistics of a small queue a plan sorts all that is ready, and joins all tasks.
create function waybill_oldest_waiting_ms(p_queue text) returns float8 language plpgsql stable
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
set plan_cache_mode = force_generic_plan as $$
begin
  return (
    with recursive heads as (
      (select priority, from_seq, task_id from ready where queue = p_queue and since is null order by priority desc, from_seq limit 1)
      union all
      select next.priority, next.from_seq, next.task_id from heads h cross join lateral (
        select r.priority, r.from_seq, r.task_id from ready r where r.queue = p_queue and r.since is null and r.priority < h.priority
        order by r.priority desc, r.from_seq limit 1) next
    )
    select floor(extract(epoch from now() - least(
        (select min(since) from ready where queue = p_queue and since is not null),
        (select min(due_at) from waiting where queue = p_queue and gate = 'due' and due_at <= now()),
        (select min(t.enqueued_at) from heads h
          join tasks t on t.task_id = coalesce(h.task_id, (
            select g.streams[h.from_seq - g.position + 1] from segments g where g.position <= h.from_seq
            order by g.position desc limit 1))))) * 1000)::float8);
end $$
