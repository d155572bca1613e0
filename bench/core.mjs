// In-process lifecycles on the embedded Postgres: enqueue, claim, succeed, in batches, with every event durable.
//   npm run bench:core -- [--tasks 50000] [--batch 500] [--lanes 4] [--repeat 3] [--json]
import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { mkdtempSync, chmodSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { EnqueueTasksHandler, EnqueueTasks } from '../dist/application/tasks/enqueue-tasks.handler.js';
import { SettleTasksHandler, SettleTasks } from '../dist/application/claims/settle-tasks.handler.js';
import { DeciderRunner } from '../dist/application/kernel/decider-runner.js';
import { QueueDirectory } from '../dist/application/kernel/queue-directory.js';
import { DEFAULT_POLICY } from '../dist/domain/queue/queue.policy.js';
import { ClaimRepeats } from '../dist/infrastructure/dispatch/claim-repeats.js';
import { ClaimTransaction } from '../dist/infrastructure/dispatch/claim-transaction.js';
import { PostgresClaimDesk } from '../dist/infrastructure/dispatch/postgres-claim-desk.js';
import { PostgresIdempotencyKeys } from '../dist/infrastructure/dispatch/postgres-idempotency-keys.js';
import { startEmbeddedPostgres } from '../dist/infrastructure/embedded-postgres/embedded-postgres.js';
import { PostgresEventStore } from '../dist/infrastructure/event-store/postgres/postgres-event-store.js';
import { LocalWakeUps } from '../dist/infrastructure/notify/local-wake-ups.js';
import { migrate } from '../dist/infrastructure/persistence/data-source.js';
import { DatabaseClock } from '../dist/infrastructure/persistence/database-clock.js';
import { PostgresPool } from '../dist/infrastructure/persistence/postgres-pool.js';

const { values: options } = parseArgs({
  options: {
    tasks: { type: 'string', default: '50000' },
    batch: { type: 'string', default: '500' },
    lanes: { type: 'string', default: '4' },
    repeat: { type: 'string', default: '3' },
    keyed: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const tasks = Number(options.tasks);
const batch = Number(options.batch);
const context = { actor: 'bench', correlationId: 'bench' };

async function open(url) {
  await migrate(url);
  const pool = new PostgresPool({ url, size: 10 });
  const wakeUps = new LocalWakeUps();
  const store = new PostgresEventStore(pool, wakeUps);
  const clock = new DatabaseClock(pool);
  await clock.sample();
  const directory = new QueueDirectory(store);
  const runner = new DeciderRunner(store);
  const repeats = new ClaimRepeats(pool, store);
  const transaction = new ClaimTransaction(pool, store, directory, runner, repeats, wakeUps, clock);
  return {
    pool,
    store,
    enqueue: new EnqueueTasksHandler(runner, clock, directory, new PostgresIdempotencyKeys(pool)),
    desk: new PostgresClaimDesk(transaction, wakeUps),
    settle: new SettleTasksHandler(runner, clock, directory),
  };
}

/** Runs `work(index)` for every index, several at a time: some prepare their batches while the database stores others'. */
async function severalAtATime(count, work) {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Number(options.lanes) }, lane));
}

async function rate(count, work) {
  const start = performance.now();
  await work();
  return Math.round(count / ((performance.now() - start) / 1000));
}

async function measure(system, queue) {
  const definition = { queue, description: '', policy: DEFAULT_POLICY, policyVersion: 1 };
  const event = { type: 'QueueDefined', version: 1, data: definition };
  await system.store.append([
    { stream: `queue-${queue}`, expected: -1, events: [{ id: uuidv7(), event, envelope: context }] },
  ]);
  const payload = { file: 'a/file/name.txt', size: 123_456, tags: ['one', 'two', 'three'], note: 'x'.repeat(100) };
  const statements = { enqueue: 0, drain: 0 };
  let phase = 'enqueue';
  const deaf = system.pool.onStatement(() => statements[phase]++);
  const batches = Math.ceil(tasks / batch);
  const enqueue = await rate(tasks, () =>
    severalAtATime(batches, async (at) => {
      const items = Array.from({ length: batch }, (_, i) => ({
        taskId: uuidv7(),
        queue,
        kind: 'task',
        payload,
        ...(options.keyed && { key: `${at}/${i}` }),
      }));
      const outcomes = await system.enqueue.execute(new EnqueueTasks(items, context));
      if (outcomes.some(({ kind }) => kind !== 'done'))
        throw new Error(JSON.stringify(outcomes.find(({ kind }) => kind !== 'done')));
    }),
  );
  phase = 'drain';
  let done = 0;
  const drain = await rate(tasks, () =>
    severalAtATime(batches, async () => {
      const grants = await system.desk.claim({
        queue,
        worker: 'w',
        server: 's',
        max: batch,
        waitMs: 1000,
        leaseMs: null,
        claimId: uuidv7(),
        signal: new AbortController().signal,
        context,
      });
      const verdict = { type: 'succeed' };
      const outcomes = await system.settle.execute(
        new SettleTasks(
          grants.map(({ taskId, token }) => ({ taskId, token, verdict })),
          context,
        ),
      );
      done += outcomes.filter(({ kind }) => kind === 'done').length;
    }),
  );
  deaf();
  if (done !== batches * batch) throw new Error(`Expected ${batches * batch} tasks to succeed, but ${done} did`);
  const lifecycle = Math.round(1 / (1 / enqueue + 1 / drain));
  return {
    enqueue,
    drain,
    lifecycle,
    statementsPerBatch: { enqueue: statements.enqueue / batches, drain: statements.drain / batches },
  };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const dataDir = mkdtempSync(join(tmpdir(), 'waybill-bench-'));
chmodSync(dataDir, 0o755);
const postgres = process.env.DATABASE_URL ? null : await startEmbeddedPostgres({ dataDir, log: () => undefined });
const system = await open(process.env.DATABASE_URL ?? postgres.url);
try {
  const runs = [];
  for (let at = 0; at < Number(options.repeat); at++) {
    runs.push(await measure(system, `bench-${uuidv7()}`));
    if (!options.json) console.log(`run ${at + 1}`, runs.at(-1));
  }
  const result = Object.fromEntries(
    ['enqueue', 'drain', 'lifecycle'].map((name) => [name, median(runs.map((run) => run[name]))]),
  );
  if (options.json) console.log(JSON.stringify({ tasks, batch, unit: 'tasks per second', ...result, runs }));
  else console.log(`median of ${runs.length}, ${tasks} tasks in batches of ${batch}, tasks per second:`, result);
} finally {
  await system.pool.end();
  await postgres?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
