import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ingest } from '../../examples/console-ingest/ingest.js';
import { isDone } from '../../examples/console-ingest/summary.js';
import { type RunningService, startService } from '../support/running-service.js';
import { PYTHON, PYTHON_CLIENT } from './python.js';

const EXAMPLE = join(import.meta.dirname, '../../examples/console-celery');

interface Begun {
  readonly process: ChildProcess;
  readonly by: NodeJS.Signals;
}

let service: RunningService;
let home: string;
const begun: Begun[] = [];

function begin(command: string, args: readonly string[], by: NodeJS.Signals): void {
  const redis = (db: number) => `redis+socket://${join(home, 'redis.sock')}?virtual_host=${db}`;
  const env = {
    ...process.env,
    PYTHONPATH: join(PYTHON_CLIENT, 'src'),
    WAYBILL_URL: service.url,
    CELERY_BROKER: redis(0),
    CELERY_RESULTS: redis(1),
  };
  begun.unshift({ process: spawn(command, args, { cwd: EXAMPLE, env, stdio: 'ignore' }), by });
}

async function end({ process, by }: Begun): Promise<void> {
  const ended = process.exitCode ?? process.signalCode ?? once(process, 'close');
  process.kill(by);
  await ended;
}

beforeAll(async () => {
  service = await startService();
  home = await mkdtemp(join(tmpdir(), 'waybill-console-'));
  const socket = ['--unixsocket', join(home, 'redis.sock'), '--port', '0', '--save', '', '--dir', home];
  begin('redis-server', socket, 'SIGTERM');
  // SIGQUIT ends Celery together with what it executes.
  begin(PYTHON, ['-m', 'celery', '-A', 'console', 'worker', '--concurrency', '2'], 'SIGQUIT');
  begin(PYTHON, ['bridge.py'], 'SIGTERM');
});
afterAll(async () => {
  // The bridge first, and Redis last.
  for (const each of begun) await end(each);
  await service.stop();
  await rm(home, { recursive: true });
});

const { signal } = new AbortController();

it('Celery’s workers find what is wrong, the rest waits, and goes on once it is repaired', async () => {
  const [folder, work] = [join(home, 'broken'), join(home, 'taken')];
  const link = join(work, 'links', 'tape', 'notes.txt');
  await mkdir(folder);
  await mkdir(dirname(link), { recursive: true });
  await writeFile(join(folder, 'notes.txt'), 'one\n');
  await symlink('/elsewhere', link);
  const run = () => ingest(service.waybill, { folder, work }, { signal, works: false });

  const stopped = await run();
  expect(stopped.tasks.get('tape links')).toMatchObject({
    state: 'failed',
    error: { message: `Expected '${link}' to link to '${join(folder, 'notes.txt')}', but it links to '/elsewhere'` },
  });
  expect(stopped.tasks.get('tape ingest')).toMatchObject({ state: 'pending', waitingFor: 'prerequisites' });
  await rm(link);
  expect(isDone(await run())).toBe(true);
});

it('Celery’s workers execute the ingest of the console, as its own worker does', async () => {
  const folder = join(home, 'CAN-4711');
  await mkdir(join(folder, 'sub'), { recursive: true });
  await writeFile(join(folder, 'notes.txt'), 'one\ntwo\n');
  await writeFile(join(folder, 'sub', 'Käse.json'), '{"a": 1}\n');
  const [there, here] = [join(home, 'there'), join(home, 'here')];

  const byCelery = await ingest(service.waybill, { folder, work: there }, { signal, works: false });
  expect([...byCelery.tasks.values()].map(({ state, error, worker }) => [state, error, worker])).toEqual(
    Array.from({ length: 8 }, () => ['succeeded', null, 'celery']),
  );
  expect([...byCelery.tasks.values()].map(({ data }) => data)).toEqual(
    Array.from({ length: 8 }, () => ({ celery: expect.any(String) })),
  );
  expect(await readFile(join(there, 'archive', 'sub', 'Käse.json'), 'utf8')).toBe('{"a": 1}\n');
  expect(await readdir(join(there, 'links'))).toEqual(['proxy']);
  expect(await readlink(join(there, 'links', 'proxy', 'notes.txt'))).toBe(join(folder, 'notes.txt'));
  expect(JSON.parse(await readFile(join(there, 'metadata.json'), 'utf8'))).toMatchObject([
    { path: 'notes.txt', mediaType: 'text/plain' },
    { path: 'sub/Käse.json', mediaType: 'application/json' },
  ]);

  await end(begun.shift()!);
  const file = (work: string) => readFile(join(work, 'assets.json'), 'utf8');
  const byItself = await ingest(service.waybill, { folder, work: here }, { signal });
  expect([isDone(byCelery), isDone(byItself)]).toEqual([true, true]);
  expect(await file(there)).toBe(await file(here));
});
