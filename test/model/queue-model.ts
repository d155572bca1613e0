import { isWaiting, type ModelTask, type Needs } from './model-task.js';
import { type BatchCounts, countsOf, type ModelBatch } from './model-batch.js';
import { ModelTurns } from './model-turns.js';
import { areDead, closesCycle, isBlocked as isBlockedByNeeds, isStaged, newTo, openNeeds } from './needs.js';

/** The rules of the tested queue. Everything else has its default. */
export interface Rules {
  readonly duplicatePending: 'return-existing' | 'refuse' | 'replace-payload' | 'allow' | 'gather';
  /** Only if tasks line up: whether a failed task, or one that waits for its retry, blocks later ones with its key. */
  readonly blocks: boolean;
  readonly maxRunning: number | null;
  readonly perServer: number | null;
  /** One task runs at a time, and the worker that takes the queue over ends its lease. */
  readonly serial: boolean;
  readonly onFailure: 'fail' | 'retry';
  readonly maxAttempts: number;
  readonly maxLost: number;
  readonly steps: readonly string[];
  /** Whether the last step needs a resource. */
  readonly needs: boolean;
  /** Whether its runs have a longest end. */
  readonly limited: boolean;
  /** How many tasks with the label may run, and how many without; null: without a limit. */
  readonly perValue: { readonly labelled: number; readonly others: number } | null;
  /** How many of each may start before the end of the history; null: as many as may run. */
  readonly startsPerValue: { readonly labelled: number; readonly others: number } | null;
  /** How many tasks may start before the end of the history, which is long before the rate allows more. */
  readonly starts: number | null;
  /** Whether the queue looks at what tasks need of their worker. */
  readonly offers: boolean;
  /** Whether claims take turns between the tasks with the label and the others. */
  readonly fair: boolean;
}

/** Which tasks a claim asks for. `steps`: only those at one of these; null for all. */
export interface Asked {
  readonly steps: readonly string[] | null;
  /** Whether its worker offers what some tasks need. */
  readonly offers: boolean;
  /** What the queue has given. Between turns at the same time, it may choose. */
  readonly given: readonly string[];
}

export type NewTask = Pick<
  ModelTask,
  'id' | 'key' | 'labelled' | 'needy' | 'payload' | 'priority' | 'later' | 'expires' | 'needs'
> & {
  readonly held: boolean;
  /** Whether it is part of the batch. */
  readonly batched: boolean;
};

export type Enqueued = { readonly status: string; readonly id: string } | { readonly refused: string };

/** What an undo takes back. */
export type Undoable = 'hold' | 'release' | 'cancel' | 'retry' | 'abort';
export type Operation = Undoable | 'signal';

export type Verdict =
  | 'succeed'
  | 'fail'
  | 'fail-transient'
  | 'return'
  | 'return-unstarted'
  | 'wait'
  | 'confirmCancel'
  | 'continue'
  | 'offer';

const SWEEPER = 'sweeper';

export interface Claimed {
  readonly ids: readonly string[];
  readonly refusal: string | null;
}

/** With this begins what stands for the server of a job. */
const JOB = 'job';
/** The most items of one job. */
export const JOB_SIZE = 2;

const DONE = 'done';
const ILLEGAL = 'ILLEGAL_TRANSITION';
const ILLEGAL_FOR_BATCH = 'BATCH_ILLEGAL_TRANSITION';

/** The states of its tasks as of a position. */
export interface Remembered {
  readonly position: bigint;
  readonly states: readonly { readonly id: string; readonly status: ModelTask['status'] }[];
}

/**
 * The behaviour of a queue in the plainest form: a list of tasks that is searched from the start each time. It has no
 * events, revisions, index or times of leases, and shares no code with the service.
 */
export class QueueModel {
  /** In the order in which they arrived. */
  readonly tasks: ModelTask[] = [];
  paused = false;
  /** Whether the hold is in force. */
  holding = false;
  /** Nobody has measured the resource. */
  short = true;
  readonly batch: ModelBatch = { status: 'planning', opened: 0, reports: 0, reported: null };
  /** The server that got the last task of a serial queue. */
  private consumer: string | null = null;
  /** The task that was taken from the former consumer, and comes first for this one. */
  private reset: ModelTask | null = null;

  /** What it was at a position, for a look back from the end. */
  remembered: Remembered | null = null;

  private jobs = 0;
  /** Whether each task that was claimed had the label. */
  private readonly started: boolean[] = [];
  private places = 0;
  private readonly turns = new ModelTurns();

  constructor(readonly rules: Rules) {}

  enqueue({ held, batched, ...task }: NewTask): Enqueued {
    if (batched && this.hasEnded) return { refused: 'BATCH_ENDED' };
    const waiting = this.waiting(task.key);
    // A task of a batch cannot be another one.
    if (waiting && (batched || this.rules.duplicatePending === 'refuse')) return { refused: 'KEY_ALREADY_WAITING' };
    if (waiting && this.rules.duplicatePending === 'return-existing') return { status: 'existing', id: waiting.id };
    if (waiting) {
      waiting.payload = task.payload;
      // What the submission does not name stays.
      waiting.expires ||= task.expires;
      return { status: 'replaced', id: waiting.id };
    }
    const isAlone = held || batched || task.later || task.needs.size > 0;
    const gathers = this.rules.duplicatePending === 'gather' && !isAlone && task.key !== null;
    const newest = gathers ? this.tasks.findLast((one) => one.key === task.key && isWaiting(one)) : undefined;
    if (newest && takesIn(newest, task)) {
      Object.assign(newest, { payload: task.payload, later: false, expires: newest.expires || task.expires });
      return { status: 'gathered', id: newest.id };
    }
    if (areDead(task.needs)) return { refused: 'PREREQUISITE_DEAD' };
    const fresh = {
      gathers: gathers ? { priority: task.priority, labelled: task.labelled, needy: task.needy } : null,
      given: false,
      attempt: 0,
      ...this.newPlace(),
      caught: false,
      step: this.rules.steps[0] ?? null,
      entered: false,
      failures: 0,
      lost: 0,
      server: '',
      token: '',
      overdue: false,
      limited: false,
      request: null,
      awaits: false,
      waits: 0,
      unread: 0,
      staleTokens: [],
      met: new Set<ModelTask>(),
    };
    this.tasks.push({ ...task, ...fresh, batch: batched ? this.batch : null, status: held ? 'held' : 'pending' });
    return { status: 'enqueued', id: task.id };
  }

  claim(server: string, max: number, asked: Asked): Claimed {
    if (this.rules.serial) return this.claimSerial(server, asked);
    if (this.paused) return NOTHING;
    const room = Math.min(this.roomInCluster, this.roomOn(server));
    if (room <= 0) return { ids: [], refusal: this.roomOn(server) <= 0 ? 'SERVER_FULL' : 'QUEUE_FULL' };
    const chosen = this.choose(Math.min(room, max, this.startsLeft), asked);
    const refusal = chosen.length > 0 ? null : this.whyNone(asked);
    for (const task of chosen) give(task, server, this.rules);
    this.started.push(...chosen.map(({ labelled }) => labelled));
    return { ids: chosen.map(({ id }) => id), refusal };
  }

  /** If the hold catches one of them, everything that it catches is held, and others are chosen. */
  private choose(most: number, asked: Asked): readonly ModelTask[] {
    const chosen = this.nextOf(this.openTo(asked), most, asked.given);
    if (!chosen.some((task) => this.catches(task))) return chosen;
    for (const task of this.openTo({ ...asked, offers: true }).filter((one) => this.catches(one)))
      Object.assign(task, { status: 'held', caught: true });
    return this.choose(most, asked);
  }

  private nextOf(open: readonly ModelTask[], most: number, given: readonly string[]): readonly ModelTask[] {
    const fits = (task: ModelTask, beside: readonly ModelTask[]) =>
      this.roomFor(task, beside) > 0 && this.startsFor(task, beside) > 0;
    if (this.rules.fair) return this.turns.take(open, most, fits, given);
    const chosen: ModelTask[] = [];
    for (const task of open) if (chosen.length < most && fits(task, chosen)) chosen.push(task);
    return chosen;
  }

  /** Limits aside. */
  private openTo({ steps, offers }: Asked): readonly ModelTask[] {
    return this.ready.filter(
      ({ step, needy }) => !this.isShortAt(step) && (steps === null || steps.includes(step!)) && (offers || !needy),
    );
  }

  /** How many more tasks with the label, or without, may run. */
  private roomFor({ labelled }: ModelTask, beside: readonly ModelTask[] = []): number {
    const { perValue } = this.rules;
    if (perValue === null) return Infinity;
    const alike = [...this.running, ...beside].filter((one) => one.labelled === labelled);
    return (labelled ? perValue.labelled : perValue.others) - alike.length;
  }

  /** How many more tasks with the label, or without, may start. */
  private startsFor({ labelled }: ModelTask, beside: readonly ModelTask[] = []): number {
    const { startsPerValue } = this.rules;
    if (startsPerValue === null) return Infinity;
    const alike = [...this.started, ...beside.map((one) => one.labelled)].filter((one) => one === labelled);
    return (labelled ? startsPerValue.labelled : startsPerValue.others) - alike.length;
  }

  private get startsLeft(): number {
    return (this.rules.starts ?? Infinity) - this.started.length;
  }

  /** A value that is full waits for no start. */
  private whyNone(asked: Asked): string | null {
    const open = this.openTo(asked);
    if (open.length === 0) return null;
    const waits = open.some((task) => this.roomFor(task) > 0 && this.startsFor(task) <= 0);
    return this.startsLeft <= 0 || waits ? 'RATE_REACHED' : 'LABEL_FULL';
  }

  private catches({ labelled }: ModelTask): boolean {
    return this.holding && labelled;
  }

  private isShortAt(step: string | null): boolean {
    const { needs, steps } = this.rules;
    return needs && this.short && step === steps.at(-1);
  }

  /** A trigger claims items for a job. Each job is a worker of its own; all of them are on one server. */
  fire(given: readonly string[]): readonly string[] {
    this.jobs += 1;
    const server = this.rules.serial ? `${JOB} ${this.jobs}` : JOB;
    return this.claim(server, JOB_SIZE, { steps: null, offers: false, given }).ids;
  }

  settle(task: ModelTask, verdict: Verdict): string {
    if (verdict === 'confirmCancel' && task.request === null) return 'CANCEL_NOT_REQUESTED';
    if (verdict === 'continue' || verdict === 'offer') return this.completeStep(task, verdict);
    if (verdict === 'succeed') return this.succeed(task);
    if (verdict === 'wait') return this.wait(task);
    if (verdict === 'fail') this.fail(task, false);
    else if (verdict === 'fail-transient') this.fail(task, true);
    else {
      if (verdict !== 'confirmCancel') task.attempt--;
      this.giveBack(task);
      if (verdict !== 'return-unstarted' || task.status === 'held') this.goToEnd(task);
    }
    return task.status;
  }

  /** Each wait is a further one for the same signal. */
  private wait(task: ModelTask): string {
    task.waits++;
    if (task.unread > 0) task.unread--;
    else {
      Object.assign(task, { attempt: task.attempt - 1, later: true, awaits: true });
      this.offer(task);
    }
    return task.status;
  }

  private signal(task: ModelTask): string {
    task.unread++;
    if (task.awaits && isWaiting(task)) Object.assign(task, { later: false, awaits: false });
    return DONE;
  }

  private succeed(task: ModelTask): string {
    if (task.step !== (this.rules.steps.at(-1) ?? null)) return 'STEP_OUT_OF_ORDER';
    Object.assign(task, { status: 'succeeded', step: null });
    return task.status;
  }

  /** A step that needs a resource begins with a claim. */
  private completeStep(task: ModelTask, then: 'continue' | 'offer'): string {
    const { steps, needs } = this.rules;
    if (task.step === null) return 'STEP_UNKNOWN';
    const next = steps[steps.indexOf(task.step) + 1];
    if (next === undefined) return this.succeed(task);
    task.step = next;
    if (then === 'offer' || (needs && next === steps.at(-1))) this.offer(task);
    return task.status;
  }

  /** Its lease expires. Returns the number of leases that end. */
  loseLease(task: ModelTask): number {
    task.overdue = true;
    if (this.rules.serial) return 0;
    this.end(task);
    return 1;
  }

  /** No worker takes the queue over for a while. Returns the number of leases that end. */
  takeFromSilent(): number {
    const [running] = this.running;
    if (!this.rules.serial || !running?.overdue) return 0;
    this.takeOver(running, SWEEPER);
    return 1;
  }

  /** The longest end of its run passes. Returns the number of runs that end. A run whose lease is lost ends as that. */
  timeOut(task: ModelTask): number {
    if (!task.limited || task.overdue) return 0;
    task.staleTokens.push(task.token);
    this.fail(task, true);
    return 1;
  }

  /** Its time to live passes. Returns the number of tasks that expire. */
  expire(task: ModelTask): number {
    if (!task.expires || !isWaiting(task)) return 0;
    task.status = 'failed';
    return 1;
  }

  operate(task: ModelTask, operation: Operation): string {
    const { status } = task;
    const stops = operation === 'hold' || operation === 'cancel';
    if (stops && status === 'running') task.request = operation === 'hold' ? 'held' : 'cancelled';
    else if (operation === 'hold' && status === 'pending') Object.assign(task, { status: 'held', caught: false });
    else if (operation === 'hold' && status === 'held') return DONE;
    else if (operation === 'release' && isWaiting(task)) return this.release(task);
    else if (operation === 'cancel' && (isWaiting(task) || status === 'cancelled')) task.status = 'cancelled';
    else if (operation === 'signal' && status !== 'succeeded' && status !== 'aborted') return this.signal(task);
    else if (operation === 'abort' && status !== 'succeeded') task.status = 'aborted';
    else if (operation === 'retry' && (status === 'failed' || status === 'cancelled')) return this.retry(task);
    else return ILLEGAL;
    return DONE;
  }

  private release(task: ModelTask): string {
    if (task.status === 'pending') return DONE;
    if (task.caught && this.catches(task)) return 'HOLD_IN_FORCE';
    Object.assign(task, { status: 'pending', entered: true });
    return DONE;
  }

  change(task: ModelTask, change: Partial<Pick<ModelTask, 'priority' | 'later'>>): string {
    if (!isChangeable(task)) return ILLEGAL;
    Object.assign(task, change, change.later === undefined ? {} : { awaits: false });
    return DONE;
  }

  /** What is both added and waived is added. */
  arrange(task: ModelTask, add: Needs, waive: readonly ModelTask[]): string {
    if (!isChangeable(task)) return ILLEGAL;
    const added = newTo(task, add);
    if (areDead(new Map([...added].filter(([one]) => one !== task)))) return 'PREREQUISITE_DEAD';
    if (closesCycle(task, added)) return 'PREREQUISITE_CYCLE';
    const kept = [...task.needs].filter(([one]) => !waive.includes(one));
    // A wait that has ended stays so, whether or not it heeds an abort from now on.
    for (const one of added.keys()) if (!task.needs.has(one)) task.met.delete(one);
    task.needs = new Map([...kept, ...add]);
    return DONE;
  }

  open(tasks: number): string {
    const { status, opened } = this.batch;
    if (status === 'aborted') return ILLEGAL_FOR_BATCH;
    if (status !== 'planning') return tasks === opened ? DONE : 'BATCH_INCOMPLETE';
    if (tasks !== this.members.length) return 'BATCH_INCOMPLETE';
    Object.assign(this.batch, { status: 'running', opened: tasks });
    return DONE;
  }

  /** The sweeper aborts its tasks. */
  abortBatch(): string {
    if (this.batch.status === 'completed') return ILLEGAL_FOR_BATCH;
    this.batch.status = 'aborted';
    return DONE;
  }

  get hasEnded(): boolean {
    return !['planning', 'running'].includes(this.batch.status);
  }

  get counts(): BatchCounts {
    return countsOf(this.members);
  }

  private get members(): readonly ModelTask[] {
    return this.tasks.filter(({ batch }) => batch !== null);
  }

  private endBatch(): void {
    const { total, open, succeeded } = this.counts;
    if (open > 0 || !['running', 'failed'].includes(this.batch.status)) return;
    this.batch.status = succeeded === total ? 'completed' : 'failed';
    this.report();
  }

  /** An end that changes nothing since the last report makes none. */
  private report(): void {
    const ends = this.members.map(({ id, status }) => `${id} ${status}`).join();
    if (ends === this.batch.reported) return;
    this.batch.reports++;
    this.batch.reported = ends;
  }

  /**
   * The sweeper's work: what waits for an aborted task, or is part of an aborted batch, is aborted, and so on. A batch
   * whose tasks have ended ends.
   */
  sweep(): void {
    const doomed = this.tasks.filter(
      ({ status, needs, batch }) =>
        status !== 'succeeded' && status !== 'aborted' && (areDead(needs) || batch?.status === 'aborted'),
    );
    for (const task of doomed) task.status = 'aborted';
    if (doomed.length > 0) this.sweep();
    this.endBatch();
  }

  /** The tasks that a worker could claim now if the limits allow it, in claim order. Of each key, only the first. */
  get ready(): readonly ModelTask[] {
    const keys = new Set(this.running.map(({ key }) => key));
    const free = this.tasks.filter(
      (task) => task.status === 'pending' && !task.later && !isBlockedByNeeds(task) && !this.isBlocked(task),
    );
    const isBehind = (task: ModelTask, other: ModelTask) => other.key === task.key && this.orderInKey(other, task) < 0;
    return free
      .filter((task) => task.key === null || (!keys.has(task.key) && !free.some((other) => isBehind(task, other))))
      .sort(inLine);
  }

  /** What fails keeps its turn if it blocks the others. */
  private orderInKey(one: ModelTask, other: ModelTask): number {
    return this.rules.blocks ? other.priority - one.priority || one.arrived - other.arrived : inLine(one, other);
  }

  /** Everything that keeps a task from running now, and its rank. */
  why(task: ModelTask): { readonly because: readonly string[]; readonly rank: number | null } {
    const rank = this.ready.indexOf(task) + 1 || null;
    if (task.status === 'held')
      return { because: ['held', ...(task.caught ? this.whyCaught(task) : []), ...whyBlocked(task)], rank };
    if (task.status === 'running')
      return { because: [whyRunning(task), ...(task.overdue ? ['lease-over'] : [])], rank };
    if (task.status !== 'pending') return { because: ['ended'], rank };
    const because = [
      ...this.whyItself(task, rank),
      ...this.whyCaught(task),
      ...(this.isShortAt(task.step) ? ['resource'] : []),
      ...(this.paused ? ['queue-paused'] : []),
      ...(this.running.some(({ server }) => this.roomOn(server) <= 0) ? ['no-slot'] : []),
      ...(this.roomInCluster <= 0 ? ['no-slot'] : []),
      ...(this.roomFor(task) <= 0 ? ['no-slot'] : []),
      ...(this.startsLeft <= 0 ? ['rate'] : []),
      ...(this.startsFor(task) <= 0 ? ['rate'] : []),
      ...(this.rules.serial && this.running.some(({ overdue }) => overdue) ? ['lease-over'] : []),
    ];
    return { because: because.length > 0 ? because : ['worker'], rank };
  }

  get running(): readonly ModelTask[] {
    return this.tasks.filter(({ status }) => status === 'running');
  }

  /**
   * A claim that finds the consumer's task overdue takes the queue over, and that task comes first as soon as it may
   * run.
   */
  private claimSerial(server: string, { given }: Asked): Claimed {
    const [running] = this.running;
    if (running && !running.overdue) return { ids: [], refusal: 'QUEUE_HELD' };
    if (running) this.takeOver(running, server);
    if (this.paused) return NOTHING;
    const reset = this.ready.find((task) => task === this.reset);
    if (reset) this.turns.count(reset);
    const next = reset ?? this.nextOf(this.ready, 1, given)[0];
    if (!next) return NOTHING;
    if (next === this.reset || this.consumer !== server) this.reset = null;
    this.consumer = server;
    give(next, server, this.rules);
    return { ids: [next.id], refusal: null };
  }

  private takeOver(running: ModelTask, server: string): void {
    [this.consumer, this.reset] = [server, running];
    this.end(running);
  }

  private end(task: ModelTask): void {
    task.staleTokens.push(task.token);
    if (task.request === null && task.lost >= this.rules.maxLost) task.status = 'failed';
    else this.giveBack(task);
    this.goToEnd(task);
    task.lost++;
    if (task.status === 'pending' && task.lost > 1) task.later = true;
  }

  private isBlocked(task: ModelTask): boolean {
    const before = this.tasks.slice(0, this.tasks.indexOf(task)).filter(({ key }) => key !== null && key === task.key);
    const cannotRun = (one: ModelTask) =>
      one.status === 'held' || (one.status === 'pending' && (one.later || isBlockedByNeeds(one)));
    const goesOn = (one: ModelTask) => one.status !== 'failed' && !(one.attempt > 0 && cannotRun(one));
    return this.rules.blocks && !before.every(goesOn);
  }

  private whyCaught(task: ModelTask): readonly string[] {
    return this.catches(task) ? ['hold'] : [];
  }

  private whyItself(task: ModelTask, rank: number | null): readonly string[] {
    if (isBlockedByNeeds(task)) return whyBlocked(task);
    if (task.later) return [task.awaits ? 'signal' : 'due'];
    return rank === null ? this.whyBehind(task) : [];
  }

  private whyBehind(task: ModelTask): readonly string[] {
    const isBusy = [...this.running, ...this.ready].some(({ key }) => key === task.key);
    return [...(isBusy ? ['key'] : []), ...(this.isBlocked(task) ? ['key-failure'] : [])];
  }

  private get roomInCluster(): number {
    const most = this.rules.serial ? 1 : (this.rules.maxRunning ?? Infinity);
    return most - this.running.length;
  }

  private roomOn(server: string): number {
    return (this.rules.perServer ?? Infinity) - this.running.filter((task) => task.server === server).length;
  }

  /** The task that has the waiting place of the key. */
  waiting(key: string | null, but?: ModelTask): ModelTask | undefined {
    if (key === null || ['allow', 'gather'].includes(this.rules.duplicatePending)) return undefined;
    return this.tasks.find((task) => task !== but && task.key === key && isWaiting(task));
  }

  private fail(task: ModelTask, transient: boolean): void {
    task.failures++;
    const retries = this.rules.onFailure === 'retry' && transient && task.failures < this.rules.maxAttempts;
    const goesBack = retries && task.request === null && !this.waiting(task.key, task);
    task.status = goesBack ? 'pending' : 'failed';
    if (goesBack) task.later = true;
    this.goToEnd(task);
  }

  private newPlace(): Pick<ModelTask, 'place' | 'arrived'> {
    this.places += 1;
    return { place: this.places, arrived: this.places };
  }

  /** It has had its turn. */
  private goToEnd(task: ModelTask): void {
    task.place = this.newPlace().place;
  }

  /** For its next step it keeps its place, unless it is held instead. */
  private offer(task: ModelTask): void {
    this.giveBack(task);
    if (task.status === 'held') this.goToEnd(task);
  }

  private giveBack(task: ModelTask): void {
    task.caught = false;
    if (task.request === 'cancelled') task.status = 'cancelled';
    else if (this.waiting(task.key, task)) task.status = 'failed';
    else task.status = task.request ?? 'pending';
  }

  private retry(task: ModelTask): string {
    if (this.waiting(task.key, task)) return 'KEY_ALREADY_WAITING';
    Object.assign(task, { status: 'pending', failures: 0, lost: 0, expires: false, awaits: false });
    this.goToEnd(task);
    return DONE;
  }
}

const NOTHING: Claimed = { ids: [], refusal: null };

function whyRunning({ request, server }: ModelTask): string {
  if (request) return 'cancel-requested';
  return server.startsWith(JOB) ? 'job' : 'state';
}

/** What is claimed for a job has as much time as the job. */
/** Until a worker has had it, what differs in nothing but payload and times. */
const takesIn = (
  { gathers, given }: ModelTask,
  { priority, labelled, needy }: Pick<NewTask, 'priority' | 'labelled' | 'needy'>,
): boolean =>
  !given &&
  gathers !== null &&
  gathers.priority === priority &&
  gathers.labelled === labelled &&
  gathers.needy === needy;

function give(task: ModelTask, server: string, { limited }: Rules): void {
  const entered = task.entered || task.step !== null;
  const begun = { status: 'running', server, overdue: false, request: null, entered } as const;
  Object.assign(task, {
    ...begun,
    given: true,
    attempt: task.attempt + 1,
    limited: limited && !server.startsWith(JOB),
  });
}

/** How many prerequisites the index counts, the batch among them: those of tasks in line. */
export const blockersOf = (task: ModelTask): number =>
  isWaiting(task) ? openNeeds(task).length + (isStaged(task) ? 1 : 0) : 0;

const whyBlocked = (task: ModelTask): readonly string[] => (isBlockedByNeeds(task) ? ['prerequisites'] : []);

const isChangeable = ({ status }: ModelTask): boolean => !['running', 'succeeded', 'aborted'].includes(status);

const inLine = (one: ModelTask, other: ModelTask): number => other.priority - one.priority || one.place - other.place;
