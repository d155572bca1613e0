import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';

/** The rules of the tested queue. Everything else has its default. */
export interface Rules {
  readonly duplicatePending: 'return-existing' | 'allow';
  /** Only if tasks line up: whether a failed task, or one that waits for its retry, blocks later ones with its key. */
  readonly blocks: boolean;
  readonly maxRunning: number | null;
  readonly concurrency: 'unlimited' | 'serial' | { readonly perServer: number };
  readonly onFailure: 'fail' | 'retry';
}

export interface ToldTask {
  readonly id: string;
  readonly key: string | null;
  status: 'pending' | 'held' | 'running' | 'failed' | 'over';
  priority: number;
  /** Due in an hour. */
  later: boolean;
  attempt: number;
  server: string;
}

type Data = Readonly<Record<string, unknown>>;

/**
 * A queue according to its events in the plainest form: a list of tasks that is searched from the start each time. It
 * has no reservations, leases, slots or index, and shares no code with the service.
 */
export class ToldQueue {
  /** In the order in which they arrived. */
  readonly tasks: ToldTask[] = [];
  paused = false;
  maxRunning: number | null;

  constructor(readonly rules: Rules) {
    this.maxRunning = rules.maxRunning;
  }

  get running(): readonly ToldTask[] {
    return this.tasks.filter(({ status }) => status === 'running');
  }

  task(id: string): ToldTask | undefined {
    return this.tasks.find((task) => task.id === id);
  }

  /** Applies the events of one append. Returns the rules that do not hold afterwards. */
  take(events: readonly RecordedEvent[]): string[] {
    const broken = events.flatMap(({ stream, event }) =>
      this.takeOne(stream.replace(/^task-/, ''), event.type, event.data as Data),
    );
    return [...broken, ...this.crowded('running', ['running']), ...this.crowded('waiting', ['pending', 'held'])];
  }

  /** The tasks that may be given out now, in claim order, while these are being claimed. */
  offered(inHands: ReadonlySet<string>): string[] {
    const isTaken = ({ id, status }: ToldTask): boolean => status === 'running' || inHands.has(id);
    const takenKeys = new Set(this.tasks.filter(isTaken).map(({ key }) => key));
    const open = this.inOrder.filter(
      (task) => task.status === 'pending' && !task.later && !isTaken(task) && !this.isBlocked(task),
    );
    return open
      .filter(({ id, key }) => key === null || (!takenKeys.has(key) && open.find((one) => one.key === key)!.id === id))
      .map(({ id }) => id);
  }

  private get inOrder(): ToldTask[] {
    return this.tasks.toSorted((a, b) => b.priority - a.priority);
  }

  private isBlocked(task: ToldTask): boolean {
    if (!this.rules.blocks || task.key === null) return false;
    const before = this.tasks.slice(0, this.tasks.indexOf(task)).filter(({ key }) => key === task.key);
    return before.some(
      ({ status, later, attempt }) => status === 'failed' || (status === 'pending' && later && attempt > 0),
    );
  }

  private crowded(what: string, statuses: readonly ToldTask['status'][]): string[] {
    if (what === 'waiting' && this.rules.duplicatePending === 'allow') return [];
    const keys = this.tasks.flatMap(({ key, status }) => (key !== null && statuses.includes(status) ? [key] : []));
    return keys.filter((key, at) => keys.indexOf(key) < at).map((key) => `two tasks of key '${key}' are ${what}`);
  }

  private claimed(task: ToldTask, { server, attempt }: Data): string[] {
    const was = task.status;
    Object.assign(task, { status: 'running', server, attempt });
    const { concurrency } = this.rules;
    const most = concurrency === 'serial' ? 1 : (this.maxRunning ?? Infinity);
    const here = this.running.filter((one) => one.server === task.server).length;
    return [
      ...(was === 'pending' ? [] : [`a task is claimed that is ${was}`]),
      ...(task.later ? ['a task is claimed that is not due'] : []),
      ...(this.paused ? ['a task of a paused queue is claimed'] : []),
      ...(this.running.length > most ? [`${this.running.length} run of ${most}`] : []),
      ...(typeof concurrency === 'object' && here > concurrency.perServer ? [`${here} run on ${task.server}`] : []),
    ];
  }

  private takeOne(id: string, type: string, data: Data): string[] {
    if (type === 'QueuePaused' || type === 'QueueResumed') this.paused = type === 'QueuePaused';
    if (type === 'QueuePolicyChanged') this.maxRunning = (data.policy as Rules).maxRunning;
    if (type === 'TaskEnqueued') this.came(id, data);
    const task = this.task(id);
    if (!task) return [];
    if (type === 'TaskClaimed') return this.claimed(task, data);
    if (type === 'TaskReprioritised') task.priority = data.priority as number;
    if (type === 'TaskRescheduled' || type === 'TaskRetryScheduled') task.later = isLater(data);
    if (type === 'TaskReturned') task.attempt -= 1;
    task.status = BECOMES[type] ?? task.status;
    return [];
  }

  private came(id: string, data: Data): void {
    const { key = null, priority = 0, heldBy } = data as { key?: string; priority?: number; heldBy?: object };
    const fresh = { status: 'pending', attempt: 0, server: '' } as const;
    this.tasks.push({ id, key, priority, later: isLater(data), ...fresh, ...(heldBy && { status: 'held' as const }) });
  }
}

const isLater = ({ dueAt }: Data): boolean => typeof dueAt === 'string' && Date.parse(dueAt) > Date.now();

const BECOMES: Readonly<Record<string, ToldTask['status']>> = {
  TaskHeld: 'held',
  TaskReleased: 'pending',
  TaskRetried: 'pending',
  TaskRetryScheduled: 'pending',
  TaskLeaseExpired: 'pending',
  TaskReturned: 'pending',
  TaskFailed: 'failed',
  TaskSucceeded: 'over',
  TaskCancelled: 'over',
  TaskAborted: 'over',
};
