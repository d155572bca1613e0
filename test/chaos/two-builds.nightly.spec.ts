import type { Waybill, Worker } from '@waybill/client';
import { violationsOf } from '../support/history-checker.js';
import { nextBuild } from '../support/next-build.js';
import { createEmptyDatabase } from '../support/test-database.js';
import { defineQueues, enqueue, startWorker } from './load.js';
import { until } from '../support/until.js';
import { Run } from './run.js';
import { freePort } from './ports.js';
import { type ServiceProcess } from './service-process.js';

/** The answers between two replacements. */
const ANSWERS = process.env.LONG_RUN ? 500 : 10;
const AT_ONCE = 50;

/** The next build has changed functions, a migration that only adds, and a read model whose rows it replaces. */
const MIGRATION = `import { SchemaStep } from './schema-step.js';
export class AddColour1900000000001 extends SchemaStep {
  version = 2;
  oldest = 1;
  sql = 'alter table tasks add column colour text; alter table queues add column colour text';
}`;
const withMigration = (text: string): string =>
  `import { AddColour1900000000001 } from './next.js';\n${text.replace(/\s*\];/, ', AddColour1900000000001];')}`;
const READ_MODEL = 'queue-stats';
const withNewRows = (text: string): string => text.replace('version: 1', 'version: 2');
const comment = (text: string): string => `-- As the next build has it.\n${text}`;

describe('two builds on one database', () => {
  let run: Run;
  let next: string;
  const workers: Worker[] = [];
  beforeAll(async () => {
    // Not a copy of the migrated one, whose search path has the functions of this build.
    run = await Run.open(await createEmptyDatabase());
    next = await nextBuild({
      'infrastructure/postgres-event-store/append.sql': comment,
      [`projections/${READ_MODEL}/${READ_MODEL}.projection.js`]: withNewRows,
      'infrastructure/database/migrations/next.js': () => MIGRATION,
      'infrastructure/database/migrations/migrations.js': withMigration,
    });
  });
  afterAll(async () => {
    await run.close();
    await Promise.all(workers.map((worker) => worker.stop()));
  });

  const startAt = (module: string, port: number): Promise<ServiceProcess> => run.service({ module, port }).ready();

  /** The older build's follower of the read model stops and says so. The newer build's goes on. */
  const leavesItToTheNewer = async (older: ServiceProcess): Promise<void> => {
    const said = `Expected '${READ_MODEL}' version 1 to follow, but version 2 took over. It stopped; nothing else did`;
    await until('the older build to stop following', async () =>
      older.lines.some((line) => line.includes(said)) ? true : null,
    );
    const models = await run.client(older.url).projections();
    expect(models.find(({ name }) => name === READ_MODEL)).toMatchObject({
      version: 2,
      status: 'running',
      error: null,
    });
    expect((await fetch(`${older.url}/healthz/ready`)).status).toBe(200);
  };

  const replace = async (service: ServiceProcess, module: string): Promise<ServiceProcess> => {
    service.signal('SIGTERM');
    expect(await service.ended).toEqual({ code: 0, signal: null });
    return startAt(module, Number(new URL(service.url).port));
  };

  it('serve together while one replaces the other, instance by instance', async () => {
    const previous = 'src/main.ts';
    const ports = [await freePort(), await freePort()];
    const services = await Promise.all(ports.map((port) => startAt(previous, port)));
    const clients = services.map(({ url }) => run.client(url));
    await defineQueues(clients[0]!);
    for (const [at, waybill] of clients.entries())
      workers.push(await startWorker(waybill, { name: `w${at}`, leaseMs: 5_000 }));
    let isOver = false;
    const load = async (waybill: Waybill): Promise<void> => {
      while (!isOver) await enqueue(waybill, AT_ONCE);
    };
    const enqueued = Promise.all(clients.map(load));

    // Both builds, then the old one once more on the new schema, then only the new one.
    services[0] = await replace(services[0]!, next);
    await run.answered('enqueueTasks', ANSWERS);
    await leavesItToTheNewer(services[1]!);
    services[1] = await replace(services[1]!, previous);
    await leavesItToTheNewer(services[1]);
    await run.answered('enqueueTasks', ANSWERS);
    services[1] = await replace(services[1], next);
    await run.answered('enqueueTasks', ANSWERS);

    isOver = true;
    await enqueued;
    await run.settled(120_000);
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    const history = await run.history();
    expect(violationsOf(history)).toEqual([]);
    expect(run.statuses().filter((status) => status >= 500 && status !== 503)).toEqual([]);
    expect(services.map(({ errors }) => errors)).toEqual(['', '']);
    const { rows } = await run.pool.query('select version, oldest from schema_versions order by version');
    expect(rows).toEqual([
      { version: 1, oldest: 1 },
      { version: 2, oldest: 1 },
    ]);
    const { rows: builds } = await run.pool.query('select version from builds order by version');
    expect(builds).toEqual([{ version: 1 }, { version: 2 }]);
  }, 300_000);
});
