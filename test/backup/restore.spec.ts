import { createWaybill, type Waybill } from '@waybill/client';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startServer, type Server } from '../../src/bootstrap/server.js';
import { createLog } from '../../src/infrastructure/telemetry/pino-logger.js';
import { checkIndex } from '../../src/maintenance/check-index.js';
import { verifyLog } from '../../src/maintenance/verify-log.js';
import { configFor, type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

/** Runs on an installed Postgres, whose programs dump and restore (`scripts/test-on-postgres.sh`). */
const PROGRAMS = dirname(process.env.PG_DUMP!);

/** What the handbook tells people to type. */
const COMMANDS = Array.from(
  section('Back up and restore').matchAll(/^```sh\n([\s\S]*?)^```$/gm),
  ([, commands]) => commands!,
);

function section(heading: string): string {
  const handbook = readFileSync(join(import.meta.dirname, '../../docs/operations-handbook.md'), 'utf8');
  const text = handbook.slice(handbook.indexOf(`## ${heading}\n`) + 3);
  return text.slice(0, text.indexOf('\n## '));
}

let folder: string;
let service: RunningService;
let restored: Server;
let restoredUrl: string;
let waybill: Waybill;
/** Of before the dump, and of after it. */
let seals: readonly [string, string];

async function type(commands: string): Promise<void> {
  const env = {
    PATH: [PROGRAMS, process.env.PATH].join(delimiter),
    DATABASE_URL: service.databaseUrl,
    SERVER_URL: process.env.DATABASE_URL!,
    RESTORED_URL: restoredUrl,
  };
  await promisify(execFile)('sh', ['-euc', commands], { cwd: folder, env });
}

const sealOf = (of: Waybill, position: string): Promise<string> =>
  until(`a seal of position ${position}`, async () => {
    const { seal } = await of.log.get();
    return seal && BigInt(seal.position) >= BigInt(position) ? seal.note : null;
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-restore-'));
  service = await startService({ notaryDir: join(folder, 'notary') });
  const url = new URL(service.databaseUrl);
  url.pathname = '/waybill_restored';
  restoredUrl = url.href;
});
afterAll(async () => {
  await restored?.stop();
  await service.stop();
  await rm(folder, { recursive: true });
});

const mail = () => waybill.queue('mail');

describe('a dump that was made while the service worked', () => {
  let done: string;
  let waiting: string;
  let running: { taskId: string; token: string };

  it('is restored by the commands of the handbook, and a service starts on it', async () => {
    const before = service.waybill.queue('mail');
    await before.define({ onFailure: 'retry' });
    done = (await before.enqueue({ to: 'ada' })).id;
    const [first] = await before.claim({ worker: 'w1' });
    await service.waybill.settle([{ taskId: done, token: first!.token, verdict: { type: 'succeed', result: 'sent' } }]);
    await before.enqueue({ to: 'bob' });
    running = (await before.claim({ worker: 'w1', leaseMs: 3_600_000 }))[0]!;
    const last = await before.enqueue({ to: 'eve' });
    waiting = last.id;
    const sealed = await sealOf(service.waybill, last.position);

    const [dump, restore] = COMMANDS as [string, string];
    await type(dump);
    const lost = await before.enqueue({ to: 'after the dump' });
    seals = [sealed, await sealOf(service.waybill, lost.position)];
    await type(restore);

    restored = await startServer(configFor(restoredUrl), createLog({ level: 'error', format: 'text' }));
    waybill = createWaybill({ url: restored.url! });
    expect(await waybill.task(done).get()).toMatchObject({ state: 'succeeded', result: 'sent' });
    expect(await waybill.task(running.taskId).get()).toMatchObject({ state: 'running' });
    await expect(waybill.task(lost.id).get()).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
  });

  it('has an index that agrees with its log', async () => {
    expect(await checkIndex({ DATABASE_URL: restoredUrl })).toMatchObject({ rows: 0 });
  });

  it('verifies against the seal of before, and is shorter than that of after', async () => {
    const key = readFileSync(join(folder, 'notary/key.pub'), 'utf8').trim();
    const findings: unknown[] = [];
    const verify = (text: string) =>
      verifyLog(
        { DATABASE_URL: restoredUrl },
        { key, seals: [{ name: 'seal', text }], witnesses: [], onFinding: (finding) => findings.push(finding) },
      );
    expect(await verify(seals[0])).toMatchObject({ findings: 0, seals: 1 });
    expect(await verify(seals[1])).toMatchObject({ findings: 1 });
    expect(JSON.stringify(findings)).toContain('SHORTER');
  });

  it('goes on: the worker reports on what it had, and what waited runs', async () => {
    const { taskId, token } = running;
    await waybill.settle([{ taskId, token, verdict: { type: 'succeed' } }]);
    const worker = waybill.worker({ logger: null }).handle('mail', async (task) => `sent to ${task.payload.to}`);
    await worker.start();
    expect(await waybill.task(waiting).result()).toBe('sent to eve');
    expect(await mail().run({ to: 'zoe' })).toBe('sent to zoe');
    await worker.stop();
    expect(await waybill.task(taskId).get()).toMatchObject({ state: 'succeeded' });
  });
});
