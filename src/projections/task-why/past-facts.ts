import { Injectable } from '@nestjs/common';
import type { AttendanceEvent } from '../../domain/attendance/attendance.events.js';
import { attendanceStream } from '../../domain/attendance/attendance.stream.js';
import type { QueueEvent, QueueFailure } from '../../domain/queue/queue.events.js';
import { type Labels, type QueuePolicy, wholePolicy } from '../../domain/queue/queue.policy.js';
import { queueStream } from '../../domain/queue/queue.stream.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { TaskEvent, TaskStatus } from '../../domain/task/task.events.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { type Moment, Past } from '../kernel/past.port.js';
import { TasksThen, stateAfter, type TaskThen } from '../kernel/tasks-then.port.js';
import { queueRow } from '../kernel/rows/queue-row.js';
import { eventsIn } from '../kernel/stream-as-of.js';
import { workersAfter, type WorkersThen } from './past-attendance.js';
import { ratesThen, type RatesThen } from './past-rates.js';
import { shortOf } from './past-resources.js';
import { PastSurroundings } from './past-surroundings.js';
import { jobIn, reasonFromHistory } from './reason-from-history.js';
import { newestErrors } from '../kernel/newest-errors.js';
import type { ShownFailure } from '../kernel/shown-failure.js';
import { gatheringIn, retryIn, signalIn } from './retry.js';
import type { Facts, Reason } from './why.js';

const FIRST_BLOCKERS = 20;

interface QueueThen {
  readonly status: string;
  readonly policy: QueuePolicy;
  readonly pause_by: string;
  readonly pause_reason: string | null;
  readonly pause_until: string | null;
  readonly pause_failure: QueueFailure | null;
}

export interface FactsThen extends Facts {
  readonly untoldOfWorkers: WorkersThen['untold'];
  readonly isRateUntold: boolean;
}

/** The facts of `why` as of a moment: those of now are rows, those of then are folds. */
@Injectable()
export class PastFacts {
  constructor(
    private readonly past: Past,
    private readonly tasks: TasksThen,
    private readonly around: PastSurroundings,
  ) {}

  /** The same, as another past tells it. */
  over(past: Past, tasks: TasksThen): PastFacts {
    return new PastFacts(past, tasks, this.around.over(past));
  }

  /**
   * Without what no event tells: leases that were over, which workers asked when, targets that failed, histories put aside. `running`: whether
   * to look at what ran in a queue with a limit, and at its starts if it has a rate.
   */
  async of(task: TaskThen, moment: Moment, looks: { readonly running: boolean } = ALL): Promise<FactsThen> {
    const { row, events } = task;
    const state = row.state as TaskStatus;
    const [history] = await this.past.historiesAt([queueStream(row.queue)], moment.position);
    const queue = queueRow(eventsIn<QueueEvent>(history!)) as unknown as QueueThen;
    const policy = wholePolicy(queue.policy);
    const [waits, catches] = [state === 'pending', catchesNow(task, policy)];
    const gate = waits ? await this.gateOf(task, policy, moment) : NO_GATE;
    const { workers, untold } = await this.workersOf(row.queue, moment);
    const looksAround = waits && looks.running;
    const { paced, isUntold } = looksAround ? await ratesThen(this.past, task, history!, moment) : NO_RATES;
    return {
      ...gate,
      state,
      dueAt: row.due_at,
      retry: waits && gate.gate === 'due' ? retryIn(events, policy, row.step) : null,
      signal: waits && gate.gate === 'due' ? signalIn(events, row.due_at) : null,
      gathering: waits && gate.gate === 'due' ? gatheringIn(events, row.due_at) : null,
      run: state === 'running' ? runOf(task, moment) : null,
      key: row.key,
      quarantined: null,
      reason: waits ? null : await this.reasonOf(task, policy, moment),
      blockers: await this.blockersOf(task, moment),
      hold: catches ? await this.around.holdOn(task, moment) : null,
      shortOf: waits ? await shortOf(this.past, task, policy, moment) : [],
      failingTarget: null,
      drain: await this.around.drainAt(moment),
      queue: await this.queueFacts(queue, policy, moment),
      workers,
      untoldOfWorkers: untold,
      labels: row.labels === null ? null : (JSON.parse(row.labels) as Labels),
      paced,
      isRateUntold: isUntold,
      turnsBefore: null,
      running: looksAround ? await this.around.runningIn(row.queue, policy, moment) : [],
      leaseOver: null,
    };
  }

  private async queueFacts(queue: QueueThen, policy: QueuePolicy, moment: Moment): Promise<Facts['queue']> {
    const { status, pause_by: by, pause_reason: reason, pause_until: until, pause_failure: failure } = queue;
    return {
      withheld: status === 'active' ? null : status,
      policy,
      failureStreak: 0,
      pause: { by, reason, until, failure: failure && (await this.shownFailure(failure, moment)) },
      awaited: status === 'waiting' ? await this.unfinished(policy.waitsFor, moment) : [],
    };
  }

  private async shownFailure(failure: QueueFailure, moment: Moment): Promise<ShownFailure> {
    const messages = await newestErrors(this.past, [failure.taskId], moment);
    return { ...failure, message: messages.get(failure.taskId) ?? null };
  }

  private async unfinished(queues: readonly string[], { position }: Moment): Promise<readonly string[]> {
    const histories = await this.past.historiesAt(queues.map(queueStream), position);
    const isFinished = (history: readonly Recorded[]): boolean =>
      history.length > 0 && queueRow(eventsIn<QueueEvent>(history)).status === 'finished';
    return queues.filter((_, at) => !isFinished(histories[at]!)).sort();
  }

  private async workersOf(queue: string, { position }: Moment): Promise<WorkersThen> {
    const [crossings] = await this.past.historiesAt([attendanceStream(queue)], position);
    return workersAfter(crossings as readonly Recorded<AttendanceEvent>[]);
  }

  private async gateOf(task: TaskThen, policy: QueuePolicy, moment: Moment): Promise<GateFacts> {
    const own = await this.tasks.ownGate(task, moment);
    if (own !== null) return { ...NO_GATE, gate: own === 'prerequisites' ? 'blocked' : own };
    const found = task.row.key === null ? null : await this.tasks.keyOf(task, policy, moment);
    if (found === null) return NO_GATE;
    const { occupant: keyOccupant, blocker } = found;
    const keyBlocker = blocker && { taskId: blocker.task_id, state: blocker.state as TaskStatus };
    return { gate: 'key', keyOccupant, keyBlocker };
  }

  private async blockersOf(task: TaskThen, moment: Moment): Promise<Facts['blockers']> {
    if (!WAITS_FOR_OTHERS.has(task.row.state)) return { count: 0, first: [] };
    const found = await this.tasks.blockersOf(task, moment);
    return { count: found.length, first: found.slice(0, FIRST_BLOCKERS) };
  }

  private async reasonOf({ row, events }: TaskThen, policy: QueuePolicy, moment: Moment): Promise<Reason | null> {
    const told = reasonFromHistory(row.state as TaskStatus, events, { policy, step: row.step });
    return told ?? (row.state === 'running' ? this.jobOf(events, moment) : null);
  }

  private async jobOf(events: TaskThen['events'], { position }: Moment): Promise<Reason | null> {
    const taskId = jobIn(events);
    if (taskId === null) return null;
    const [history] = await this.past.historiesAt([taskStream(taskId)], position);
    const state = stateAfter(history as readonly Recorded<TaskEvent>[]);
    return state && { because: 'job', taskId, state };
  }
}

const ALL = { running: true };
const NO_RATES: RatesThen = { paced: [], isUntold: false };

type GateFacts = Pick<Facts, 'gate' | 'keyOccupant' | 'keyBlocker'>;

const NO_GATE: GateFacts = { gate: null, keyOccupant: null, keyBlocker: null };

/** As rows that wait: a task that runs or has ended waits for nothing. */
const WAITS_FOR_OTHERS: ReadonlySet<string> = new Set<TaskStatus>(['prepared', 'pending', 'held']);

/** Whether a hold would catch the task, or keep it from being released. */
const catchesNow = ({ row }: TaskThen, { holdsCatch }: QueuePolicy): boolean =>
  row.hold !== null ||
  (row.state === 'pending' && (holdsCatch !== 'first-claim' || (row.attempt === 0 && !row.entered)));

const runOf = ({ row }: TaskThen, { at }: Moment): Facts['run'] => ({
  worker: row.worker!,
  since: row.started_at!,
  ranMs: Math.max(0, Date.parse(at) - Date.parse(row.started_at!)),
  until: row.run_until,
});
