/** What appends know and write of queues beside their events: the row, the failures in a row, who waits for whom. */
export const QUEUE_ROW_FUNCTIONS = `
-- A queue's row after one of its events.
create or replace function waybill_write_queue(c jsonb, p_position bigint, p_revision int) returns void language plpgsql as $$
declare
  q queues;
  v_blocking boolean;
begin
  select * into q from queues where name = c->>'name';
  v_blocking := q.policy->>'onKeyFailure' = 'block';
  q := jsonb_populate_record(q, c);
  q.position := p_position;
  q.revision := p_revision;
  insert into queues select q.* on conflict (name) do update set
    (revision, position, status, description, policy, policy_version, intake_open, intake_by, intake_reason,
     pause_by, pause_reason, pause_until, pause_failure, failure_streak, failure_task)
    = (q.revision, q.position, q.status, q.description, q.policy, q.policy_version, q.intake_open, q.intake_by,
       q.intake_reason, q.pause_by, q.pause_reason, q.pause_until, q.pause_failure, q.failure_streak,
       q.failure_task);
  if v_blocking and q.policy->>'onKeyFailure' <> 'block' then
    perform waybill_next_of_key(null, s.queue, s.key) from key_slots s
      where s.queue = q.name and s.running is null and s.ready is null;
  end if;
end $$;

-- Counts failed attempts in a row, of queues whose policy asks for it; a success ends the row.
create or replace function waybill_count_failure(p_queue text, p_task uuid, p_failed boolean, p_state text)
returns void language plpgsql as $$
begin
  if p_failed then
    update queues set failure_streak = failure_streak + 1, failure_task = p_task
      where name = p_queue and policy->>'pauseAfterFailures' is not null;
  elsif p_state = 'succeeded' then
    update queues set failure_streak = 0, failure_task = null where name = p_queue and failure_streak > 0;
  end if;
end $$;

-- Whether one of the queues that a decision looked at has moved on since.
create or replace function waybill_others_changed(p_others jsonb) returns boolean language sql as $$
  select exists (select from jsonb_to_recordset(p_others) as o(name text, revision int) left join queues q on q.name = o.name
                 where coalesce(q.revision, -1) <> o.revision)
$$;

-- A queue that waits, or would wait, for the one that is named.
create or replace function waybill_awaiting(p_queue text) returns text language sql as $$
  select name from queues where status <> 'deleted' and policy->'waitsFor' ? p_queue limit 1
$$;

-- Why a queue may not change in this way as its tasks and the other queues stand; null where it may.
create or replace function waybill_queue_problem(m jsonb) returns jsonb language plpgsql as $$
declare
  v_empty text := m->>'empty';
  v_holder text;
begin
  if v_empty is not null and (exists (select from ready where queue = v_empty)
      or exists (select from waiting where queue = v_empty) or exists (select from leases where queue = v_empty)) then
    return jsonb_build_object('kind', 'refused', 'constraint', 'queue-not-empty');
  end if;
  v_holder := waybill_awaiting(m->>'unawaited');
  if v_holder is not null then
    return jsonb_build_object('kind', 'refused', 'constraint', 'queue-awaited', 'queue', v_holder);
  end if;
  return null;
end $$;
`;
