import type { OpenTasks } from '../kernel/open-tasks.js';
import type { ShownFailure } from '../kernel/shown-failure.js';
import {
  type Labels,
  limitsOf,
  type QueuePolicy,
  type Room,
  roomOn,
  valueOf,
} from '../../domain/queue/queue.policy.js';
import type { WorkerLabels } from '../../domain/kernel/worker-labels.js';
import type { AttemptClass, CancelEnd, TaskError, TaskStatus } from '../../domain/task/task.events.js';

/** A running task of the same queue. */
export interface RunningTask {
  readonly taskId: string;
  readonly worker: string;
  readonly server: string;
}

/** `labels`: absent if its queue does not tell tasks apart by one. */
export type LabelledTask = RunningTask & { readonly labels?: Labels | null };

/** What keeps a task from running. */
export type Reason =
  /** For a running task: the attempt's worker, since when it runs, and until when at the latest; null: for ever. */
  | ({ readonly because: 'state'; readonly state: TaskStatus } & Partial<Run>)
  /** `hold`: the hold that caught it; absent if a person holds this task alone. */
  | { readonly because: 'held'; readonly by: string; readonly reason: string | null; readonly hold?: string }
  /** This hold would catch the task if it were given out, and keeps it from being released. */
  | { readonly because: 'hold'; readonly hold: string; readonly by: string; readonly reason: string | null }
  /** A trigger claimed the task for this job, whose worker settles it. `state`: the job's. */
  | { readonly because: 'job'; readonly taskId: string; readonly state: TaskStatus }
  /** The task still runs. Its worker has been asked to stop, after which the task becomes what `then` says. */
  | {
      readonly because: 'cancel-requested';
      readonly by: string;
      readonly reason: string | null;
      readonly at: string;
      readonly worker: string;
      readonly then: CancelEnd;
    }
  /** The task's attempt failed, and a person must decide what follows. */
  | { readonly because: 'decision'; readonly at: string; readonly error: Fault }
  | ({
      readonly because: 'ended';
      readonly state: TaskStatus;
      /**
       * The actor. If the state follows from an attempt, the actor that recorded it: the worker, or a part of the
       * service.
       */
      readonly by: string;
      readonly at: string;
      readonly reason: string | null;
      readonly error: Fault | null;
      /** Whether nothing retries the failure. */
      readonly final: boolean;
      /** Whether what the task was about is erased, so that nothing repeats it. */
      readonly erased?: boolean;
      /** The task whose success superseded this one, or that waited for the key when this one failed. */
      readonly taskId: string | null;
    } & Partial<NoRetry>)
  /** This build cannot read the task's history. It is read again at `until`; null if that is when a service starts. */
  | {
      readonly because: 'quarantined';
      readonly reason: string;
      readonly position: string | null;
      readonly at: string;
      readonly until: string | null;
    }
  /** Other tasks or batches must be done first. `blockers` has the first 20 of them, `count` their number. */
  | { readonly because: 'prerequisites'; readonly count: number; readonly blockers: readonly Blocker[] }
  /** The task's next step needs this resource below a limit. */
  | {
      readonly because: 'resource';
      readonly resource: string;
      readonly below: number;
      /** What its gauge shows; null if nobody has measured it for too long, or ever. */
      readonly value: number | null;
      /** When somebody last measured it; null if nobody ever did. */
      readonly measuredAt: string | null;
      /** Whether the gauge can never be below the limit: a share in percent is never negative. */
      readonly never: boolean;
    }
  /** Its handler waits for this signal, until then at the latest. */
  | { readonly because: 'signal'; readonly signal: string; readonly until: string }
  /** It takes in other submissions of its key until then. */
  | ({ readonly because: 'gathers'; readonly until: string } & Gathering)
  | ({ readonly because: 'due'; readonly until: string } & Partial<Retry>)
  /** It is a delivery to a target that failed so often in a row that it is tried seldom: not before `until`. */
  | {
      readonly because: 'target-failing';
      readonly target: string;
      readonly failures: number;
      readonly error: Fault;
      readonly until: string;
    }
  | { readonly because: 'key'; readonly key: string; readonly taskId: string | null }
  /** An earlier task with the same key has failed, is undecided, or waits for its retry. */
  | { readonly because: 'key-failure'; readonly key: string; readonly taskId: string; readonly state: TaskStatus }
  | {
      readonly because: 'queue-paused';
      readonly by: string;
      readonly reason: string | null;
      readonly until: string | null;
      readonly failure: ShownFailure | null;
    }
  /** No task is given out. */
  | { readonly because: 'draining'; readonly by: string; readonly reason: string | null }
  | { readonly because: 'queue-waiting'; readonly queues: readonly string[] }
  | { readonly because: 'queue-finished' }
  | { readonly because: 'queue-failing'; readonly failures: number }
  /**
   * The worker's lease is over since then, and nobody has recorded it yet. `taskId`: the task of the lease, if that is another one of
   * the serial queue. `until`: when the queue is taken over at the latest; null if nothing says so.
   */
  | ({ readonly because: 'lease-over' } & LeaseOver)
  | {
      readonly because: 'no-slot';
      readonly limit: 'serial' | 'perServer' | 'maxRunning';
      readonly running: readonly RunningTask[];
    }
  /** As many tasks run as may that have its value of this label; null: that lack it. */
  | {
      readonly because: 'no-slot';
      readonly limit: 'perLabel';
      readonly label: string;
      readonly labelValue: string | null;
      readonly running: readonly RunningTask[];
    }
  /** A rate of its queue, or of its value of this label (null: it lacks the label), allows no start before `until`. */
  | { readonly because: 'rate'; readonly until: string; readonly label?: string; readonly labelValue?: string | null }
  /**
   * Nothing keeps it: a worker that asks gets the task when it is its turn. `unattended`: for a minute no worker has
   * asked for such tasks, at this `step` if it has one; or none that offers what it `needs`; or all who ask have given tasks of this `kind`
   * back as unknown.
   */
  | {
      readonly because: 'worker';
      readonly unattended: boolean;
      readonly lastPolledAt: string | null;
      readonly step?: string;
      readonly needs?: WorkerLabels;
      readonly kind?: string;
      /** In a queue with fair shares: how many turns come before its own, if nothing else becomes ready. Counted up to 9,999. */
      readonly turnsBefore?: number;
    };

/** A task or batch that another one waits for. */
export interface Blocker {
  readonly id: string;
  readonly state: string;
  /** Of a batch: its tasks that have not ended. Empty for a task. */
  readonly open?: readonly OpenTasks[];
}

export interface LeaseOver {
  readonly taskId?: string;
  readonly worker: string;
  readonly since: string;
  readonly until: string | null;
}

/** What a task has that takes in other submissions of its key. */
export interface Gathering {
  /** How many it has, with its first one. */
  readonly submissions: number;
  /** When it is due at the latest, however many come. */
  readonly latest: string;
}

/** What a task that is due again has behind it. */
export interface Retry {
  /** How its last attempt failed; with the class `lost` if its worker vanished. */
  readonly error: Fault;
  /** How many attempts failed since a person last retried the task, or were lost; in its step, if that has a limit of its own. */
  readonly failures: number;
  /** How many attempts may fail; null without a limit. Absent if the attempts were lost, which this does not limit. */
  readonly maxAttempts?: number | null;
}

/** Why the policy of the queue, or of the step, does not try a failed task again by itself. */
export type NoRetry =
  | { readonly rule: 'on-failure' }
  | { readonly rule: 'classes'; readonly classes: readonly AttemptClass[] }
  | { readonly rule: 'max-attempts'; readonly failures: number; readonly maxAttempts: number }
  | { readonly rule: 'max-lost'; readonly failures: number };

export interface Run {
  readonly worker: string;
  readonly since: string;
  /** For how many milliseconds it has run. */
  readonly ranMs: number;
  readonly until: string | null;
}

type Fault = Pick<TaskError, 'class' | 'message'>;

/** The facts from the rows that a claim reads. */
export interface Facts {
  readonly state: TaskStatus;
  readonly dueAt: string | null;
  /** For a task that is due later: what it retries; null if that is nothing. */
  readonly retry: Retry | null;
  /** For a task that is due later: the signal that its handler waits for; null if it waits for none. */
  readonly signal: string | null;
  /** For a task that is due later: what it has gathered; null if it does not wait for more. */
  readonly gathering: Gathering | null;
  /** Null unless the task runs. */
  readonly run: Run | null;
  readonly key: string | null;
  readonly gate: string | null;
  /** Null unless the task's history cannot be read. */
  readonly quarantined: Omit<Extract<Reason, { readonly because: 'quarantined' }>, 'because'> | null;
  /** The number of prerequisites that are not done, and the first of them. */
  readonly blockers: { readonly count: number; readonly first: readonly Blocker[] };
  /** The task that currently occupies the key. */
  readonly keyOccupant: string | null;
  /** The earlier task that blocks the key. */
  readonly keyBlocker: { readonly taskId: string; readonly state: TaskStatus } | null;
  /** The reason from the history, for a task that is not waiting for a worker. */
  readonly reason: Reason | null;
  /** A hold in force that catches the task; null if there is none, or it concerns tasks at another time only. */
  readonly hold: Omit<Extract<Reason, { readonly because: 'hold' }>, 'because'> | null;
  /** The needs of the task's next step that are not met. */
  readonly shortOf: readonly Omit<Extract<Reason, { readonly because: 'resource' }>, 'because'>[];
  /** Null unless the task is a delivery to such a target. */
  readonly failingTarget: Omit<Extract<Reason, { readonly because: 'target-failing' }>, 'because'> | null;
  /** Null unless the system drains. */
  readonly drain: { readonly by: string; readonly reason: string | null } | null;
  readonly queue: {
    /** Why the queue gives out no tasks, by the rule that claims obey; null if it does. */
    readonly withheld: string | null;
    readonly policy: QueuePolicy;
    readonly failureStreak: number;
    readonly pause: Omit<Extract<Reason, { readonly because: 'queue-paused' }>, 'because'>;
    /** The queues it waits for that are not finished. */
    readonly awaited: readonly string[];
  };
  readonly workers: {
    /** When a worker last asked for tasks at this step and of this kind. */
    readonly lastPolledAt: string | null;
    /** What none of them serves: tasks at the step, that need this, or of the kind. Null if one serves the task. */
    readonly lacking:
      | { readonly step: string | null }
      | { readonly needs: WorkerLabels }
      | { readonly kind: string }
      | null;
  };
  /** Its labels, if its queue tells tasks apart by one. */
  readonly labels: Labels | null;
  /** The rates that allow no start of the task now. */
  readonly paced: readonly Omit<Extract<Reason, { readonly because: 'rate' }>, 'because'>[];
  /** How many turns come before that of a task in a queue with fair shares; null in others, and if the task is not ready. */
  readonly turnsBefore: number | null;
  /** The running tasks of a counted queue. */
  readonly running: readonly LabelledTask[];
  /** Of the task, or of the one that runs in its serial queue; null while the lease stands. */
  readonly leaseOver: LeaseOver | null;
}

/** All reasons at once, the task's own first, so that nobody removes one only to meet the next. */
export function reasonsOf(facts: Facts): readonly Reason[] {
  if (facts.state !== 'pending')
    return [
      ...quarantineReasons(facts),
      facts.reason ?? { because: 'state', state: facts.state, ...facts.run },
      ...leaseReasons(facts),
      ...holdReasons(facts),
      ...prerequisiteReasons(facts),
    ];
  const reasons = [
    ...quarantineReasons(facts),
    ...taskReasons(facts),
    ...holdReasons(facts),
    ...(facts.failingTarget ? [{ because: 'target-failing' as const, ...facts.failingTarget }] : []),
    ...facts.shortOf.map((need) => ({ because: 'resource' as const, ...need })),
    ...queueReasons(facts),
    ...slotReasons(facts),
    ...labelReasons(facts),
    ...facts.paced.map((rate) => ({ because: 'rate' as const, ...rate })),
    ...leaseReasons(facts),
  ];
  const { lacking } = facts.workers;
  // Who gives a task back lets it wait a while, so that this is no reason alone.
  return reasons.length === 0 || (lacking && 'kind' in lacking) ? [...reasons, workerReason(facts)] : reasons;
}

const leaseReasons = ({ leaseOver }: Facts): readonly Reason[] =>
  leaseOver === null ? [] : [{ because: 'lease-over', ...leaseOver }];

function workerReason({ workers: { lastPolledAt, lacking }, turnsBefore }: Facts): Reason {
  const named = lacking && 'step' in lacking ? lacking.step !== null && { step: lacking.step } : lacking;
  return {
    because: 'worker',
    unattended: lacking !== null,
    lastPolledAt,
    ...named,
    ...(turnsBefore !== null && { turnsBefore }),
  };
}

function quarantineReasons({ quarantined }: Facts): readonly Reason[] {
  return quarantined ? [{ because: 'quarantined', ...quarantined }] : [];
}

function holdReasons({ hold }: Facts): readonly Reason[] {
  return hold ? [{ because: 'hold', ...hold }] : [];
}

function prerequisiteReasons({ blockers: { count, first } }: Facts): readonly Reason[] {
  return count === 0 ? [] : [{ because: 'prerequisites', count, blockers: first }];
}

function taskReasons(facts: Facts): readonly Reason[] {
  const { gate, dueAt, retry, signal, gathering, key, keyOccupant, keyBlocker } = facts;
  if (gate === 'blocked') return prerequisiteReasons(facts);
  if (gate === 'due' && signal !== null) return [{ because: 'signal', signal, until: dueAt! }];
  if (gate === 'due' && gathering !== null) return [{ because: 'gathers', until: dueAt!, ...gathering }];
  if (gate === 'due') return [{ because: 'due', until: dueAt!, ...retry }];
  if (gate !== 'key') return [];
  const busy: Reason = { because: 'key', key: key!, taskId: keyOccupant };
  if (!keyBlocker) return [busy];
  const blocked: Reason = { because: 'key-failure', key: key!, ...keyBlocker };
  return keyOccupant === null ? [blocked] : [busy, blocked];
}

function queueReasons({ queue, drain }: Facts): readonly Reason[] {
  if (drain) return [{ because: 'draining', ...drain }];
  switch (queue.withheld) {
    case 'paused':
      return [{ because: 'queue-paused', ...queue.pause }];
    case 'waiting':
      return [{ because: 'queue-waiting', queues: queue.awaited }];
    case 'finished':
      return [{ because: 'queue-finished' }];
    // The queue is between its last allowed failure and its pause.
    case 'failing':
      return [{ because: 'queue-failing', failures: queue.failureStreak }];
    default:
      return [];
  }
}

/** Of a pending task, by the limits of its queue. */
export function slotReasons({ queue: { policy }, running }: SlotFacts): readonly Reason[] {
  if (policy.concurrency === 'serial') return running.length > 0 ? [noSlot('serial', running)] : [];
  // The empty name stands for a server that runs none of the queue's tasks, and so has the most room.
  const servers = ['', ...new Set(running.map(({ server }) => server))];
  const full = servers.flatMap((server) => {
    const { places, limit } = roomOn(server, policy, running);
    return places > 0 ? [] : [{ server, limit }];
  });
  const onFull = running.filter((task) =>
    full.some(({ server, limit }) => limit === 'perServer' && server === task.server),
  );
  return [
    ...(onFull.length > 0 ? [noSlot('perServer', onFull)] : []),
    ...(full.some(({ limit }) => limit === 'maxRunning') ? [noSlot('maxRunning', running)] : []),
  ];
}

/** Of a pending task, by the limits of the value that it has of a label. */
function labelReasons({ queue: { policy }, labels, running }: Facts): readonly Reason[] {
  const { perLabel } = policy;
  if (perLabel === null) return [];
  const { label } = perLabel;
  const labelValue = valueOf(perLabel, labels);
  const { maxRunning = Infinity } = limitsOf(perLabel, labelValue);
  const alike = running.filter((task) => valueOf(perLabel, task.labels) === labelValue);
  return alike.length < maxRunning
    ? []
    : [{ because: 'no-slot', limit: 'perLabel', label, labelValue, running: alike.map(withoutLabels) }];
}

const withoutLabels = ({ taskId, worker, server }: LabelledTask): RunningTask => ({ taskId, worker, server });

interface SlotFacts {
  readonly running: readonly RunningTask[];
  readonly queue: Pick<Facts['queue'], 'policy'>;
}

const noSlot = (limit: 'serial' | Room['limit'], running: readonly RunningTask[]): Reason => ({
  because: 'no-slot',
  limit,
  running: running.map(withoutLabels),
});
