import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource, type EntityManager } from 'typeorm';
import type { Drain } from '../../domain/system/system.events.js';
import type { TaskStatus } from '../../domain/task/task.events.js';
import { inOneSnapshot } from '../kernel/one-snapshot.js';
import { type FailingTarget, failingTargetsIn } from '../kernel/failing-targets.js';
import { isInternal } from '../kernel/internal-queues.js';
import { EventStoreVersion } from './event-store-version.port.js';
import { type EventPutAside, eventsPutAsideIn } from './events-put-aside.queries.js';
import { lastSweepSecondsOf, type Leader, leadersIn } from './leaders.queries.js';

export interface DrainView extends Drain {
  readonly by: string;
  readonly reason: string | null;
  readonly since: string;
  /** Since when nothing runs any more; null while tasks still run. */
  readonly quiescedAt: string | null;
}

export interface SystemView {
  readonly state: 'running' | 'draining';
  /** Null unless the system drains. */
  readonly drain: DrainView | null;
  /** The number of tasks that run, and of the service's own among them. */
  readonly running: number;
  readonly runningInternal?: number;
  /** The number of tasks that shutdowns stopped and that are not resumed, and of the service's own among them. */
  readonly stopped: number;
  readonly stoppedInternal?: number;
  /** The number of those that wait for their key since. */
  readonly notResumed: number;
  /** The number of tasks whose histories cannot be read, and the first of them. */
  readonly quarantined: number;
  readonly quarantinedTasks: readonly QuarantinedTask[];
  /** The number of things that the sweeper could not deal with, and tries again. */
  readonly failingItems: number;
  /** The number of rows of the index that contradicted the log or each other, and were mended. */
  readonly mendedRows: number;
  /** How often a follower of a log in EventStoreDB missed events of a stream, which were then read there. */
  readonly skippedEvents: number;
  /** How often it got an event again, which was left out. */
  readonly doubledEvents: number;
  /** The number of rows of the outbox whose tasks were refused. They stay until somebody deals with them. */
  readonly refusedOutboxRows: number;
  /** The number of triggers whose last occurrence, look or event made no task. */
  readonly failingTriggers: number;
  /** The number of occurrences that triggers left out since they were defined, as their `missed` says. */
  readonly skippedOccurrences: number;
  /** The number of targets of deliveries that failed often in a row, and those that did so last. */
  readonly failingTargets: number;
  readonly firstFailingTargets: readonly FailingTarget[];
  /** The number of events that reactions and triggers could not deal with, or that wait for such a one, and the first. */
  readonly eventsPutAside: number;
  readonly firstEventsPutAside: readonly EventPutAside[];
  /** How many seconds ago any process swept last; null if none ever did. */
  readonly lastSweepSeconds: number | null;
  readonly leaders: readonly Leader[];
  /** The version of the event store outside the database; null if the events are in the database. */
  readonly eventStoreVersion: string | null;
}

/** A task whose history this build cannot read. */
export interface QuarantinedTask {
  readonly taskId: string;
  /** Null if the task has no row, because its first event cannot be read. */
  readonly queue: string | null;
  readonly state: TaskStatus | null;
  /** The position of the event that cannot be read; null if it is not known. */
  readonly position: string | null;
  readonly reason: string;
  readonly since: string;
  /** When it is read again; null if that is when a service starts. */
  readonly until: string | null;
}

export class GetSystem extends Query<SystemView> {}

interface Row {
  readonly draining: boolean | null;
  readonly intake: Drain['intake'];
  readonly running: Drain['running'];
  readonly reason: string | null;
  readonly begun_by: string;
  readonly begun_at: Date;
  readonly quiesced_at: Date | null;
  readonly tasks: string;
  readonly own_tasks: string;
  readonly stopped: string;
  readonly own_stopped: string;
  readonly not_resumed: string;
  readonly quarantined: string;
  readonly failing: string;
  readonly mended: string;
  readonly gaps: { readonly skipped?: number; readonly doubled?: number };
  readonly failing_triggers: string;
  readonly skipped: string;
  readonly failing_targets: string;
  readonly put_aside: string;
  readonly refused: string;
}

interface QuarantinedRow extends Omit<QuarantinedTask, 'since' | 'until'> {
  readonly since: Date;
  readonly until: Date | null;
}

const FIRST_QUARANTINED = 100;

const QUARANTINED = `
  select a.task_id as "taskId", t.queue, t.state, a.position, a.error as reason, a.since,
    case when not a.parked then a.retry_at end as until
  from quarantined a left join tasks t on t.task_id = a.task_id order by a.since, a.task_id limit ${FIRST_QUARANTINED}`;

@QueryHandler(GetSystem)
export class GetSystemHandler implements IQueryHandler<GetSystem> {
  constructor(
    private readonly db: DataSource,
    private readonly eventStore: EventStoreVersion,
  ) {}

  async execute(): Promise<SystemView> {
    const { version: eventStoreVersion } = this.eventStore;
    return { ...(await inOneSnapshot(this.db, systemIn)), eventStoreVersion };
  }
}

async function systemIn(db: EntityManager): Promise<Omit<SystemView, 'eventStoreVersion'>> {
  const [row] = await db.query<[Row]>(
    `select s.*, runs.*, stops.*,
         (select count(*) from tasks t where t.stopped and s.resume and t.position < s.position
            and waybill_unique_problem(t.task_id, t.queue, null, t.key) is not null) as not_resumed,
         (select count(*) from quarantined) as quarantined, (select count(*) from failing_items) as failing,
         (select coalesce(sum(mended), 0) from mended_rows) as mended,
         (select coalesce(jsonb_object_agg(kind, gaps), '{}') from log_gaps) as gaps,
         (select count(*) from triggers where failures > 0) as failing_triggers,
         (select coalesce(sum((skipped->>'total')::bigint), 0) from triggers where state <> 'deleted') as skipped,
         (select count(*) from delivery_targets where failing) as failing_targets,
         (select count(*) from events_put_aside) as put_aside,
         (select count(*) from waybill_outbox where refusal is not null) as refused
       from (select coalesce(sum(open), 0) as tasks,
           coalesce(sum(open) filter (where ${isInternal('queue')}), 0) as own_tasks from leases) runs
         cross join (select count(*) as stopped,
           count(*) filter (where ${isInternal('queue')}) as own_stopped from tasks where stopped) stops
         left join system s on true`,
  );
  const { intake, running, reason, begun_by: by, begun_at: begun } = row;
  const quiescedAt = row.quiesced_at?.toISOString() ?? null;
  const drain = row.draining ? { intake, running, reason, by, since: begun.toISOString(), quiescedAt } : null;
  const quarantined = Number(row.quarantined);
  const quarantinedTasks = quarantined > 0 ? await quarantinedTasksIn(db) : [];
  const failingTargets = Number(row.failing_targets);
  const eventsPutAside = Number(row.put_aside);
  const leaders = await leadersIn(db);
  return {
    state: drain ? 'draining' : 'running',
    drain,
    running: Number(row.tasks),
    runningInternal: Number(row.own_tasks),
    stopped: Number(row.stopped),
    stoppedInternal: Number(row.own_stopped),
    notResumed: Number(row.not_resumed),
    quarantined,
    quarantinedTasks,
    failingItems: Number(row.failing),
    refusedOutboxRows: Number(row.refused),
    mendedRows: Number(row.mended),
    skippedEvents: row.gaps.skipped ?? 0,
    doubledEvents: row.gaps.doubled ?? 0,
    failingTriggers: Number(row.failing_triggers),
    skippedOccurrences: Number(row.skipped),
    failingTargets,
    firstFailingTargets: failingTargets > 0 ? await failingTargetsIn(db) : [],
    eventsPutAside,
    firstEventsPutAside: eventsPutAside > 0 ? await eventsPutAsideIn(db) : [],
    lastSweepSeconds: lastSweepSecondsOf(leaders),
    leaders,
  };
}

async function quarantinedTasksIn(db: EntityManager): Promise<readonly QuarantinedTask[]> {
  const rows = await db.query<QuarantinedRow[]>(QUARANTINED);
  return rows.map((row) => ({ ...row, since: row.since.toISOString(), until: row.until?.toISOString() ?? null }));
}
