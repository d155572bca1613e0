-- A queue's row after one of its events.
create function waybill_write_queue(c jsonb, p_position bigint, p_revision int) returns void language plpgsql as $$
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
end $$
