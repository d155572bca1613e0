-- Places tasks that have left `waiting` because nothing blocks them any more. Returns the queues that now have tasks to
-- give out. Tasks without a key that have only their first event share extents, as if they were new. A task that is alone
-- with its key needs no line.
create function waybill_place_unblocked(p_tasks waiting[], p_now timestamptz) returns text[] language plpgsql as $$
declare
  v_alone uuid[];
  r record;
begin
  if p_tasks is null then return '{}'; end if;
  v_alone := waybill_keys_take_unused(p_tasks, p_now);
  with free as (
    select w.*, t.step, l.lane, t.expires_at, t.revision = 0 and w.key is null and l.lane is null and t.expires_at is null as untouched,
      greatest(coalesce(t.waiting_since, t.enqueued_at), t.due_at) as since
    from unnest(p_tasks) as w join tasks t on t.task_id = w.task_id cross join lateral (select :LANE as lane) l
    where coalesce(w.due_at <= p_now, true) and (w.key is null or w.task_id = any (v_alone))),
  runs as (
    select f.*, f.place - row_number() over (partition by f.queue, f.priority, f.step, f.untouched order by f.place) as run from free f),
  parts as (
    select s.*, case when s.untouched then (s.place - min(s.place) over (partition by s.queue, s.priority, s.step, s.untouched, s.run)) / 64 else s.place end as part
    from runs s),
  made_ready as (
    insert into ready (queue, priority, from_seq, to_seq, task_id, step, lane, since, expires_at)
      select n.queue, n.priority, min(n.place), max(n.place), case when count(*) = 1 then (array_agg(n.task_id))[1] end, n.step, min(n.lane),
        case when n.untouched then p_now else min(n.since) end, min(n.expires_at)
      from parts n group by n.queue, n.priority, n.step, n.untouched, n.run, n.part
    returning queue, lane, from_seq)
  :BEGIN_TURNS;
  for r in
    select w.* from unnest(p_tasks) as w where (w.key is not null or w.due_at > p_now) and w.task_id <> all (v_alone)
    order by w.priority desc, w.place
  loop
    -- It may have kept a task with a higher priority from its key.
    perform waybill_next_of_key(null, r.queue, r.key) where r.key is not null;
    perform waybill_offer(r.task_id, r.queue, r.key, r.priority, r.place, r.due_at, 0, null, p_now);
  end loop;
  return array(select distinct w.queue from unnest(p_tasks) as w);
end $$
