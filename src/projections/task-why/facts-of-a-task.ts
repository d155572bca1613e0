import type { ShownFailure } from '../kernel/shown-failure.js';
import { type QueuePolicy, TAKEOVER_GRACE_MS, wholePolicy } from '../../domain/queue/queue.policy.js';
import type { WorkerLabels } from '../../domain/kernel/worker-labels.js';
import { openTasksOf } from '../kernel/open-tasks.js';
import { asked, lastAskedAt, offered, served } from '../kernel/attendance.js';
import { failingTarget } from '../kernel/failing-targets.js';
import { type Blocker, type Facts } from './why.js';

export type Past = Pick<Facts, 'reason' | 'retry' | 'signal' | 'gathering'>;

export const NO_PAST: Past = { reason: null, retry: null, signal: null, gathering: null };

/** What `FACTS` reads. */
export interface Row extends Pick<
  Facts,
  'state' | 'run' | 'key' | 'quarantined' | 'hold' | 'drain' | 'labels' | 'paced' | 'running'
> {
  readonly turnsBefore: number | null;
  readonly queue: string;
  readonly revision: number;
  readonly due_at: Date | null;
  readonly gate: string | null;
  readonly blockers: number;
  readonly first_blockers: readonly Blocker[];
  readonly key_occupant: string | null;
  readonly key_blocker: Facts['keyBlocker'];
  readonly withheld: string | null;
  readonly policy: QueuePolicy;
  readonly failure_streak: number;
  readonly short_of: Facts['shortOf'];
  readonly failing_target: Facts['failingTarget'];
  readonly pause_by: string;
  readonly pause_reason: string | null;
  readonly pause_until: Date | null;
  readonly pause_failure: ShownFailure | null;
  readonly awaited: readonly string[];
  readonly lease_over: Facts['leaseOver'];
  readonly rank: string | null;
  readonly kind: string;
  readonly step: string | null;
  readonly last_asked_at: Date | null;
  readonly asked: boolean;
  readonly offered: boolean;
  readonly needed: WorkerLabels | null;
  readonly served: boolean;
}

const FIRST_BLOCKERS = 20;
const TAKEOVER_GRACE = `interval '${TAKEOVER_GRACE_MS} milliseconds'`;

/** Reads the rows that a claim reads and applies the functions that a claim applies. */
export const FACTS = `
  select t.queue, t.kind, t.step, t.revision, t.state, t.key, t.due_at, case when t.state = 'running' then jsonb_build_object('worker', t.worker, 'since', t.started_at, 'ranMs', greatest(0, floor(extract(epoch from now() - t.started_at) * 1000)), 'until', t.run_until) end as run, waybill_withheld(q) as withheld, q.policy, q.failure_streak, q.pause_by, q.pause_reason, q.pause_until,
    case when q.pause_failure is not null then q.pause_failure || jsonb_build_object('message', (select f.error from known_tasks f where f.task_id = (q.pause_failure->>'taskId')::uuid)) end as pause_failure, (select jsonb_build_object('by', s.begun_by, 'reason', s.reason) from system s where s.draining) as drain,
    case when t.state = 'pending' and (q.policy->>'holdsCatch' is distinct from 'first-claim' or t.attempt = 0 and not t.entered)
        or t.hold is not null then waybill_held_problem(t.labels) - array['kind', 'constraint'] end as hold,
    (select coalesce(jsonb_agg(jsonb_build_object('resource', n.resource, 'below', n.below, 'value', waybill_level(n.resource),
          'measuredAt', (select g.measured_at from gauges g where g.resource = n.resource),
          'never', n.below <= 0 and exists (select from resources r where r.name = n.resource and r.unit = '%'))
        order by n.resource, n.below), '[]') from waybill_needs(q.needs) n
      where t.state = 'pending' and n.step = t.step and (waybill_level(n.resource) is null or waybill_level(n.resource) >= n.below)) as short_of,
    ${failingTarget('t')} as failing_target,
    coalesce(w.blockers, 0) as blockers,
    (select coalesce(jsonb_agg(jsonb_build_object('id', b.needs, 'state', waybill_prerequisite_state(b.needs), 'open', ${openTasksOf('b.needs')})), '[]') from (
       select p.needs from prerequisites p where p.task_id = t.task_id and not p.closed and w.blockers > 0 limit ${FIRST_BLOCKERS}) as b) as first_blockers,
    (select jsonb_build_object('reason', a.error, 'position', a.position::text, 'at', a.since, 'until', case when not a.parked then a.retry_at end)
       from quarantined a where a.task_id = t.task_id) as quarantined,
    case when w.gate in ('key', 'blocked') or w.gate = 'due' and w.due_at > now() then w.gate end as gate,
    (select nullif(coalesce(s.running, s.ready), t.task_id) from key_slots s where s.queue = t.queue and s.key = t.key) as key_occupant,
    (select jsonb_build_object('taskId', b.task_id, 'state', b.state) from waybill_key_blocker(t.queue, t.key) b
       where b.seq < t.seq) as key_blocker,
    (select coalesce(jsonb_agg(n.name), '[]') from jsonb_array_elements_text(q.policy->'waitsFor') as n(name)
       left join queues a on a.name = n.name where a.status is distinct from 'finished') as awaited,
    (select coalesce(jsonb_agg(jsonb_build_object('taskId', l.task_id, 'worker', l.worker, 'server', l.server)
          || case when q.lane_label is null then '{}' else jsonb_build_object('labels', (select r.labels from tasks r where r.task_id = l.task_id)) end order by l.token), '[]')
       from task_leases l where l.queue = t.queue and (q.policy->>'maxRunning' is not null or q.policy->>'concurrency' <> 'unlimited' or q.lane_label is not null)) as running,
    case when q.lane_label is not null then t.labels end as labels, case when q.paced and t.state = 'pending' then waybill_paced_until(q, t.labels) else '[]' end as paced,
    (select jsonb_strip_nulls(jsonb_build_object('taskId', nullif(l.task_id, t.task_id), 'worker', l.worker)) || jsonb_build_object('since', l.deadline,
          'until', case when q.policy->>'concurrency' = 'serial' and (select count(*) from task_leases o where o.queue = l.queue) = 1
            and not exists (select from quarantined a where a.task_id = l.task_id) then l.deadline + ${TAKEOVER_GRACE} end)
       from task_leases l where l.queue = t.queue and l.deadline <= now() and l.reservation is null
         and case t.state when 'running' then l.task_id = t.task_id when 'pending' then q.policy->>'concurrency' = 'serial' end
       order by l.deadline limit 1) as lease_over,
    f.turns as "turnsBefore", coalesce(f.turns + 1, (select case when count(*) > 0 then least(sum(before.tasks), 10000) end from (
       select case when r.priority = t.priority then least(r.to_seq, coalesce(t.place, t.seq)) else r.to_seq end - r.from_seq + 1 as tasks from ready r
       where r.queue = t.queue and (r.priority, -r.from_seq) >= (t.priority, -coalesce(t.place, t.seq)) and waybill_is_ready(t.queue, t.priority, coalesce(t.place, t.seq))
       order by r.priority desc, r.from_seq limit 10000) as before)) as rank,
    ${lastAskedAt('t')} as last_asked_at, ${asked('t')} as asked, ${offered('t', 'q')} as offered, ${served('t', 'q')} as served,
    waybill_needed(q, t.needs) as needed
  from known_tasks t join queues q on q.name = t.queue left join waiting w on w.task_id = t.task_id left join lateral (select waybill_turns_before(q, o, 9999) as turns from tasks o where o.task_id = t.task_id and q.fair_label is not null and o.state = 'pending' and waybill_is_ready(o.queue, o.priority, coalesce(o.place, o.seq))) f on true
  where t.task_id = $1`;

function lackingIn(row: Row): Facts['workers']['lacking'] {
  if (!row.asked) return { step: row.step };
  if (!row.offered) return { needs: row.needed! };
  return row.served ? null : { kind: row.kind };
}

export const factsOf = (row: Row, past: Past): Facts => ({
  ...past,
  state: row.state,
  dueAt: row.due_at?.toISOString() ?? null,
  run: row.run && {
    worker: row.run.worker,
    since: new Date(row.run.since).toISOString(),
    ranMs: row.run.ranMs,
    until: row.run.until && new Date(row.run.until).toISOString(),
  },
  key: row.key,
  gate: row.gate,
  quarantined: row.quarantined && {
    ...row.quarantined,
    at: new Date(row.quarantined.at).toISOString(),
    until: row.quarantined.until && new Date(row.quarantined.until).toISOString(),
  },
  blockers: { count: row.blockers, first: row.first_blockers },
  keyOccupant: row.key_occupant,
  keyBlocker: row.key_blocker,
  hold: row.hold,
  shortOf: row.short_of.map((need) => ({
    ...need,
    measuredAt: need.measuredAt && new Date(need.measuredAt).toISOString(),
  })),
  drain: row.drain,
  failingTarget: row.failing_target && {
    ...row.failing_target,
    until: new Date(row.failing_target.until).toISOString(),
  },
  queue: {
    withheld: row.withheld,
    policy: wholePolicy(row.policy),
    failureStreak: row.failure_streak,
    pause: {
      by: row.pause_by,
      reason: row.pause_reason,
      until: row.pause_until?.toISOString() ?? null,
      failure: row.pause_failure,
    },
    awaited: row.awaited,
  },
  workers: {
    lastPolledAt: row.last_asked_at?.toISOString() ?? null,
    lacking: lackingIn(row),
  },
  labels: row.labels,
  paced: row.paced.map((rate) => ({ ...rate, until: new Date(rate.until).toISOString() })),
  turnsBefore: row.turnsBefore,
  running: row.running,
  leaseOver: row.lease_over && {
    ...row.lease_over,
    since: new Date(row.lease_over.since).toISOString(),
    until: row.lease_over.until && new Date(row.lease_over.until).toISOString(),
  },
});
