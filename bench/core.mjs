// In-process lifecycles on the embedded Postgres: enqueue, claim, succeed, in batches, with every event durable.
//   npm run --silent bench:core -- [--tasks 50000] [--batch 500] [--lanes 4] [--repeat 3] [--json]
import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { mkdtempSync, chmodSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { NestFactory } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import { ClaimTasks } from '../dist/application/claims/claim-tasks.handler.js';
import { SettleTasks } from '../dist/application/claims/settle-tasks.handler.js';
import { DefineQueue } from '../dist/application/queues/define-queue.handler.js';
import { EnqueueTasks } from '../dist/application/tasks/enqueue-tasks.handler.js';
import { CoreModule } from '../dist/bootstrap/core.module.js';
import { FUNCTIONS } from '../dist/bootstrap/functions.js';
import { startEmbeddedPostgres } from '../dist/infrastructure/embedded-postgres/embedded-postgres.js';
import { migrate } from '../dist/infrastructure/database/data-source.js';
import { DatabaseClock } from '../dist/infrastructure/database/database-clock.js';
import { PostgresPool } from '../dist/infrastructure/database/postgres-pool.js';
import { cpuBetween, cpuTimes } from './measure/cpu.mjs';

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
const signal = new AbortController().signal;
const claimant = { worker: 'w', server: 's', waitMs: 1_000, leaseMs: null };
const verdict = { type: 'succeed' };

/** The use cases on the database, without API, reactions and read models. */
async function open(url) {
  await migrate(url, FUNCTIONS);
  const core = await CoreModule.for({ databaseUrl: url, poolSize: 10, roles: [] });
  const application = await NestFactory.createApplicationContext(core, { logger: ['error'] });
  await application.get(DatabaseClock).start();
  return {
    pool: application.get(PostgresPool),
    execute: (command) => application.get(CommandBus).execute(command),
    close: () => application.close(),
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
  await system.execute(new DefineQueue(queue, '', {}, context));
  const payload = { file: 'a/file/name.txt', size: 123_456, tags: ['one', 'two', 'three'], note: 'x'.repeat(100) };
  const statements = { enqueue: 0, drain: 0 };
  let phase = 'enqueue';
  const deaf = system.pool.onStatement(() => statements[phase]++);
  const batches = Math.ceil(tasks / batch);
  const before = await cpuTimes(system.pool);
  const enqueue = await rate(tasks, () =>
    severalAtATime(batches, async (at) => {
      const items = Array.from({ length: batch }, (_, i) => ({
        taskId: uuidv7(),
        queue,
        kind: 'task',
        payload,
        ...(options.keyed && { key: `${at}/${i}` }),
      }));
      const outcomes = await system.execute(new EnqueueTasks(items, context));
      if (outcomes.some(({ kind }) => kind !== 'done'))
        throw new Error(JSON.stringify(outcomes.find(({ kind }) => kind !== 'done')));
    }),
  );
  phase = 'drain';
  let done = 0;
  const drain = await rate(tasks, () =>
    severalAtATime(batches, async () => {
      const claim = new ClaimTasks({ queue, ...claimant, max: batch, claimId: uuidv7(), signal, context });
      const { tasks: claimedTasks } = await system.execute(claim);
      const items = claimedTasks.map(({ taskId, token }) => ({ taskId, token, verdict }));
      const outcomes = await system.execute(new SettleTasks(items, context));
      done += outcomes.filter(({ kind }) => kind === 'done').length;
    }),
  );
  deaf();
  const used = before && cpuBetween(before, await cpuTimes(system.pool));
  if (done !== batches * batch) throw new Error(`Expected ${batches * batch} tasks to succeed, but ${done} did`);
  const lifecycle = Math.round(1 / (1 / enqueue + 1 / drain));
  return {
    enqueue,
    drain,
    lifecycle,
    ...(used && { node: perTask(used.node), postgres: perTask(used.postgres) }),
    statementsPerBatch: { enqueue: statements.enqueue / batches, drain: statements.drain / batches },
  };
}

/** Microseconds, to a tenth. */
const perTask = (microseconds) => Math.round((microseconds / tasks) * 10) / 10;

/** Tasks per second, and microseconds of processor time a task. */
const NAMES = ['enqueue', 'drain', 'lifecycle', 'node', 'postgres'];

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
    NAMES.filter((name) => name in runs[0]).map((name) => [name, median(runs.map((run) => run[name]))]),
  );
  if (options.json) console.log(JSON.stringify({ tasks, batch, unit: 'tasks per second', ...result, runs }));
  else
    console.log(
      `median of ${runs.length}, ${tasks} tasks in batches of ${batch}, tasks per second, and microseconds of processor time a task:`,
      result,
    );
} finally {
  await system.close();
  await postgres?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
