import type { CancelRunning, FailurePolicy } from '../task/failure-policy.js';
import type { TaskCommandType } from '../task/task.commands.js';
import type { TaskStatus } from '../task/task.events.js';

/** Everything a queue's owner may decide about it. Stored whole with each version; see docs for the meaning of each field. */
export interface QueuePolicy extends FailurePolicy {
  /** What the queue's tasks may be, by their kinds; one that names none is of the first. Empty: any, and `task`. */
  readonly kinds: readonly string[];
  /** Tasks must carry a key. */
  readonly keyRequired: boolean;
  /** What happens to a second task of a key while one already waits. `allow` lets them line up, one ready at a time. */
  readonly duplicatePending: 'return-existing' | 'refuse' | 'replace-payload' | 'allow';
  /** A success supersedes the failed tasks of its key. */
  readonly clearFailuresOnSuccess: boolean;
  /**
   * `block`: while a task of a key has failed, errs, or waits for its automatic retry, the later ones of the key wait. Needs `allow`: a task
   * that waits behind the failed one must not stand in the way of its retry.
   */
  readonly onKeyFailure: 'continue' | 'block';
  /** What becomes of a running task that is cancelled, once its worker has stopped. */
  readonly onCancel: CancelRunning;
  /** `open`: a reference is blocked until its task is succeeded, aborted, superseded or deleted. */
  readonly uniqueReference: 'off' | 'open' | 'always';
  readonly leaseMs: number;
  readonly defaultPriority: number;
  /** Ordered step names every task of this queue runs through; empty for plain tasks. */
  readonly steps: readonly string[];
  readonly limits: QueueLimits;
  /** Nothing is given out until these queues are finished. */
  readonly waitsFor: readonly string[];
  /** The queue finishes by itself when its intake is closed and its tasks are final. */
  readonly finite: boolean;
  readonly schedule: QueueSchedule | null;
  /** The preset that the queue was defined with; what it said then is in the other fields. */
  readonly preset: string | null;
  /** What the queue's people call each state of a task; null: what we call it. */
  readonly vocabulary: Readonly<Record<TaskStatus, string>> | null;
  /** What may be asked of the queue's tasks beside work on them; null: everything. */
  readonly commands: readonly TaskCommandType[] | null;
  /** How many of its tasks may run at once. `serial`: one in the whole cluster, and one consumer at a time. */
  readonly concurrency: Concurrency;
  /** Tasks that run at once in the whole cluster at most; null: no limit. */
  readonly maxRunning: number | null;
  /** How long a serial queue stays with a consumer that is not heard of; its tasks' leases are no longer than this. */
  readonly takeoverSeconds: number;
  /** So many failed attempts in a row, of whichever tasks, pause the queue; null: none do. */
  readonly pauseAfterFailures: number | null;
  /** The stacks of errors are kept (`details.stack`); otherwise they are recorded nowhere. */
  readonly errorStacks: boolean;
}

/** `perServer`: on each server so many. */
export type Concurrency = 'unlimited' | 'serial' | { readonly perServer: number };

/** When tasks without a time of their own are due: the next occurrence after they are handed in. */
export interface QueueSchedule {
  readonly cron: string;
  /** An IANA name. */
  readonly timeZone: string;
}

export interface QueueLimits {
  /** Bytes of a task's payload as UTF-8 JSON. */
  readonly payloadBytes: number;
}

export const DEFAULT_POLICY: QueuePolicy = {
  kinds: [],
  keyRequired: false,
  duplicatePending: 'return-existing',
  clearFailuresOnSuccess: true,
  onKeyFailure: 'continue',
  onCancel: 'cancel',
  uniqueReference: 'off',
  onFailure: 'fail',
  retry: {
    maxAttempts: 3,
    classes: ['application', 'transient', 'bug'],
    backoff: { kind: 'exponential', baseMs: 1_000, factor: 2, capMs: 3_600_000, jitter: 'full' },
  },
  maxLost: 3,
  leaseMs: 30_000,
  defaultPriority: 0,
  steps: [],
  limits: { payloadBytes: 262_144 },
  waitsFor: [],
  finite: false,
  pauseAfterFailures: null,
  errorStacks: true,
  schedule: null,
  preset: null,
  vocabulary: null,
  commands: null,
  concurrency: 'unlimited',
  maxRunning: null,
  takeoverSeconds: 30,
};

/** A policy as it was stored, perhaps before it had all of today's fields: what it does not say is as if it never was asked. */
export const wholePolicy = (stored: QueuePolicy): QueuePolicy => ({ ...DEFAULT_POLICY, ...stored });

/** Whether a claim has to count what already runs. */
export const isCounted = ({ concurrency, maxRunning }: QueuePolicy): boolean =>
  concurrency !== 'unlimited' || maxRunning !== null;

/** What a counted queue's limits leave for a server beside what runs. */
export interface Room {
  /** Tasks that may begin there now; none or fewer: no room. */
  readonly places: number;
  /** The limit that is met first. */
  readonly limit: 'perServer' | 'maxRunning';
}

/** The one rule of counted queues: a claim keeps it, and an explanation names it. */
export function roomOn(
  server: string,
  { concurrency, maxRunning }: Pick<QueuePolicy, 'concurrency' | 'maxRunning'>,
  running: readonly { readonly server: string }[],
): Room {
  const here = running.filter((task) => task.server === server).length;
  const onServer = (typeof concurrency === 'object' ? concurrency.perServer : Infinity) - here;
  const inCluster = (maxRunning ?? Infinity) - running.length;
  // A full server is told so even where the cluster is full, too: it may ask for something else.
  return onServer <= 0 || onServer < inCluster
    ? { places: onServer, limit: 'perServer' }
    : { places: inCluster, limit: 'maxRunning' };
}
