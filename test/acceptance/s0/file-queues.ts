import { expect } from '@jest/globals';
import type {
  EnqueueOptions,
  EnqueueResult,
  ErrorClass,
  ClaimedTask,
  PolicyChanges,
  QueueHandle,
  Receipt,
  SettleVerdict,
  TaskDetails,
  TaskSummary,
  Waybill,
} from '@waybill/client';
import { WaybillError } from '@waybill/client';

/** The archive's queues: an entry is a file to ingest or to export. */
export const INGEST: PolicyChanges = {
  kinds: ['IngestQueueEntry'],
  keyRequired: true,
  duplicatePending: 'return-existing',
  onFailure: 'fail',
  clearFailuresOnSuccess: true,
  onCancel: 'fail',
};

export const FIRST_RETRY_MS = 60_000;

export const EXPORT: PolicyChanges = {
  ...INGEST,
  kinds: ['ExportQueueEntry'],
  onFailure: 'retry',
  retry: {
    maxAttempts: 3,
    classes: ['transient'],
    backoff: { kind: 'exponential', baseMs: FIRST_RETRY_MS, factor: 2, jitter: 'none' },
  },
};

/** The flags that the archive's table would have for an entry: (in progress, failed). */
export type Flags = '(F,F)' | '(T,F)' | '(T,T)' | '(F,T)';

/** How long a claim waits for a task that certainly arrives. */
const PATIENCE_MS = 60_000;

let made = 0;

/** A new queue of files. Every test creates its own, so that no test finds another's entries. */
export async function makeQueue(waybill: Waybill, name: string, policy: PolicyChanges): Promise<FileQueue> {
  const handle = waybill.queue(`${name}-${++made}`);
  await handle.define(policy);
  return new FileQueue(waybill, handle);
}

export const makeIngest = (waybill: Waybill): Promise<FileQueue> => makeQueue(waybill, 'ingest', INGEST);
export const makeExport = (waybill: Waybill): Promise<FileQueue> => makeQueue(waybill, 'export', EXPORT);

/** The operations of the archive's programs on one of its queues. */
export class FileQueue {
  constructor(
    readonly waybill: Waybill,
    readonly handle: QueueHandle,
  ) {}

  get name(): string {
    return this.handle.name;
  }

  add(file: string, { payload, ...options }: EnqueueOptions & { payload?: unknown } = {}): Promise<EnqueueResult> {
    return this.handle.enqueue(payload, { ...options, key: file });
  }

  /** The task that a worker gets now; null if there is none. */
  async claim(worker = 'w1', leaseMs?: number): Promise<ClaimedTask | null> {
    const [claimedTask] = await this.handle.claim({ worker, ...(leaseMs !== undefined && { leaseMs }) });
    return claimedTask ?? null;
  }

  /** Like `claim`, if there must be a task. */
  async take(worker?: string, leaseMs?: number): Promise<ClaimedTask> {
    const claimedTask = await this.claim(worker, leaseMs);
    if (!claimedTask)
      throw new Error(`Expected queue '${this.name}' to give out an entry, but it has nothing to select`);
    return claimedTask;
  }

  /** The task that a waiting worker gets. */
  async wait(worker = 'patient'): Promise<ClaimedTask | null> {
    const [claimedTask] = await this.handle.claim({ worker, waitMs: PATIENCE_MS });
    return claimedTask ?? null;
  }

  /** Throws the refusal. */
  async settle({ taskId, token }: ClaimedTask, verdict: SettleVerdict): Promise<Receipt & { state: string }> {
    const [result] = await this.waybill.settle([{ taskId, token, verdict }]);
    if ('problem' in result!) throw new WaybillError(result.problem);
    return result!;
  }

  succeed(claimedTask: ClaimedTask, how: { result?: unknown; noChange?: boolean } = {}) {
    return this.settle(claimedTask, { type: 'succeed', ...how });
  }

  fail(claimedTask: ClaimedTask, message: string, errorClass: ErrorClass = 'business') {
    return this.settle(claimedTask, { type: 'fail', error: { message, class: errorClass } });
  }

  /** Reports an error of a worker that continues. */
  report(claimedTask: ClaimedTask, message: string) {
    return this.settle(claimedTask, { type: 'reportError', error: { message, class: 'business' } });
  }

  /** Adds an entry that is processed at once and fails. */
  async addFailed(file: string, message = 'broken header'): Promise<string> {
    const { id } = await this.add(file);
    await this.fail(await this.takeOnly(id), message);
    return id;
  }

  /** Adds an entry that a worker processes. */
  async addRunning(file: string): Promise<ClaimedTask> {
    return this.takeOnly((await this.add(file)).id);
  }

  get(id: string): Promise<TaskDetails> {
    return this.waybill.task(id).get();
  }

  async failed(): Promise<TaskSummary[]> {
    return collect(this.handle.failed());
  }

  /** The flags of every entry of the file on the queue, by the entry's id. */
  async entriesOf(file: string): Promise<Record<string, Flags>> {
    const tasks = await collect(this.waybill.tasks.list({ queue: this.name, key: file }));
    return Object.fromEntries(
      tasks.flatMap((task) => {
        const flags = flagsOf(task);
        return flags ? [[task.id, flags]] : [];
      }),
    );
  }

  async flags(id: string): Promise<Flags | null> {
    return flagsOf(await this.get(id));
  }

  private async takeOnly(id: string): Promise<ClaimedTask> {
    const claimedTask = await this.take();
    expect(claimedTask.taskId).toBe(id);
    return claimedTask;
  }
}

/** Null if the entry has left the queue. */
export function flagsOf({ state, error }: Pick<TaskSummary, 'state' | 'error'>): Flags | null {
  switch (state) {
    case 'pending':
      return '(F,F)';
    case 'running':
      return error === null ? '(T,F)' : '(T,T)';
    case 'failed':
      return '(F,T)';
    case 'succeeded':
    case 'superseded':
      return null;
    default:
      throw new Error(`Expected a state that the archive's queues know, but got '${state}'`);
  }
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export { refusalOf } from '../refusal.js';
