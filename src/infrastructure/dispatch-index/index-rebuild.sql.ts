import { LOG_LOCK } from '../postgres-event-store/append.sql.js';
import { CLAIMS_LOCK } from './pick.sql.js';

const TABLES = 'tasks, queues, ready, waiting, leases, key_slots, key_failures, slots, queue_gates';

/** Less than the second after which Postgres looks for deadlocks: readers lock the tables in orders of their own, and are not to be its victims. */
const TRY_MS = 500;

/** The claims in hand come to their ends, then the appends, then the readers. */
export const LOCK_INDEX = `
  set local lock_timeout = ${TRY_MS};
  select pg_advisory_xact_lock(${CLAIMS_LOCK});
  select pg_advisory_xact_lock(${LOG_LOCK});
  lock table ${TABLES} in access exclusive mode;
  set local lock_timeout = 0`;

/** Old leases are kept aside: for their secrets, and for claims that are still to be recorded. */
export const EMPTY_INDEX = `
  create temp table old_leases on commit drop as select * from leases;
  truncate ${TABLES}`;

/** The index as it follows from the tasks' rows and the claims' events. */
export const DERIVE_INDEX = `
  insert into leases (token, task_id, queue, worker, server, secret, claim_id, lease_ms, deadline, cancel_requested, expiring)
    select (c.claim->>'token')::bigint, t.task_id, t.queue, c.claim->>'worker', c.claim->>'server', o.secret,
      (c.claim->>'claimId')::uuid, (c.claim->>'leaseMs')::int,
      clock_timestamp() + (c.claim->>'leaseMs')::int * interval '1 millisecond',
      exists (select from events r where r.stream = t.task_id and r.type = 'TaskCancelRequested' and r.revision > c.revision),
      (select r.id from reservations r where r.id = o.expiring)
    from tasks t
    cross join lateral (
      select e.data::jsonb as claim, e.revision from events e where e.stream = t.task_id and e.type = 'TaskClaimed'
      order by e.revision desc limit 1) c
    left join old_leases o on o.token = (c.claim->>'token')::bigint
    where t.state = 'running';

  insert into leases select o.* from old_leases o join reservations r on r.id = o.reservation;

  insert into key_slots (queue, key, running, waiting)
    select t.queue, t.key,
      -- A claim that is still to be recorded has the key of its task, too.
      (array_agg(t.task_id) filter (where t.state = 'running' or c.task_id is not null))[1],
      (array_agg(t.task_id order by t.priority desc, t.seq)
        filter (where t.state in ('pending', 'held') and q.policy->>'duplicatePending' <> 'allow'))[1]
    from tasks t join queues q on q.name = t.queue
    left join leases c on c.task_id = t.task_id and c.reservation is not null
    where t.key is not null and t.state in ('running', 'pending', 'held') group by t.queue, t.key;

  insert into key_failures (queue, key, task_id)
    select queue, key, task_id from tasks where key is not null and state in ('failed', 'undecided');

  -- As waybill_key_blocker says, which looks at rows that are not there yet.
  update key_slots s set ready = (
      select t.task_id from tasks t
      where t.queue = s.queue and t.key = s.key and t.state = 'pending' and coalesce(t.due_at <= clock_timestamp(), true)
        and not exists (
          select from tasks b join queues q on q.name = b.queue
          where b.queue = s.queue and b.key = s.key and b.seq < t.seq and q.policy->>'onKeyFailure' = 'block'
            and (b.state in ('failed', 'undecided') or b.state = 'pending' and b.attempt > 0 and b.due_at > clock_timestamp()))
      order by t.priority desc, t.seq limit 1)
    where s.running is null;

  insert into ready (queue, priority, seq, task_id, since)
    select t.queue, t.priority, t.seq, t.task_id, greatest(coalesce(t.waiting_since, t.enqueued_at), t.due_at) from tasks t
    left join key_slots s on s.queue = t.queue and s.key = t.key
    where t.state = 'pending' and coalesce(t.due_at <= clock_timestamp(), true) and (t.key is null or s.ready = t.task_id);

  insert into waiting (task_id, queue, gate, due_at, key, priority, seq)
    select t.task_id, t.queue,
      case when t.state <> 'pending' then t.state when t.due_at > clock_timestamp() then 'due' else 'key' end,
      t.due_at, t.key, t.priority, t.seq
    from tasks t
    where t.state in ('prepared', 'held', 'undecided')
      or t.state = 'pending' and not exists (
        select from ready r where r.queue = t.queue and r.priority = t.priority and r.seq = t.seq)`;

/** The failures in a row of each queue that counts them. `$1`: the types of events that extend the row, `$2`: those that end it. */
export const COUNT_FAILURES = `
  update queues q set (failure_streak, failure_task) = (
      select count(*), (array_agg(e.stream order by e.position desc))[1] from events e
      where e.type = any($1) and e.data::jsonb->>'queue' = q.name and e.position > coalesce((
        select max(b.position) from events b
        where b.data::jsonb->>'queue' = q.name and b.type = any($2)
          and coalesce(b.data::jsonb->>'verdict', 'succeed') = 'succeed'), 0))
    where q.policy->>'pauseAfterFailures' is not null`;

/** The next token is above `$1`, too. */
export const CONTINUE_TOKENS = `
  select setval('lease_tokens', greatest((select last_value from lease_tokens), $1::bigint))`;
