import { createWaybill, type QueueHandle, type QueueStats, type Waybill } from '@waybill/client';
import { once } from 'node:events';
import { Catalogue } from '../archive-ingest/catalogue.js';
import { defineQueue, QUEUE } from '../archive-ingest/queue.js';
import { ingest, type Progress } from './ingest.js';
import type { DemoOptions } from './options.js';
import { nextSteps, report } from './report.js';
import { Screen } from './screen.js';
import { demoConfig, type Service, startService } from './service.js';
import { stopSignal } from './stop-signal.js';
import { summarise, type Summary } from './summary.js';
import { wipe } from './wipe.js';
import { WorkerProcesses } from './workers.js';

/** Service and workers, one pass over the folder, and their end: at once with `--once`, otherwise on Ctrl-C. */
export async function demo(options: DemoOptions, env: NodeJS.ProcessEnv): Promise<number> {
  const signal = stopSignal();
  const screen = new Screen(options.json ? process.stderr : process.stdout, env);
  const config = demoConfig(env, options.port);
  screen.title('Waybill', 'archive ingest: every file a task, every task with its history');
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
    if (signal.aborted)
      screen.block('  Stopping: what the workers hold goes back to the queue. Ctrl-C again ends at once.\n');
    await service.stop();
  }
}

function tellStart(screen: Screen, { url, embeddedIn }: Service, { port }: DemoOptions): void {
  const kept = embeddedIn === null ? 'the one that DATABASE_URL names' : `embedded, in ${embeddedIn}`;
  const moved = port !== 0 && !url.endsWith(`:${port}`) ? `, because port ${port} is taken` : '';
  screen.step('Postgres', kept);
  screen.step('Service', `${url}${moved}: API, projector, reactor, sweeper, relay`);
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
  const waybill = createWaybill({ url: service.url, actor: 'demo' });
  // Before the workers begin: an interrupted run may have left them something to do.
  const start = await takeStock(waybill, catalogue);
  const workers = await WorkerProcesses.start(options.workers, service);
  try {
    screen.step('Workers', workers.processes.map(({ name, child }) => `${name} (process ${child.pid})`).join(', '));
    screen.step('Folder', options.dir);
    const ended = await Promise.race([ingestFolder(scene, waybill.queue(QUEUE), start), workers.failure()]);
    const workerBytes = await workers.peakBytes();
    const run = { folder: options.dir, url: service.url, workerBytes, ...start, ...ended };
    tellEnd(scene, await summarise(waybill, catalogue, run));
    if (!options.once) await Promise.race([once(signal, 'abort'), workers.failure()]);
  } finally {
    await workers.stop();
  }
}

interface Start {
  /** By the database's clock. */
  readonly since: string;
  readonly before: QueueStats;
}

async function takeStock(waybill: Waybill, catalogue: Catalogue): Promise<Start> {
  const queue = waybill.queue(QUEUE);
  await defineQueue(queue);
  const [{ head: minPosition } = { head: '0' }] = await waybill.projections();
  return { since: await catalogue.now(), before: await queue.stats({ minPosition }) };
}

async function ingestFolder({ options, screen, signal, dataDir }: Scene, queue: QueueHandle, { before }: Start) {
  const view = screen.progress();
  const started = performance.now();
  try {
    const onProgress = (progress: Progress) => view.show(progress);
    const ingested = await ingest(queue, before, { dir: options.dir, except: dataDir, signal, onProgress });
    return { ingested, seconds: (performance.now() - started) / 1_000 };
  } finally {
    view.end();
  }
}

function tellEnd({ options, service, screen }: Scene, summary: Summary): void {
  screen.block(report(summary, screen.paint, screen.width));
  if (options.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
  screen.block(nextSteps(service.url, screen.paint, screen.width, !options.once));
}
