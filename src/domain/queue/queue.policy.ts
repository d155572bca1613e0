import type { RerunReporting } from '../batch/batch.policy.js';
import type { CronPattern } from '../kernel/cron.js';
import type { JsonObject } from '../kernel/json.js';
import type { ErrorClasses } from '../task/error-class.js';
import type { CancelRunning, FailurePolicy, StepNeed, StepPolicy } from '../task/failure-policy.js';
import type { OfferableCommandType, OperatorCommandType } from '../task/task.commands.js';
import type { TaskStatus } from '../task/task.events.js';
import type { WorkerLabels } from '../kernel/worker-labels.js';
import { KEEPS_ALL, type Retention } from './retention.policy.js';

/** All settings of a queue, stored as a whole with each version. `docs/reference/policy.md` explains each field. */
export interface QueuePolicy extends FailurePolicy {
  /**
   * The kinds that the queue accepts; a task without a kind gets the first. If empty, the queue accepts any kind, and a
   * task without one gets `task`.
   */
  readonly kinds: readonly string[];
  /** By kind: the JSON Schema (2020-12) that a new payload of the kind must match. Kinds that have none take any payload. */
  readonly payloadSchemas: Readonly<Record<string, JsonObject>>;
  /** Whether tasks must carry a key. */
  readonly keyRequired: boolean;
  /**
   * What happens to a new task while another with its key waits. `allow`: both wait, and one at a time is ready. `gather`: the waiting
   * one takes it in, as `gather` says, and whatever cannot be taken in waits as with `allow`.
   */
  readonly duplicatePending: 'return-existing' | 'refuse' | 'replace-payload' | 'allow' | 'gather';
  /** How `duplicatePending: gather` makes one task of many submissions. */
  readonly gather: Gathering;
  /** Whether a success supersedes the failed tasks with the same key. */
  readonly clearFailuresOnSuccess: boolean;
  /**
   * `block`: while a task has failed, is undecided, or waits for its automatic retry, later tasks with its key wait.
   * Needs `duplicatePending: allow`, because a task that waits behind the failed one must not prevent its retry.
   */
  readonly onKeyFailure: 'continue' | 'block';
  /** What happens to a cancelled running task once its worker has stopped. */
  readonly onCancel: CancelRunning;
  /** `open`: a reference is taken until its task has succeeded or was aborted, superseded or deleted. */
  readonly uniqueReference: 'off' | 'open' | 'always';
  readonly leaseMs: number;
  /** How long an attempt may take, however alive its worker is; null: for ever. */
  readonly maxRunMs: number | null;
  /** How long a new task may wait for a worker, unless its caller says so; null: for ever. */
  readonly ttlMs: number | null;
  readonly defaultPriority: number;
  /** The steps of every task, in order: names, or rules that differ from the queue's. Empty for plain tasks. */
  readonly steps: readonly (string | StepPolicy)[];
  /** Whether a task is shown under its step's name instead of a state, while it is in a step. */
  readonly stepsAsStates: boolean;
  /** Whether workers may change a task's priority with a step. */
  readonly workersPrioritise: boolean;
  /** What the priority of a new task is: as its caller says, or what these rules add to the default one. */
  readonly priority: { readonly from: 'caller' | 'rules'; readonly rules: readonly PriorityRule[] };
  readonly limits: QueueLimits;
  /** The queue gives out no tasks until these queues are finished. */
  readonly waitsFor: readonly string[];
  /** The queue finishes by itself once its intake is closed and its tasks have ended. */
  readonly finite: boolean;
  /** Tasks without a due time are due at the next occurrence after their submission; null: at once. */
  readonly dueTimes: CronPattern | null;
  /** The preset that the queue was defined with. Its values at that time are in the other fields. */
  readonly preset: string | null;
  /** The queue's names for the states of its tasks; null for the standard names. */
  readonly vocabulary: Readonly<Record<TaskStatus, string>> | null;
  /** The commands that the queue offers, besides those of workers; null for all. */
  readonly commands: readonly OfferedCommand[] | null;
  /** What applies to the batches that its tasks plan; null: the defaults of batches. */
  readonly batches: PlannedBatches | null;
  /** Which of its tasks holds catch: all that would be given out, or only those that no worker has had yet. */
  readonly holdsCatch: 'every-claim' | 'first-claim';
  /** How many of its tasks may run at once. `serial`: one in the whole cluster, and one consumer at a time. */
  readonly concurrency: Concurrency;
  /** The most tasks that run at once in the whole cluster; null: no limit. */
  readonly maxRunning: number | null;
  /** How many tasks may start in a time, in the whole cluster; null: no limit. */
  readonly rate: Rate | null;
  /** Limits for the tasks that have a value of a label in common; null: none. */
  readonly perLabel: LabelLimits | null;
  /** Claims take turns between the values of this label that wait, instead of the first tasks in line; null: they do not. */
  readonly fair: FairShares | null;
  /** How long a serial queue stays with a consumer that has fallen silent. Leases of its tasks are no longer than this. */
  readonly takeoverSeconds: number;
  /** What a task needs of its worker unless it says so itself; null: its tasks need nothing, and may not say so. */
  readonly needs: WorkerLabels | null;
  /** Pause the queue after this many failed attempts in a row, of any tasks; null: never. */
  readonly pauseAfterFailures: number | null;
  /** Whether to record the stacks of errors (`details.stack`). */
  readonly errorStacks: boolean;
  /** `guessed`: an error that came without a class gets one by its details and message, instead of `application`. */
  readonly errorClasses: ErrorClasses;
  readonly retention: Retention;
  /** The places in payloads by which its tasks are searched, such as `order.id`. */
  readonly search: readonly string[];
  /** After how many days what its ended tasks were about is erased; null: never. */
  readonly expireDays: number | null;
  /** Payloads of more bytes than this are stored outside the log; null: none. */
  readonly payloadsOutsideAboveBytes: number | null;
}

export interface PlannedBatches {
  /** The batch preset of those that are created without one. */
  readonly preset: string | null;
  readonly reRunReporting: RerunReporting;
  /** Whether whoever creates a batch may choose another way. */
  readonly creatorChooses: boolean;
}

/** Applies to tasks with a label, or with one value of it, or to those of a batch with more tasks than this. */
export type PriorityRule = { readonly add: number } & (
  | { readonly label: string; readonly value?: string }
  | { readonly batchAbove: number }
);

/** A command that is offered in every state of a task, or only in the listed ones. */
export type OfferedCommand =
  | OfferableCommandType
  | { readonly command: OperatorCommandType; readonly in: readonly TaskStatus[] };

/** `perServer`: this many on each server. */
export type Concurrency = 'unlimited' | 'serial' | { readonly perServer: number };

export interface QueueLimits {
  /** The most bytes of a payload as UTF-8 JSON. */
  readonly payloadBytes: number;
}

/** A task that gathers is due `quietMs` after its last submission, and `maxMs` after its first one at the latest. */
export interface Gathering {
  readonly quietMs: number;
  readonly maxMs: number;
  /** What the task has in the end: the payload of its last submission, or a list of those of all. */
  readonly payloads: 'last' | 'all';
}

/** Tasks without the label count as those of one value. */
export interface LabelLimits extends ValueLimits {
  readonly label: string;
  /** The values with limits of their own. What one leaves out is as for the other values. Absent: none. */
  readonly values?: readonly (ValueLimits & { readonly value: string })[];
}

/** The most values with limits of their own. */
export const MOST_LIMITED_VALUES = 1_000;

export interface ValueLimits {
  /** The most tasks of each value that run at once in the whole cluster. Absent: no limit. */
  readonly maxRunning?: number;
  /** How many tasks of each value may start in a time. Absent: no limit. */
  readonly rate?: Rate;
}

/**
 * In any time, no more tasks start than `burst` and what the rate gives in that time. Starts are counted by the database's clock when they are claimed, also
 * those of tasks that are claimed again.
 */
export interface Rate {
  readonly starts: number;
  readonly perMs: number;
  /** How many may start at once after a quiet time. */
  readonly burst: number;
}

/** Tasks without the label count as those of one value. Within a value, the order of the queue holds. */
export interface FairShares {
  readonly label: string;
  /** How many turns a value has while another one has 1. Absent, and for tasks without the label: 1. */
  readonly weights?: Readonly<Record<string, number>>;
}

/** The labels of a task. */
export type Labels = Readonly<Record<string, string>>;

/** How long a serial queue waits for another worker after the lease of its consumer is over. Then it is taken over without one. */
export const TAKEOVER_GRACE_MS = 5_000;

export const DEFAULT_POLICY: QueuePolicy = {
  kinds: [],
  payloadSchemas: {},
  keyRequired: false,
  duplicatePending: 'return-existing',
  gather: { quietMs: 5_000, maxMs: 60_000, payloads: 'last' },
  clearFailuresOnSuccess: true,
  onKeyFailure: 'continue',
  onCancel: 'cancel',
  uniqueReference: 'off',
  onFailure: 'fail',
  retry: {
    maxAttempts: 3,
    classes: ['application', 'transient', 'bug', 'timeout'],
    backoff: { kind: 'exponential', baseMs: 1_000, factor: 2, capMs: 3_600_000, jitter: 'full' },
  },
  maxLost: 3,
  leaseMs: 30_000,
  maxRunMs: null,
  ttlMs: null,
  defaultPriority: 0,
  steps: [],
  stepsAsStates: false,
  workersPrioritise: false,
  priority: { from: 'caller', rules: [] },
  limits: { payloadBytes: 262_144 },
  waitsFor: [],
  finite: false,
  pauseAfterFailures: null,
  errorStacks: true,
  errorClasses: 'given',
  dueTimes: null,
  preset: null,
  vocabulary: null,
  commands: null,
  batches: null,
  holdsCatch: 'every-claim',
  concurrency: 'unlimited',
  maxRunning: null,
  rate: null,
  perLabel: null,
  fair: null,
  takeoverSeconds: 30,
  needs: null,
  retention: KEEPS_ALL,
  search: [],
  expireDays: null,
  payloadsOutsideAboveBytes: null,
};

/** The fields under which contents are erased. Whoever sets one must be allowed to erase, and the store must be able to forget. */
const ERASING = ['expireDays'] as const satisfies readonly (keyof QueuePolicy)[];

/** Whether the fields, of a policy or of a change of one, set such a field. */
export const erases = (fields: Partial<Pick<QueuePolicy, (typeof ERASING)[number]>>): boolean =>
  ERASING.some((field) => (fields[field] ?? null) !== null);

/** A stored policy with the defaults of all fields that were added since. */
export const wholePolicy = (stored: QueuePolicy): QueuePolicy => ({ ...DEFAULT_POLICY, ...stored });

/** Whether each task of the queue has a list of payloads, so that handlers always get one. */
export const listsPayloads = ({
  duplicatePending,
  gather,
}: Pick<QueuePolicy, 'duplicatePending' | 'gather'>): boolean =>
  duplicatePending === 'gather' && gather.payloads === 'all';

/** The names of the steps. If the policy lists only names, this is the policy's own array, so that tasks share it. */
export const stepNames = ({ steps }: Pick<QueuePolicy, 'steps'>): readonly string[] =>
  steps.every(isName) ? (steps as readonly string[]) : steps.map((step) => (isName(step) ? step : step.name));

const isOptional = (step: string | StepPolicy): boolean => !isName(step) && step.optional === true;

/** The steps of a task: those that it names, in the order of the policy, or all that are not optional. */
export function stepsFor(policy: Pick<QueuePolicy, 'steps'>, named?: readonly string[]): readonly string[] {
  if (named) return stepNames(policy).filter((name) => named.includes(name));
  const { steps } = policy;
  return stepNames(steps.some(isOptional) ? { steps: steps.filter((step) => !isOptional(step)) } : policy);
}

/** What a step needs before a task is given out for it. */
export const needsOf = (step: string | StepPolicy): readonly StepNeed[] => (isName(step) ? [] : (step.needs ?? []));

/** The names of the steps that need resources. */
export const gatedSteps = ({ steps }: Pick<QueuePolicy, 'steps'>): readonly string[] =>
  steps.flatMap((step) => (isName(step) || needsOf(step).length === 0 ? [] : step.name));

const isName = (step: unknown): step is string => typeof step === 'string';

/** Whether ready tasks of the queue differ in which claims may get them. */
export const hasLanes = ({ perLabel, fair, needs }: QueuePolicy): boolean =>
  perLabel !== null || fair !== null || needs !== null;

/** Whether a claim must count the running tasks. */
export const isCounted = ({ concurrency, maxRunning, rate, perLabel }: QueuePolicy): boolean =>
  concurrency !== 'unlimited' || maxRunning !== null || rate !== null || perLabel !== null;

/** Whether a claim must count its starts. */
export const isPaced = ({ rate, perLabel }: QueuePolicy): boolean => rate !== null || isPacedByLabel(perLabel);

const isPacedByLabel = (perLabel: LabelLimits | null): boolean =>
  perLabel !== null && [perLabel, ...(perLabel.values ?? [])].some(({ rate }) => rate !== undefined);

/** The limits of a value, or of the tasks without the label. */
export const limitsOf = ({ maxRunning, rate, values = [] }: LabelLimits, value: string | null): ValueLimits => ({
  maxRunning,
  rate,
  ...values.find((one) => one.value === value),
});

/** The value of the label by which the queue tells its tasks apart; null for those without it. */
export const valueOf = ({ label }: LabelLimits | FairShares, labels: Labels | null | undefined): string | null =>
  labels?.[label] ?? null;

/** How many more tasks the limits of a queue allow on a server. */
export interface Room {
  /** Tasks that may start there now; no room if zero or negative. */
  readonly places: number;
  /** The tightest limit. */
  readonly limit: 'perServer' | 'maxRunning';
}

/** The only rule for limits: claims obey it, and explanations use it. */
export function roomOn(
  server: string,
  { concurrency, maxRunning }: Pick<QueuePolicy, 'concurrency' | 'maxRunning'>,
  running: readonly { readonly server: string }[],
): Room {
  const here = running.filter((task) => task.server === server).length;
  const onServer = (typeof concurrency === 'object' ? concurrency.perServer : Infinity) - here;
  const inCluster = (maxRunning ?? Infinity) - running.length;
  // If both are full, report the server: its worker can claim from other queues.
  return onServer <= 0 || onServer < inCluster
    ? { places: onServer, limit: 'perServer' }
    : { places: inCluster, limit: 'maxRunning' };
}
