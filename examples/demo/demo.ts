import { createWaybill, type QueueStats, type Waybill } from '@waybill/client';
import { once } from 'node:events';
import { Catalogue } from '../archive-ingest/catalogue.js';
import { defineQueue, QUEUE } from '../archive-ingest/queue.js';
import { breakVault, defineVault, incidentText, repaired, repairedText } from './incident.js';
import { ingest } from './ingest.js';
import { Office } from './office.js';
import type { DemoOptions } from './options.js';
import { ARCHIVE_QUEUES } from './queues/archive-queues.js';
import { VAULT } from './queues/vault.js';
import { nextSteps, report } from './report.js';
import { Screen } from './screen.js';
import { demoConfig, type Service, startService } from './service.js';
import { stopSignal } from './stop-signal.js';
import { summarise, type Summary } from './summary.js';
import { wipe } from './wipe.js';
import { ARCHIVIST, CLERK, WorkerProcesses } from './workers.js';

/**
 * Starts the service and the workers, processes the folder once, and stops: at once with `--once`, otherwise on Ctrl-C.
 */
export async function demo(options: DemoOptions, env: NodeJS.ProcessEnv): Promise<number> {
  const signal = stopSignal();
  const screen = new Screen(options.json ? process.stderr : process.stdout, env);
  const config = demoConfig(env, options.port);
  screen.title('Waybill', 'an archive at work: every file a task, every task with its history');
  if (options.fresh) await wipe(config);
  const service = await startService(config);
  try {
    signal.throwIfAborted();
    tellStart(screen, service, options);
    await play({ options, service, screen, signal, dataDir: config.dataDir });
    return 0;
  } catch (error) {
    if (!signal.aborted) throw error;
    return 130;
  } finally {
    if (signal.aborted) screen.block('  Stopping: what the workers hold goes back. Ctrl-C again ends at once.\n');
    await service.stop();
  }
}

function tellStart(screen: Screen, { url, embeddedIn }: Service, { port }: DemoOptions): void {
  const kept = embeddedIn === null ? 'the one that DATABASE_URL names' : `embedded, in ${embeddedIn}`;
  const moved = port !== 0 && !url.endsWith(`:${port}`) ? `, because port ${port} is taken` : '';
  screen.step('Postgres', kept);
  screen.step('Service', `${url}${moved}`);
  screen.step('Dashboard', screen.paint.cyan(`${url}/dashboard/`));
}

interface Scene {
  readonly options: DemoOptions;
  readonly service: Service;
  readonly screen: Screen;
  readonly signal: AbortSignal;
  readonly dataDir: string;
}

async function play(scene: Scene): Promise<void> {
  const catalogue = new Catalogue(scene.service.databaseUrl);
  try {
    await catalogue.prepare();
    await withWorkers(scene, catalogue);
  } finally {
    await catalogue.close();
  }
}

async function withWorkers(scene: Scene, catalogue: Catalogue): Promise<void> {
  const { options, service, screen, signal } = scene;
  // What an earlier run left waits under the same keys, which is what they are for.
  const waybill = createWaybill({ url: service.url, actor: 'demo', logger: null });
  // Counted before the workers start, because an interrupted run may have left tasks.
  const start = await takeStock(waybill, catalogue);
  screen.step('Queues', [QUEUE, ...ARCHIVE_QUEUES.map(({ name }) => name)].join(', '));
  const archivists = await WorkerProcesses.start(ARCHIVIST, options.workers, service);
  const clerks = await WorkerProcesses.start(CLERK, 1, service).catch((error) => stopping(archivists, error));
  const failure = Promise.race([archivists.failure(), clerks.failure()]);
  try {
    tellWorkers(screen, [archivists, clerks]);
    screen.step('Folder', options.dir);
    const ended = await Promise.race([work(scene, waybill, start), failure]);
    const workerBytes = await archivists.peakBytes();
    const run = { folder: options.dir, url: service.url, workerBytes, ...start, ...ended };
    tellEnd(scene, await summarise(waybill, catalogue, run));
    if (options.incident) await Promise.race([incident(scene, waybill), failure]);
    if (!options.once && !signal.aborted) await Promise.race([once(signal, 'abort'), failure]);
  } finally {
    await Promise.all([archivists.stop(), clerks.stop()]);
  }
}

async function incident({ service, screen, signal }: Scene, waybill: Waybill): Promise<void> {
  await defineVault(waybill);
  const worker = waybill
    .worker({ name: 'uploader-1', concurrency: 12, logger: null })
    .handle(VAULT.name, VAULT.handler());
  await worker.start();
  try {
    const broken = await breakVault(waybill, service.url);
    screen.block(incidentText(broken, service.url, screen.paint));
    const ms = await repaired(waybill, broken, signal);
    if (!signal.aborted) screen.block(repairedText(ms, broken, screen.paint));
  } finally {
    await worker.stop();
  }
}

async function stopping(workers: WorkerProcesses, error: unknown): Promise<never> {
  await workers.stop();
  throw error;
}

function tellWorkers(screen: Screen, kinds: readonly WorkerProcesses[]): void {
  const processes = kinds.flatMap((workers) => workers.processes);
  screen.step('Workers', processes.map(({ name, child }) => `${name} (${child.pid})`).join(', '));
}

interface Start {
  /** By the database's clock. */
  readonly since: string;
  readonly before: QueueStats;
  readonly office: Office;
}

async function takeStock(waybill: Waybill, catalogue: Catalogue): Promise<Start> {
  const queue = waybill.queue(QUEUE);
  await defineQueue(queue);
  await Office.define(waybill);
  const [{ head: minPosition } = { head: '0' }] = await waybill.projections();
  const office = await Office.open(waybill, minPosition);
  return { since: await catalogue.now(), before: await queue.stats({ minPosition }), office };
}

/** Processes the files of the folder, and what the other queues do with them. */
async function work({ options, screen, signal, dataDir }: Scene, waybill: Waybill, { before, office }: Start) {
  const view = screen.progress();
  const started = performance.now();
  try {
    await office.begin();
    const ingested = await ingest(waybill.queue(QUEUE), before, {
      dir: options.dir,
      except: dataDir,
      signal,
      onProgress: (progress) => view.show(progress),
      onFiles: (paths) => office.handInFor(paths),
      beside: () => office.words(),
    });
    const seconds = (performance.now() - started) / 1_000;
    await office.settled(signal, (beside) => view.show({ ...ingested, scanning: false, beside }));
    return { ingested, seconds };
  } finally {
    view.end();
  }
}

function tellEnd({ options, service, screen }: Scene, summary: Summary): void {
  screen.block(report(summary, screen.paint, screen.width));
  if (options.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
  screen.block(nextSteps(service.url, screen.paint, screen.width, !options.once));
}
