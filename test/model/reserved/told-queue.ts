import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { ToldBatch } from './told-batch.js';
import { ToldGraph } from './told-graph.js';
import { type ToldStatus, type ToldTask } from './told-task.js';

/** The rules of the tested queue. Everything else has its default. */
export interface Rules {
  readonly duplicatePending: 'return-existing' | 'allow';
  /** Only if tasks line up: whether a failed task, or one that waits for its retry, blocks later ones with its key. */
  readonly blocks: boolean;
  readonly maxRunning: number | null;
  readonly concurrency: 'unlimited' | 'serial' | { readonly perServer: number };
  readonly onFailure: 'fail' | 'retry';
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
  readonly batch: ToldBatch;
  readonly graph: ToldGraph;

  constructor(
    readonly rules: Rules,
    batch: string,
  ) {
    this.maxRunning = rules.maxRunning;
    this.batch = new ToldBatch(batch, this.tasks);
    this.graph = new ToldGraph(this.tasks, this.batch);
  }

  get running(): readonly ToldTask[] {
    return this.tasks.filter(({ status }) => status === 'running');
  }

  task(id: string): ToldTask | undefined {
    return this.tasks.find((task) => task.id === id);
  }

  /** Applies the events of one append. Returns the rules that do not hold afterwards. */
  take(events: readonly RecordedEvent[]): string[] {
    const broken = events.flatMap((recorded) =>
      recorded.stream.startsWith('batch-')
        ? this.batch.take(recorded.event.type, recorded.event.data as Data)
        : this.takeOne(recorded),
    );
    return [...broken, ...this.crowded('running', ['running']), ...this.crowded('waiting', ['pending', 'held'])];
  }

  /** The tasks that may be given out now, in claim order, while these are being claimed. */
  offered(inHands: ReadonlySet<string>): string[] {
    const isTaken = ({ id, status }: ToldTask): boolean => status === 'running' || inHands.has(id);
    const takenKeys = new Set(this.tasks.filter(isTaken).map(({ key }) => key));
    const open = this.inOrder.filter(
      (task) => task.status === 'pending' && !task.later && !isTaken(task) && !this.mustWait(task),
    );
    return open
      .filter(({ id, key }) => key === null || (!takenKeys.has(key) && this.firstOf(key, open).id === id))
      .map(({ id }) => id);
  }

  private get inOrder(): ToldTask[] {
    return this.tasks.toSorted((a, b) => b.priority - a.priority || Number(a.place - b.place));
  }

  /** Where failed tasks block their key, nothing passes what is older. */
  private firstOf(key: string, open: readonly ToldTask[]): ToldTask {
    const line = open.filter((one) => one.key === key);
    if (this.rules.blocks) line.sort((a, b) => b.priority - a.priority || Number(a.position - b.position));
    return line[0]!;
  }

  private mustWait(task: ToldTask): boolean {
    return this.graph.isBlocked(task) || this.isBehindFailed(task);
  }

  private isBehindFailed(task: ToldTask): boolean {
    if (!this.rules.blocks || task.key === null) return false;
    const before = this.tasks.slice(0, this.tasks.indexOf(task)).filter(({ key }) => key === task.key);
    return before.some(
      (one) =>
        one.status === 'failed' ||
        (one.status === 'pending' && (one.later || this.graph.isBlocked(one)) && one.attempt > 0),
    );
  }

  private crowded(what: string, statuses: readonly ToldStatus[]): string[] {
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
      ...(this.graph.isBlocked(task) ? ['a task is claimed that is blocked'] : []),
      ...(task.later ? ['a task is claimed that is not due'] : []),
      ...(this.paused ? ['a task of a paused queue is claimed'] : []),
      ...(this.running.length > most ? [`${this.running.length} run of ${most}`] : []),
      ...(typeof concurrency === 'object' && here > concurrency.perServer ? [`${here} run on ${task.server}`] : []),
    ];
  }

  private takeOne({ stream, event: { type, data: given }, position }: RecordedEvent): string[] {
    const [id, data] = [stream.replace(/^task-/, ''), given as Data];
    if (type === 'QueuePaused' || type === 'QueueResumed') this.paused = type === 'QueuePaused';
    if (type === 'QueuePolicyChanged') this.maxRunning = (data.policy as Rules).maxRunning;
    if (type === 'TaskEnqueued') return this.came(id, position, data);
    const task = this.task(id);
    if (!task) return [];
    if (type === 'TaskClaimed') return this.claimed(task, data);
    if (type === 'TaskPrerequisitesChanged') return this.arranged(task, data);
    if (type === 'TaskDeleted') return this.deleted(task);
    if (type === 'TaskReprioritised') task.priority = data.priority as number;
    if (type === 'TaskRescheduled' || type === 'TaskRetryScheduled') task.later = isLater(data);
    if (type === 'TaskReturned') task.attempt -= 1;
    task.status = BECOMES[type] ?? task.status;
    if (hadTurn(type, data)) task.place = position;
    if (PLACING.has(type)) this.place(task);
    return [];
  }

  private place(task: ToldTask): void {
    task.isStaged = task.isMember && this.batch.keepsBack;
  }

  private arranged(task: ToldTask, { added, waived }: Data): string[] {
    for (const id of waived as string[]) task.needs.delete(id);
    this.needMore(task, added as Needed[]);
    this.place(task);
    return this.graph.waitsForItself(task) ? ['a task waits for itself'] : [];
  }

  private needMore(task: ToldTask, needed: readonly Needed[]): void {
    for (const { ignore = false, ...one } of needed) task.needs.set(one.task ?? one.batch!, ignore);
  }

  private deleted(task: ToldTask): string[] {
    const awaiting = this.graph.awaiting(task.id);
    task.status = 'deleted';
    const isWithBatch = task.isMember && this.batch.status === 'deleted';
    return awaiting.length > 0 && !isWithBatch ? ['a task is deleted that another one needs'] : [];
  }

  private came(id: string, position: bigint, data: Data): string[] {
    const { key = null, priority = 0, heldBy, after = [], batch } = data as Came;
    const fresh = { status: heldBy ? 'held' : 'pending', attempt: 0, server: '', needs: new Map() } as const;
    const isMember = batch !== undefined;
    const task: ToldTask = {
      id,
      key,
      position,
      place: position,
      priority,
      later: isLater(data),
      ...fresh,
      isMember,
      isStaged: false,
    };
    this.tasks.push(task);
    // All of a transaction is applied with its last part, and the log may have others between its parts.
    this.tasks.sort((a, b) => Number(a.position - b.position));
    this.needMore(task, after);
    this.place(task);
    return [
      ...(this.graph.waitsForItself(task) ? ['a new task waits for itself'] : []),
      ...(isMember && !this.batch.takesIn ? [`a task is added to a batch that is ${this.batch.status}`] : []),
    ];
  }
}

interface Needed {
  readonly task?: string;
  readonly batch?: string;
  readonly ignore?: boolean;
}

interface Came {
  readonly key?: string;
  readonly priority?: number;
  readonly heldBy?: object;
  readonly after?: readonly Needed[];
  readonly batch?: string;
}

const isLater = ({ dueAt }: Data): boolean => typeof dueAt === 'string' && Date.parse(dueAt) > Date.now();

const BECOMES: Readonly<Record<string, ToldStatus>> = {
  TaskHeld: 'held',
  TaskReleased: 'pending',
  TaskRetried: 'pending',
  TaskRetryScheduled: 'pending',
  TaskLeaseExpired: 'pending',
  TaskReturned: 'pending',
  TaskFailed: 'failed',
  TaskSucceeded: 'succeeded',
  TaskCancelled: 'cancelled',
  TaskAborted: 'aborted',
};

/** Whether the task goes to the end of the line. */
const hadTurn = (type: string, { from, unstarted }: Data): boolean =>
  ['TaskRetryScheduled', 'TaskLeaseExpired', 'TaskRetried'].includes(type) ||
  (type === 'TaskReturned' && !unstarted) ||
  (type === 'TaskHeld' && from === 'running');

/** After these, a task is placed anew. */
const PLACING = new Set([...Object.keys(BECOMES), 'TaskReprioritised', 'TaskRescheduled']);
