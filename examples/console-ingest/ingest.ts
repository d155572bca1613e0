import type { TaskDetails, TaskGraph, Waybill, Worker } from '@waybill/client';
import { continueBatch } from '../batch/continue-batch.js';
import { watchBatch, type WatchOptions } from '../batch/watch-batch.js';
import { type ConsoleFunctions, consoleFunctions, defineQueue, type Folders, planIngest } from './plan.js';

/** An ingest that ended, or that cannot go on by itself. */
export interface Ingested {
  readonly folders: Folders;
  readonly graph: TaskGraph;
  /** By their titles. */
  readonly tasks: ReadonlyMap<string, TaskDetails>;
  /** Whether there was nothing left to do. */
  readonly wasDone: boolean;
}

export interface IngestOptions extends WatchOptions {
  /** Whether this program runs the tasks; true if absent. Otherwise other workers of the queue do, such as a bridge to Celery. */
  readonly works?: boolean;
  /** Called with the titles of the tasks that an earlier run had left stopped, if it had begun. */
  readonly onContinue?: (retried: readonly string[]) => void;
}

/** Plans the ingest, or continues it, and works on it until it ends or a person must repair something. */
export async function ingest(waybill: Waybill, folders: Folders, options: IngestOptions): Promise<Ingested> {
  await defineQueue(waybill);
  const to = consoleFunctions(waybill);
  const { batch, isNew, retried } = await continueBatch(waybill, await planIngest(waybill, to, folders));
  const wasDone = (await batch.get()).state === 'completed';
  if (!isNew && !wasDone) options.onContinue?.(retried);
  options.onLook?.(await batch.graph());
  const worker = options.works === false ? null : await startWorker(waybill, to);
  try {
    const graph = await watchBatch(waybill, batch, options);
    return { folders, graph, tasks: await tasksOf(waybill, batch.id), wasDone };
  } finally {
    await worker?.stop();
  }
}

async function startWorker(waybill: Waybill, to: ConsoleFunctions): Promise<Worker> {
  const worker = waybill.worker({ name: `console-${process.pid}`, concurrency: 3, logger: null }).handle(to.functions);
  await worker.start();
  return worker;
}

async function tasksOf(waybill: Waybill, batch: string): Promise<Ingested['tasks']> {
  const { items } = await waybill.tasks.page({ batch }, { limit: 100 });
  return new Map(
    await Promise.all(items.map(async (one) => [one.reference!, await waybill.task(one.id).get()] as const)),
  );
}
