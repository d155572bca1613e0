import {
  type ClaimedTask,
  type NewTask,
  type PolicyChanges,
  type QueueHandle,
  type SettleItem,
  type TaskHandle,
  type Waybill,
} from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import type { PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';
import { jitter } from '../support/jitter.js';
import { attempt, Participants } from './participants.js';

/** Retries without jitter, so that the checker can repeat the decisions. Lost leases never fail a task. */
const PATIENT: PolicyChanges = {
  onFailure: 'retry',
  maxLost: 1_000,
  retry: { maxAttempts: 3, backoff: { kind: 'fixed', baseMs: 20, capMs: 400, jitter: 'none' } },
};

/**
 * One queue per rule that must hold in every race: one running task per key, one waiting, unique references, limits.
 */
const QUEUES: Readonly<Record<string, PolicyChanges>> = {
  'lined-up': { duplicatePending: 'allow' },
  'one-waiting': { duplicatePending: 'refuse', uniqueReference: 'open' },
  limited: { duplicatePending: 'allow', maxRunning: 3, concurrency: { perServer: 2 } },
  labelled: {
    duplicatePending: 'allow',
    needs: {},
    perLabel: { label: 'site', maxRunning: 2, values: [{ value: 'rome', maxRunning: 1 }] },
  },
  paced: {
    duplicatePending: 'allow',
    rate: { starts: 200, perMs: 1_000, burst: 4 },
    perLabel: { label: 'site', rate: { starts: 80, perMs: 1_000, burst: 2 } },
  },
  shared: { duplicatePending: 'allow', fair: { label: 'site', weights: { rome: 3 } } },
  serial: { concurrency: 'serial' },
  gathering: { duplicatePending: 'gather', gather: { quietMs: 5, maxMs: 30, payloads: 'all' } },
};
const NAMES = Object.keys(QUEUES);

/** Few, so that everybody competes with everybody. */
const KEYS = 3;
const REFERENCES = 4;
/** The number at each service. */
const OPERATORS = 3;
const BATCH = 3;
const MOST_OPEN = 60;
const LEASE_MS = 1_000;

export async function defineRaced(waybill: Waybill): Promise<void> {
  for (const name of NAMES) await waybill.queue(name).define({ ...PATIENT, ...QUEUES[name] });
}

const below = (number: number): number => Math.floor(Math.random() * number);
const oneOf = <T>(of: readonly T[]): T => of[below(of.length)]!;
const happens = (share: number): boolean => Math.random() < share;

interface SeenTask {
  readonly id: string;
  readonly state: keyof typeof OPERATIONS;
}

/** Finds the tasks that may still change. */
const SEEN = `select task_id as id, state from tasks where state in ('pending', 'held', 'running', 'failed', 'cancelled')
  order by task_id desc limit 100`;

type Operation = 'prioritise' | 'reschedule' | 'hold' | 'release' | 'cancel' | 'retry' | 'signal' | 'pause';

/** The operator's commands on a task, by the state in which it was last seen. */
const OPERATIONS = {
  pending: ['prioritise', 'prioritise', 'reschedule', 'hold', 'cancel', 'signal'],
  held: ['release', 'release', 'prioritise', 'cancel'],
  running: ['hold', 'cancel'],
  failed: ['retry'],
  cancelled: ['retry'],
} as const satisfies Readonly<Record<string, readonly Operation[]>>;

const EVERY: readonly Operation[] = [...new Set([...Object.values(OPERATIONS).flat(), 'pause' as const])];

/** Claimers, producers and operators. */
export class Race extends Participants {
  private seen: readonly SeenTask[] = [];
  /** The operations that succeeded at least once. */
  private readonly done = new Set<Operation>();

  constructor(
    private readonly services: readonly Waybill[],
    private readonly pool: PostgresPool,
  ) {
    super();
  }

  /** Whether the operators carried out each of their operations. */
  get isRough(): boolean {
    return EVERY.every((operation) => this.done.has(operation));
  }

  start(): void {
    this.whileRacing(() => this.look());
    this.services.forEach((waybill, at) => {
      for (const queue of NAMES) {
        for (const n of [1, 2]) this.untilOver(() => this.claim(waybill, queue, `s${at}`, `w${at}-${n}`));
        this.whileRacing(() => this.produce(waybill, queue));
      }
      for (let n = 0; n < OPERATORS; n++) this.whileRacing(() => this.operate(waybill));
    });
  }

  /** Stops enqueueing and operating, and lets the workers finish the tasks. */
  async calm(): Promise<void> {
    this.phase = 'calm';
    for (const name of NAMES) await attempt(() => this.services[0]!.queue(name).resume());
  }

  /** Reads the tasks for participants that act on tasks of others. */
  private async look(): Promise<void> {
    this.seen = (await this.pool.query<SeenTask>(SEEN)).rows;
    await jitter(40);
  }

  private async produce(waybill: Waybill, queue: string): Promise<void> {
    // What is gathered opens no task, which would end it.
    await jitter(queue === 'gathering' ? 80 : 8);
    const open = this.seen.filter(({ state }) => state !== 'failed' && state !== 'cancelled');
    if (open.length < MOST_OPEN)
      await waybill.queue(queue).enqueueMany(Array.from({ length: BATCH }, () => newTask(queue)));
  }

  private async claim(waybill: Waybill, queue: string, server: string, worker: string): Promise<void> {
    const offered = happens(0.5) && { offers: { gpu: true, server } };
    const request = { worker, server, max: 1 + below(2), waitMs: 100, leaseMs: LEASE_MS, ...offered };
    const claimedTasks = await waybill.queue(queue).claim(request);
    await jitter(8);
    for (const claimedTask of claimedTasks) await attempt(() => this.settle(waybill, claimedTask));
  }

  private async settle(waybill: Waybill, { taskId, token }: ClaimedTask): Promise<void> {
    const isRacing = this.phase === 'racing';
    // Lets the lease expire without a report.
    if (isRacing && happens(0.01)) return;
    const verdict = isRacing ? oneOf(VERDICTS)() : VERDICTS[0]!();
    await waybill.settle([{ taskId, token, verdict }]);
  }

  private async operate(waybill: Waybill): Promise<void> {
    await jitter(8);
    if (happens(0.05)) return this.pauseQueue(waybill.queue(oneOf(NAMES)));
    if (this.seen.length === 0) return;
    const { id, state } = oneOf(this.seen);
    const operation = oneOf<keyof typeof doTo>(OPERATIONS[state]);
    await doTo[operation](waybill.task(id));
    this.done.add(operation);
  }

  private async pauseQueue(queue: QueueHandle): Promise<void> {
    await queue.pause();
    this.done.add('pause');
    await jitter(30);
    await queue.resume();
  }
}

const doTo = {
  prioritise: (task: TaskHandle) => task.prioritise(below(3)),
  reschedule: (task: TaskHandle) => task.reschedule(happens(0.5) ? null : new Date(Date.now() + 30)),
  hold: (task: TaskHandle) => task.hold(),
  release: (task: TaskHandle) => task.release(),
  cancel: (task: TaskHandle) => task.cancel(),
  retry: (task: TaskHandle) => task.retry(),
  signal: (task: TaskHandle) => task.signal('go'),
};

const newTask = (queue: string): NewTask => (queue === 'gathering' ? newSubmission() : newTaskOfItsOwn(queue));

/** Names itself, so that the checker can tell in which task it is. */
function newSubmission(): NewTask {
  const id = uuidv7();
  return {
    id,
    key: `key-${below(KEYS)}`,
    payload: { submission: id },
    ...(happens(0.2) && { gather: { quietMs: 0 } }),
  };
}

const newTaskOfItsOwn = (queue: string): NewTask => ({
  id: uuidv7(),
  priority: below(3),
  ...(happens(0.8) && { key: `key-${below(KEYS)}` }),
  ...(happens(0.8) && { labels: { site: oneOf(['paris', 'rome']) } }),
  ...(queue === 'labelled' && happens(0.3) && { needs: { gpu: true } }),
  ...(happens(0.3) && { reference: `reference-${below(REFERENCES)}` }),
});

const VERDICTS: readonly (() => SettleItem['verdict'])[] = [
  ...[1, 2, 3, 4].map(() => () => ({ type: 'succeed' as const })),
  () => ({ type: 'return' }),
  // Each for another signal, so that none has ended.
  () => ({ type: 'wait', signal: `never-${++waits}`, number: 1, timeoutMs: 20 }),
  () => ({ type: 'fail', error: { message: 'not now', class: 'transient' } }),
];
let waits = 0;
