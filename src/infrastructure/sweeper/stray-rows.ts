import { Injectable, Logger } from '@nestjs/common';
import { isConnectionError } from '../../application/kernel/connection-errors.js';
import { EventStore, EventStoreUnavailable } from '../../application/kernel/event-store.port.js';
import { WakeUps } from '../../application/kernel/wake-ups.port.js';
import type { TaskClaimed } from '../../domain/task/task.events.js';
import { taskIdOf, taskStream } from '../../domain/task/task.stream.js';
import { PostgresPool } from '../database/postgres-pool.js';
import { ComparedTasks } from '../dispatch-index/compared-tasks.js';
import { PostgresQuarantine } from '../dispatch-index/postgres-quarantine.js';
import { FailingItems } from './failing-items.js';
import type { Pass } from './pass.js';

/** Among what the sweeper could not deal with, the items of this name are rows of the index. */
export const MENDING = 'mend the index';

/** How many rows of a kind one statement looks at. */
const ROWS_AT_ONCE = 1_000;

/** How soon the next rows are looked at. */
const REST_MS = 100;

/** Of tasks there are the most, ended ones too. Their pages would push others out of the caches. */
const TASKS_REST_MS = 1_000;

/** A kind of rows that are compared with those of tasks. */
interface Kind {
  readonly name: string;
  readonly table: string;
  /** Its primary key, with types. */
  readonly key: readonly (readonly [column: string, type: string])[];
  /** What is wrong with the row `page.r` of the table, as a query of `problem` and the `tasks` that the row names. No row if nothing is. */
  readonly problem: string;
  /** Mends a row by its primary key, and the tasks that keep what they have. */
  readonly mend: string;
  /** Whether mending also needs the last claim of the task, which may be null. */
  readonly byClaim?: true;
}

const TASKS: Kind = {
  name: 'task',
  table: 'tasks',
  key: [['task_id', 'uuid']],
  // Most tasks have ended. Without the first condition, which comes before the function, a page of them costs six times as much.
  problem: `select p.problem, array[(page.r).task_id] as tasks from waybill_lost_place(page.r) as p(problem)
      where waybill_is_open((page.r).state) and p.problem is not null`,
  mend: 'waybill_mend_task',
  byClaim: true,
};

const NAMING_TASKS: readonly Kind[] = [
  {
    name: 'place',
    table: 'waiting',
    key: [['task_id', 'uuid']],
    problem: `select p.problem, array[(page.r).task_id] as tasks from waybill_waiting_problem(page.r) as p(problem) where p.problem is not null`,
    mend: 'waybill_mend_waiting',
  },
  {
    name: 'lease',
    table: 'leases',
    key: [['id', 'bigint']],
    problem: `select 'no run' as problem, array(select u from unnest((page.r).tasks) as u where not exists (
        select from known_tasks t where t.task_id = u)) as tasks where waybill_is_stray_lease(page.r)`,
    mend: 'waybill_mend_lease',
  },
  {
    name: 'key',
    table: 'key_slots',
    key: [
      ['queue', 'text'],
      ['key', 'text'],
    ],
    problem: `select string_agg(k.place, ', ') as problem, array_remove(array_agg(k.task_id), null) as tasks
      from waybill_key_strays(page.r) k having count(*) > 0`,
    mend: 'waybill_mend_key',
  },
  {
    name: 'failure of a key',
    table: 'key_failures',
    key: [
      ['queue', 'text'],
      ['key', 'text'],
      ['task_id', 'uuid'],
    ],
    problem: `select 'no failure' as problem, array[(page.r).task_id] as tasks where waybill_is_stray_failure(page.r)`,
    mend: 'waybill_mend_failure',
  },
  {
    name: 'failures in a row of the queue',
    table: 'queues',
    key: [['name', 'text']],
    problem: `select 'no failure' as problem, array_remove(array[(page.r).failure_task], null) as tasks where waybill_is_stray_streak(page.r)`,
    mend: 'waybill_mend_streak',
  },
];

/** If the events are in another store, a row is behind its task's history as long as an append is not applied. */
const AT_REST = `select u as id from unnest($1::uuid[]) u where not exists (select from reservations r where r.stream = u)`;

/** The last claim of a task, and the revision of the task's last event then. */
type LastClaim = TaskClaimed['data'] & { readonly revision: number };

/** A row that contradicts those of the tasks that it names. */
interface Stray {
  /** Its primary key. */
  readonly id: readonly string[];
  readonly problem: string;
  readonly tasks: readonly string[];
}

/** Where in its table a look at some rows ended; null at the end of the table. */
type Cursor = readonly string[] | null;

/**
 * Mends rows of the index that name tasks without reason, which would hold a key, a slot under a limit or a queue's end for ever, and
 * tasks without a place in line or a lease, which nobody could claim or expire. No row gets so by itself, but by a repair by hand, a
 * partial restore or a bug. A task whose own row is wrong is put aside, and keeps its key and its place in line. So does one whose row
 * is missing, if its history can be found without the row: in EventStoreDB. In Postgres the row leads to the history, and only a
 * rebuild of the index finds it.
 */
@Injectable()
export class StrayRows {
  /** They reject if a store is unavailable; what concerns one row keeps no other from being mended. */
  readonly passes: readonly Pass[] = [this.pass(NAMING_TASKS, REST_MS), this.pass([TASKS], TASKS_REST_MS)];
  private readonly logger = new Logger('Index');
  private readonly compared: ComparedTasks;

  constructor(
    private readonly pool: PostgresPool,
    private readonly store: EventStore,
    private readonly quarantine: PostgresQuarantine,
    private readonly wakeUps: WakeUps,
    private readonly failing: FailingItems,
  ) {
    this.compared = new ComparedTasks(store, quarantine);
  }

  /** Looks at some rows of each kind at a time. */
  private pass(kinds: readonly Kind[], restMs: number): Pass {
    const cursors = new Map<Kind, Cursor>();
    return {
      restMs,
      next: async () => {
        if (cursors.size === 0) for (const kind of kinds) cursors.set(kind, null);
        for (const [kind, cursor] of cursors) {
          const next = await this.mendAfter(kind, cursor);
          if (next) cursors.set(kind, next);
          else cursors.delete(kind);
        }
        return cursors.size > 0;
      },
    };
  }

  /**
   * Looks at tasks whose rows may be wrong, unless something is being recorded of them: puts aside those that are, and gives the others the
   * place or the lease that they lack. Returns how many.
   */
  async doubt(tasks: readonly string[]): Promise<number> {
    const { rows } = await this.pool.query<{ id: string }>(AT_REST, [tasks]);
    let found = 0;
    for (const { id } of rows) if (await this.mend(TASKS, { id: [id], problem: 'doubted', tasks: [id] })) found++;
    return found;
  }

  private async mendAfter(kind: Kind, cursor: Cursor): Promise<Cursor> {
    const { rows } = await this.pool.query<Page>(pageOf(kind), [cursor, ROWS_AT_ONCE]);
    const { strays, last, count } = rows[0]!;
    for (const stray of strays ?? []) await this.deal(kind, stray);
    return Number(count) === ROWS_AT_ONCE ? last : null;
  }

  private async deal(kind: Kind, stray: Stray): Promise<void> {
    const item = `${kind.name} ${stray.id.join(' ')}`;
    if (this.failing.rests(MENDING, item)) return;
    try {
      await this.mend(kind, stray);
      await this.failing.forget(MENDING, [item]);
    } catch (error) {
      if (isConnectionError(error) || error instanceof EventStoreUnavailable) throw error;
      await this.failing.failed(MENDING, item, error);
    }
  }

  /** Returns whether a task was put aside, or something was mended. */
  private async mend({ name, mend, byClaim }: Kind, { id, problem, tasks }: Stray): Promise<boolean> {
    const wrong = await this.compared.wrong(tasks);
    await this.quarantine.add(wrong);
    const kept = wrong.map(({ stream }) => taskIdOf(stream));
    const values = [...id, kept, ...(byClaim ? [await this.lastClaimOf(tasks[0]!)] : [])];
    const text = `select ${mend}(${values.map((_, at) => `$${at + 1}`).join(', ')}) as queues`;
    const { rows } = await this.pool.query<{ queues: readonly string[] | null }>(text, values);
    const [{ queues }] = rows as [{ queues: readonly string[] | null }];
    if (!queues) return wrong.length > 0;
    const what = `the ${name} ${id.map((part) => `'${part}'`).join(' ')}`;
    this.logger.error(`Mended ${what} of the index, which contradicted its tasks (${problem}): ${tasks.join(', ')}`);
    for (const queue of queues) this.wakeUps.queueReady(queue);
    return true;
  }

  private async lastClaimOf(task: string): Promise<LastClaim | null> {
    const [history] = await this.store.readFirst([taskStream(task)]);
    const claim = history!.findLast(({ event }) => event.type === 'TaskClaimed')?.event as TaskClaimed | undefined;
    return claim ? { ...claim.data, revision: history!.at(-1)!.revision } : null;
  }
}

interface Page {
  readonly strays: readonly Stray[] | null;
  /** The primary key of the last row. */
  readonly last: Cursor;
  readonly count: string;
}

/** Looks at some rows after a cursor; null for the first ones. */
function pageOf({ table, key, problem }: Kind): string {
  const columns = key.map(([column]) => column).join(', ');
  const after = key.map(([, type], at) => `($1::text[])[${at + 1}]::${type}`).join(', ');
  const id = `array[${key.map(([column]) => `(page.r).${column}::text`).join(', ')}]`;
  return `
    with page as materialized (
      select r, row_number() over (order by ${columns}) as at from ${table} r
      where $1::text[] is null or (${columns}) > (${after}) order by ${columns} limit $2)
    select (select count(*) from page) as count, (select ${id} from page order by at desc limit 1) as last,
      (select jsonb_agg(jsonb_build_object('id', ${id}, 'problem', x.problem, 'tasks', x.tasks) order by page.at)
        from page cross join lateral (${problem}) as x) as strays`;
}
