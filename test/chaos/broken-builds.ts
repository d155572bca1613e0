import { erased } from '../support/erased.js';
import { type ClaimedTask, type Waybill, WaybillError } from '@waybill/client';
import type { PolicyChanges } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { type Invariant, violationsOf } from '../support/history-checker.js';
import { until } from '../support/until.js';
import { MONTHLY } from './occurrences-at-once.js';
import { Run } from './run.js';

export interface Broken {
  /** The name in `broken-service.ts`. */
  readonly breaks: string;
  /** Conditions in the database must be broken there too. */
  readonly sql?: string;
  readonly policy?: PolicyChanges;
  readonly play: (queue: string, waybill: Waybill, run: Run) => Promise<void>;
  /** What this build does by itself after that. */
  readonly afterwards?: (queue: string, waybill: Waybill, run: Run) => Promise<void>;
  /** What the database loses at the end. */
  readonly loses?: string;
  /** Whether it seals the log. */
  readonly seals?: true;
  /** The tasks whose payloads the play erases. */
  readonly erases?: readonly string[];
  readonly finds: readonly Invariant[];
}

/** Rows of the table return as soon as they are deleted. */
const undeletable = (table: string, changed = 'old.*'): string => `
  create function come_back() returns trigger language plpgsql as $$
    begin insert into ${table} select ${changed}; return null; end $$;
  create trigger come_back after delete on ${table} for each row execute function come_back()`;

/** A task's row keeps the token and the lease of its run. */
const ENDLESS_RUNS = `
  create function run_on() returns trigger language plpgsql as $$
    begin new.token := coalesce(new.token, old.token); new.lease := coalesce(new.lease, old.lease); return new; end $$;
  create trigger run_on before update on tasks for each row execute function run_on()`;

/** A trigger on the rows of a table, which runs before they are written. */
const before = (what: 'insert' | 'update' | 'insert or update', table: string, body: string): string => `
  create function break_${table}() returns trigger language plpgsql as $$ begin ${body} end $$;
  create trigger break_it before ${what} on ${table} for each row execute function break_${table}()`;

/** Whatever waits for other tasks or for its batch is ready at once. */
const NOTHING_BLOCKS = before(
  'insert',
  'waiting',
  `if new.gate <> 'blocked' then return new; end if;
   insert into ready (queue, priority, from_seq, to_seq, task_id, since)
     values (new.queue, new.priority, new.place, new.place, new.task_id, now());
   return null;`,
);

const ERASED = uuidv7();
const ERASED_LABELS = uuidv7();

/** The real service gives out nothing beyond the limit. */
function ifFull(error: unknown): ClaimedTask[] {
  if ((error as { code?: string }).code !== 'QUEUE_FULL') throw error;
  return [];
}

async function workOff(waybill: Waybill, queue: string): Promise<void> {
  for (;;) {
    const claimedTasks = await waybill.queue(queue).claim({ worker: 'w3', max: 1, waitMs: 0 });
    if (claimedTasks.length === 0) return;
    await waybill.settle(claimedTasks.map(succeed));
  }
}

const succeed = ({ taskId, token }: ClaimedTask) => ({ taskId, token, verdict: { type: 'succeed' } as const });

const claim = (waybill: Waybill, queue: string, worker: string): Promise<ClaimedTask[]> =>
  waybill.queue(queue).claim({ worker, max: 10 });

/** Steps, holds and resources. */
const GATES: readonly Broken[] = [
  {
    breaks: 'begins with the last step',
    policy: { steps: ['cut', 'glue'] },
    play: async (queue, waybill) => {
      await waybill.queue(queue).enqueueMany([{ id: uuidv7() }]);
      const [task] = await claim(waybill, queue, 'w');
      const { taskId, token } = task!;
      await waybill.settle([{ taskId, token, verdict: { type: 'completeStep', step: 'cut', then: 'continue' } }]);
      await waybill.settle([succeed(task!)]);
    },
    finds: ['I19', 'I7'],
  },
  {
    breaks: 'gives out what a hold catches',
    sql: before('insert or update', 'holds', 'new.label := null; return new;'),
    play: async (queue, waybill) => {
      const [id, labels] = [uuidv7(), { of: queue }];
      await waybill.holds.place(queue, labels);
      await waybill.queue(queue).enqueueMany([{ id, labels }]);
      await workOff(waybill, queue);
      await waybill.holds.lift(queue);
      // The real service has held it.
      await waybill.task(id).release().catch(refused);
      await workOff(waybill, queue);
    },
    finds: ['I20'],
  },
  {
    breaks: 'gives out what is short of a resource',
    sql: before('insert or update', 'gauges', 'new.value := 0; return new;'),
    play: async (queue, waybill) => {
      await waybill.resources.define(queue);
      const needs = [{ resource: queue, below: 80 }];
      await waybill.queue(queue).define({ steps: [{ name: 'store', needs }] }, { replace: true });
      await waybill.resources.measure(queue, 90);
      await waybill.queue(queue).enqueueMany([{ id: uuidv7() }]);
      await workOff(waybill, queue);
      // The real service still has it.
      await waybill.queue(queue).define({ steps: ['store'] }, { replace: true });
      await workOff(waybill, queue);
    },
    finds: ['I21'],
  },
];

function refused(error: unknown): void {
  if (!(error instanceof WaybillError)) throw error;
}

export const BUILDS: readonly Broken[] = [
  {
    breaks: 'answers before the commit',
    play: async (queue, waybill) => {
      for (let n = 0; n < 4; n++) await waybill.queue(queue).enqueueMany([{ id: uuidv7() }, { id: uuidv7() }]);
      await waybill.settle((await claim(waybill, queue, 'w1')).map(succeed));
    },
    finds: ['I1', 'I4'],
  },
  {
    breaks: 'completes again',
    sql: `${undeletable('leases')}; ${ENDLESS_RUNS}`,
    play: async (queue, waybill) => {
      await waybill.queue(queue).enqueueMany([{ id: uuidv7() }]);
      const items = (await claim(waybill, queue, 'w1')).map(succeed);
      await waybill.settle(items);
      await waybill.settle(items);
    },
    finds: ['I1', 'I4', 'I7'],
  },
  {
    breaks: 'gives out twice',
    // As a returned task: of a new one, the claim reads only its first event, and would be refused by the revision.
    sql: undeletable(
      'ready',
      'old.queue, old.priority, old.from_seq, old.to_seq, coalesce(old.task_id, (select task_id from tasks where seq = old.from_seq)), old.step, now()',
    ),
    play: async (queue, waybill) => {
      await waybill.queue(queue).enqueueMany([{ id: uuidv7(), key: 'k' }]);
      const claimedTasks = [...(await claim(waybill, queue, 'w1')), ...(await claim(waybill, queue, 'w2'))];
      await waybill.settle(claimedTasks.map(succeed));
    },
    finds: ['I3', 'I7'],
  },
  {
    breaks: 'enqueues a copy',
    play: async (queue, waybill) => {
      await waybill.queue(queue).enqueueMany([{ id: uuidv7() }]);
      await workOff(waybill, queue);
    },
    finds: ['I2'],
  },
  {
    breaks: 'forgets that a key runs',
    sql: before('insert or update', 'key_slots', 'new.running := null; return new;'),
    policy: { duplicatePending: 'allow' },
    play: async (queue, waybill) => {
      await waybill.queue(queue).enqueueMany([{ id: uuidv7(), key: 'k' }]);
      const first = await claim(waybill, queue, 'w1');
      await waybill.queue(queue).enqueueMany([{ id: uuidv7(), key: 'k' }]);
      const second = await waybill.queue(queue).claim({ worker: 'w2', max: 1, waitMs: 0 });
      await waybill.settle([...first, ...second].map(succeed));
      await workOff(waybill, queue);
    },
    finds: ['I5'],
  },
  {
    breaks: 'forgets what runs',
    policy: { maxRunning: 1 },
    play: async (queue, waybill) => {
      await waybill.queue(queue).enqueueMany([{ id: uuidv7() }, { id: uuidv7() }]);
      const claimedTasks: ClaimedTask[] = [];
      for (const worker of ['w1', 'w2'])
        claimedTasks.push(...(await waybill.queue(queue).claim({ worker, max: 1, waitMs: 0 }).catch(ifFull)));
      await waybill.settle(claimedTasks.map(succeed));
      await workOff(waybill, queue);
    },
    finds: ['I6'],
  },
  {
    breaks: 'forgets what started',
    policy: { rate: { starts: 1, perMs: 3_600_000, burst: 1 } },
    sql: before('insert', 'paces', 'return null;'),
    play: async (queue, waybill) => {
      await waybill.queue(queue).enqueueMany([{ id: uuidv7() }, { id: uuidv7() }]);
      await workOff(waybill, queue);
    },
    finds: ['I6'],
  },
  {
    breaks: 'miscounts attempts',
    play: async (queue, waybill) => {
      await waybill.queue(queue).enqueueMany([{ id: uuidv7() }]);
      await workOff(waybill, queue);
    },
    finds: ['I7'],
  },
  {
    breaks: 'forgets successes in statistics',
    play: async (queue, waybill) => {
      await waybill.queue(queue).enqueueMany([{ id: uuidv7() }]);
      await workOff(waybill, queue);
    },
    finds: ['I8'],
  },
  {
    breaks: 'loses the end of its log',
    play: async (queue, waybill) => {
      await waybill.queue(queue).enqueueMany([{ id: uuidv7() }]);
      await workOff(waybill, queue);
    },
    loses: 'delete from segments where position = (select max(position) from segments)',
    finds: ['I1', 'I4', 'I8', 'I9'],
  },
  {
    breaks: 'forgets idempotency keys',
    sql: before('insert', 'idempotency_keys', 'return null;'),
    play: async (queue, waybill) => {
      const id = uuidv7();
      await waybill.queue(queue).enqueueMany([{ id }]);
      for (let n = 0; n < 2; n++) await waybill.task(id).prioritise(5, { idempotencyKey: `again ${id}` });
      await workOff(waybill, queue);
    },
    finds: ['I10'],
  },
  {
    breaks: 'fires an occurrence again',
    // Far from now, but due at once in this build.
    sql: before('insert or update', 'triggers', 'new.retry_at := now(); return new;'),
    play: async (queue, waybill) => {
      await waybill.trigger(queue).define({ cron: '0 0 1 1 *', timeZone: 'UTC', task: { queue } });
    },
    afterwards: async (queue, waybill, run) => {
      const task = await until('the trigger to fire twice', async () => {
        const { rows } = await run.pool.query<{ task: string }>(
          'select last_task as task from triggers where name = $1 and revision >= 2',
          [queue],
        );
        return rows[0]?.task ?? null;
      });
      await waybill.trigger(queue).disable();
      await waybill.task(task).abort();
    },
    finds: ['I11'],
  },
  {
    breaks: 'forgets an occurrence',
    play: async (queue, waybill, run) => {
      await waybill.trigger(queue).define({ ...MONTHLY, task: { queue } });
      await run.triggersFired();
      await workOff(waybill, queue);
    },
    finds: ['I11', 'I2'],
  },
  ...['loses an event that a trigger waits for', 'fires for an event again'].map((breaks): Broken => ({
    breaks,
    play: async (queue, waybill, run) => {
      const event = { types: ['TaskSucceeded' as const], queue };
      await waybill.queue(`${queue}-told`).define();
      await waybill.trigger(queue).define({ event, task: { queue: `${queue}-told` } });
      await waybill.queue(queue).enqueueMany([{ id: uuidv7() }]);
      await workOff(waybill, queue);
      await run.caughtUp();
      await workOff(waybill, `${queue}-told`);
    },
    finds: ['I11'],
  })),
  {
    breaks: 'erases only the row',
    sql: before('update', 'segments', 'return null;'),
    play: async (queue, waybill) => {
      await waybill.queue(queue).enqueueMany([{ id: ERASED, payload: { name: 'Ann' } }]);
      await workOff(waybill, queue);
      await erased(waybill, { task: ERASED });
    },
    erases: [ERASED],
    finds: ['I12', 'I24'],
  },
  {
    breaks: 'erases only the log',
    sql: before('update', 'tasks', 'new.labels := old.labels; return new;'),
    play: async (queue, waybill) => {
      await waybill.queue(queue).enqueueMany([{ id: ERASED_LABELS, labels: { customer: 'Ann' } }]);
      await workOff(waybill, queue);
      await erased(waybill, { task: ERASED_LABELS });
    },
    erases: [ERASED_LABELS],
    finds: ['I24', 'I8'],
  },
  {
    breaks: 'forgets what a task waits for',
    sql: NOTHING_BLOCKS,
    play: async (queue, waybill) => {
      const first = uuidv7();
      await waybill.queue(queue).enqueueMany([{ id: first }]);
      await waybill.queue(queue).enqueueMany([{ id: uuidv7(), priority: 1, after: [{ task: first }] }]);
      await workOff(waybill, queue);
    },
    finds: ['I13'],
  },
  {
    breaks: 'forgets that a batch is not open',
    sql: NOTHING_BLOCKS,
    play: async (queue, waybill) => {
      const batch = await waybill.planBatch({ name: queue }).create();
      await waybill.queue(queue).enqueueMany([{ id: uuidv7(), batch: batch.id }]);
      await workOff(waybill, queue);
      await batch.open(1);
      await workOff(waybill, queue);
    },
    afterwards: (_, __, run) => run.settled(),
    finds: ['I14'],
  },
  {
    breaks: 'reports a failed task of a batch as complete',
    sql: before('update', 'batches', 'new.succeeded := new.succeeded + new.failed; new.failed := 0; return new;'),
    play: async (queue, waybill) => {
      const batch = await waybill.planBatch({ name: queue }).create();
      await waybill.queue(queue).enqueueMany([{ id: uuidv7(), batch: batch.id }]);
      await batch.open(1);
      const [task] = await waybill.queue(queue).claim({ worker: 'w' });
      const { taskId, token } = task!;
      const error = { message: 'no', class: 'business' } as const;
      await waybill.settle([{ taskId, token, verdict: { type: 'fail', error } }]);
    },
    afterwards: (_, __, run) => run.settled(),
    finds: ['I14'],
  },
  {
    breaks: 'claims low priorities first',
    sql: before('insert', 'ready', 'new.priority := -new.priority; return new;'),
    play: async (queue, waybill) => {
      await waybill.queue(queue).enqueueMany([0, 1, 5].map((priority) => ({ id: uuidv7(), priority })));
      await workOff(waybill, queue);
    },
    finds: ['I15'],
  },
  {
    breaks: 'answers from an older state',
    play: async (queue, waybill) => {
      const [task] = await waybill.queue(queue).enqueueMany([{ id: uuidv7() }]);
      await waybill.queue(queue).stats({ minPosition: (task as { position: string }).position });
      await workOff(waybill, queue);
    },
    finds: ['I16'],
  },
  {
    breaks: 'shows the present as the past',
    play: async (queue, waybill) => {
      const [task] = await waybill.queue(queue).enqueueMany([{ id: uuidv7() }]);
      const { id, position } = task as { id: string; position: string };
      await workOff(waybill, queue);
      await waybill.asOf(position).task(id).get();
      await waybill.asOf(position).queue(queue).tally();
    },
    finds: ['I23'],
  },
  {
    breaks: 'seals what it did not store',
    seals: true,
    play: async (queue, waybill) => {
      await waybill.queue(queue).enqueueMany([{ id: uuidv7() }]);
      await workOff(waybill, queue);
      await until('a seal', async () => (await waybill.log.get()).seal);
    },
    finds: ['I25'],
  },
  {
    breaks: 'leaves an item of a job alone',
    play: async (queue, waybill) => {
      const robots = `${queue}-robots`;
      await waybill.queue(robots).define();
      const trigger = waybill.trigger(queue);
      await trigger.define({ queue, batchSize: 2, every: 86_400, task: { queue: robots } });
      await trigger.disable();
      await waybill.queue(queue).enqueueMany([{ id: uuidv7() }, { id: uuidv7() }]);
      await trigger.fire();
      const [job] = await claim(waybill, robots, 'w1');
      await waybill.settle([...job!.items!, job!].map(succeed));
    },
    finds: ['I17'],
  },
  {
    breaks: 'delivers twice in one attempt',
    play: async (_, waybill, run) => {
      const { url } = await run.webhooks();
      await waybill.deliver({ webhook: { url, secret: 'run', type: 'com.example.counted', data: 1 } });
      await run.settled();
    },
    finds: ['I18'],
  },
  {
    breaks: 'expires tasks too early',
    sql: before('insert', 'tasks', 'if new.expires_at is not null then new.alarm_at := now(); end if; return new;'),
    play: async (queue, waybill, run) => {
      await waybill.queue(queue).enqueueMany([{ id: uuidv7(), ttlMs: 3_600_000 }]);
      const passed = 'select 1 from tasks where alarm_at <= now()';
      await until('nothing to be due', async () => ((await run.pool.query(passed)).rows.length === 0 ? true : null));
      await workOff(waybill, queue);
    },
    finds: ['I22'],
  },
  ...GATES,
];

/** The invariants that the same few requests break: to a build that breaks a promise, or to the unchanged service. */
export async function invariantsBroken(run: Run, builds: readonly Broken[]): Promise<Invariant[]> {
  const waybill = run.client();
  for (const { breaks, policy, play } of builds) {
    const queue = breaks.replaceAll(' ', '-');
    await waybill.queue(queue).define(policy);
    await play(queue, waybill, run);
  }
  const [{ breaks, afterwards, loses }, ...others] = builds as [Broken, ...Broken[]];
  if (others.length === 0) await afterwards?.(breaks.replaceAll(' ', '-'), waybill, run);
  await run.caughtUp();
  if (others.length === 0 && loses !== undefined) await run.pool.query(loses);
  const erased = builds.flatMap(({ erases = [] }) => erases);
  const found = violationsOf({ ...(await run.history()), erased });
  return [...new Set(found.map(({ invariant }) => invariant))].sort();
}

/** The same of a build alone, whose service it starts. */
export async function brokenBy(run: Run, build: Broken): Promise<Invariant[]> {
  if (build.sql !== undefined) await run.pool.query(build.sql);
  const env = { BREAKS: build.breaks, ...(build.seals && (await run.sealing())) };
  await run.service({ module: 'test/chaos/broken-service.ts', env }).ready();
  return invariantsBroken(run, [build]);
}
