import { RERUN_REPORTING, type RerunReporting } from '../../domain/batch/batch.policy.js';
import type { Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty } from '@nestjs/swagger';
import {
  OFFERABLE_COMMANDS,
  type OfferableCommandType,
  OPERATOR_COMMANDS,
  type OperatorCommandType,
} from '../../application/tasks/offers.js';
import { ATTEMPT_CLASSES, type AttemptClass, TASK_STATUSES, type TaskStatus } from '../../domain/task/task.events.js';
import type { WorkerLabels } from '../../domain/kernel/worker-labels.js';
import type { JsonObject } from '../../domain/kernel/json.js';
import { ChangesOf } from '../input/changes.js';
import {
  Choice,
  Choices,
  Closed,
  ConcurrencyOf,
  PriorityRulesOf,
  Decimal,
  Flag,
  Integer,
  Named,
  Part,
  Parts,
  Text,
  Texts,
} from '../input/fields.js';
import { LabelsOfWorkers } from '../input/label-fields.js';
import { CronPattern } from './cron.dto.js';
import { JsonSchemas } from './json-schema.fields.js';
import { Weights } from './weights.fields.js';
import { DAYS_KEPT, EXPIRE_DAYS, Limits, QUEUE_NAME, SEARCH_PATHS } from './limits.js';

const ERROR_CLASSES_ARE = ['given', 'guessed'] as const;
const HOLDS_CATCH = ['every-claim', 'first-claim'] as const;
export const MAX_COUNT = 1_000_000;
const MAX_WEIGHT = 1_000;

// THE DECLARATION of a policy: each field once, as it is shown. `change` says what is different in a request that changes
// it. The class names become the component names.

/** A start a day is the lowest rate. */
const RATE_MS = 86_400_000;

/** How long an attempt may take: up to a year. The sweeper ends it within a fraction of a second. */
const RUN_MS = { min: 1_000, max: 366 * 86_400_000 } as const;

export class BackoffPolicy {
  @Choice(['exponential', 'fixed'])
  kind!: 'exponential' | 'fixed';

  @Integer({
    min: 0,
    max: Limits.delayMs,
    example: 1_000,
    change: { description: 'Milliseconds before the first retry.' },
  })
  baseMs!: number;

  @Decimal({ min: 1, max: 100, example: 2, change: { description: 'Multiplies each further delay.' } })
  factor!: number;

  @Integer({
    min: 0,
    max: Limits.delayMs,
    example: 3_600_000,
    change: { description: 'The longest delay in milliseconds.' },
  })
  capMs!: number;

  @Choice(['full', 'none'])
  jitter!: 'full' | 'none';
}

export class RetryPolicy {
  @Integer({
    min: 1,
    max: MAX_COUNT,
    nullable: true,
    example: 3,
    change: { description: 'Includes the first attempt; null: no limit.' },
  })
  maxAttempts!: number | null;

  @Choices(ATTEMPT_CLASSES, { description: 'Only failures of these classes are retried.' })
  classes!: AttemptClass[];

  @Part(() => BackoffPolicy)
  backoff!: BackoffPolicy;
}

@Closed()
export class BackoffChanges extends ChangesOf(BackoffPolicy) {}

@Closed()
export class RetryChanges extends ChangesOf(RetryPolicy, { parts: { backoff: BackoffChanges } }) {}

/** How many submissions become one task. */
export class Gathering {
  @Integer({
    ...Limits.gatherMs,
    example: 5_000,
    change: { description: 'The task is due so many milliseconds after its last submission.' },
  })
  quietMs!: number;

  @Integer({
    ...Limits.gatherMs,
    example: 60_000,
    change: { description: 'The task is due so many milliseconds after its first submission at the latest.' },
  })
  maxMs!: number;

  @Choice(['last', 'all'], {
    change: {
      description: 'What the task gets: the payload of its last submission, or a list of all, in their order.',
    },
  })
  payloads!: 'last' | 'all';
}

@Closed()
export class GatherChanges extends ChangesOf(Gathering) {}

export class QueueLimits {
  @Integer({
    min: 1,
    max: 16 * 1024 * 1024,
    example: 262_144,
    change: { description: 'The most bytes of a payload as UTF-8 JSON.' },
  })
  payloadBytes!: number;
}

export class Retention {
  @Integer({ ...DAYS_KEPT, nullable: true, example: 30, change: { example: 30 } })
  succeeded!: number | null;

  @Integer({ ...DAYS_KEPT, nullable: true })
  failed!: number | null;

  @Integer({ ...DAYS_KEPT, nullable: true })
  cancelled!: number | null;

  @Integer({ ...DAYS_KEPT, nullable: true })
  aborted!: number | null;

  @Integer({ ...DAYS_KEPT, nullable: true })
  superseded!: number | null;

  @Integer({ ...DAYS_KEPT, nullable: true })
  deleted!: number | null;
}

@Closed()
export class Rate {
  @Integer({ min: 1, max: MAX_COUNT, example: 100, description: 'How many tasks may start in each `perMs`.' })
  starts!: number;

  @Integer({ min: 1, max: RATE_MS, example: 60_000, description: 'The time for so many starts, in milliseconds.' })
  perMs!: number;

  @Integer({
    min: 1,
    max: 10_000,
    example: 20,
    description:
      'How many may start at once after a quiet time. In any time, no more start than these and what the rate gives.',
  })
  burst!: number;
}

@Closed()
export class ValueLimits {
  @Text({ max: 256, example: 'acme' })
  value!: string;

  @Integer({ min: 1, max: MAX_COUNT, optional: true, example: 10, description: 'Instead of that of other values.' })
  maxRunning?: number;

  @Part(() => Rate, { optional: true, description: 'Instead of that of other values.' })
  rate?: Rate;
}

@Closed()
export class LabelLimits {
  @Text({ max: 64, example: 'customer', description: 'The label whose values are limited.' })
  label!: string;

  @Integer({
    min: 1,
    max: MAX_COUNT,
    example: 2,
    optional: true,
    description: 'The most tasks with the same value, or without the label, that run at once in the whole cluster.',
  })
  maxRunning?: number;

  @Part(() => Rate, {
    optional: true,
    description: 'How many tasks with the same value, or without the label, may start in a time.',
  })
  rate?: Rate;

  @Parts(() => ValueLimits, {
    min: 0,
    max: Limits.limitedValues,
    optional: true,
    description: 'The values with limits of their own. What one leaves out is as for the other values.',
  })
  values?: ValueLimits[];
}

@Closed()
export class FairShares {
  @Text({
    max: 64,
    example: 'tenant',
    description: 'The label between whose values claims take turns. Tasks without it count as those of one value.',
  })
  label!: string;

  @Weights({
    items: Limits.weights,
    most: MAX_WEIGHT,
    optional: true,
    description: 'How many turns a value has while another one has 1.',
    example: { acme: 3 },
  })
  weights?: Record<string, number>;
}

@Closed()
export class LimitChanges extends ChangesOf(QueueLimits) {}

@Closed()
export class RetentionChanges extends ChangesOf(Retention) {}

@Closed()
export class StepNeed {
  @Text({ max: 100, pattern: QUEUE_NAME, example: 'working-storage' })
  resource!: string;

  @Decimal({ min: -1e15, max: 1e15, example: 80, description: 'The gauge of the resource must be below this.' })
  below!: number;
}

@Closed()
export class PriorityPolicy {
  @Choice(['caller', 'rules'], { description: 'Who decides. With `rules`, a submission must not name a priority.' })
  from!: 'caller' | 'rules';

  @PriorityRulesOf({
    max: Limits.priorityRules,
    description:
      'With `rules`: what the rules that apply add to `defaultPriority`. A rule applies to tasks with a label, to those with one value of it, or to those of a batch with more than so many tasks.',
  })
  rules!: PriorityRule[];
}

type PriorityRule = { add: number; label: string; value?: string } | { add: number; batchAbove: number };

@Closed()
export class StepPolicy {
  @Text({ max: Limits.step, example: 'render' })
  name!: string;

  @Choice(['fail', 'retry', 'decide'], {
    optional: true,
    description: 'What follows an attempt that fails in the step.',
  })
  onFailure?: 'fail' | 'retry' | 'decide';

  @Part(() => RetryChanges, {
    optional: true,
    description: '`maxAttempts` counts the attempts that failed in the step.',
  })
  retry?: RetryChanges;

  @Integer({
    min: 0,
    max: MAX_COUNT,
    optional: true,
    nullable: true,
    description: 'How often a task whose lease is lost in the step waits again before it fails; null: without limit.',
  })
  maxLost?: number | null;

  @Integer({
    ...RUN_MS,
    optional: true,
    nullable: true,
    description:
      "How long a worker may take for the step, from its beginning, besides the queue's longest run time; null: for ever.",
  })
  maxRunMs?: number | null;

  @Flag({
    optional: true,
    description:
      'false: no failure and no lost lease ends the task in the step. It is always retried, after the backoff.',
  })
  mayFail?: boolean;

  @Flag({ optional: true, description: 'false: no retry by a person begins at the step, not even with `override`.' })
  resumable?: boolean;

  @Flag({ optional: true, description: 'false: completing the step leaves `lastStep` as it is.' })
  marks?: boolean;

  @Flag({ optional: true, description: 'true: only tasks that name the step in their `steps` have it.' })
  optional?: boolean;

  @Parts(() => StepNeed, {
    min: 0,
    max: Limits.needs,
    optional: true,
    description: 'A task is given out for the step only while all of these are met.',
  })
  needs?: StepNeed[];
}

@Closed()
export class CommandOffer {
  @Choice(OPERATOR_COMMANDS, { example: 'RetryTask' })
  command!: OperatorCommandType;

  @Choices(TASK_STATUSES, { min: 1, example: ['failed'], description: 'The states in which the queue offers it.' })
  in!: TaskStatus[];
}

const STEPS = { part: StepPolicy, by: 'name', names: { max: Limits.step }, items: Limits.steps };
const COMMANDS = { part: CommandOffer, by: 'command', names: OFFERABLE_COMMANDS, items: OFFERABLE_COMMANDS.length };

/** What applies to the batches that tasks of the queue plan. */
@Closed()
export class PlannedBatches {
  @Text({ max: 100, nullable: true, example: 'repository', description: 'The batch preset; null: none.' })
  preset!: string | null;

  @Choice(RERUN_REPORTING, { description: 'How runs of failed tasks are reported.' })
  reRunReporting!: RerunReporting;

  @Flag({ description: 'Whether whoever creates a batch may choose another way.' })
  creatorChooses!: boolean;
}

@ApiExtraModels(StepPolicy, CommandOffer)
export class QueuePolicy {
  @Texts({
    items: Limits.kinds,
    max: Limits.kind,
    change: {
      description: 'The kinds of task that the queue accepts. A task without a kind gets the first. Empty: any.',
    },
  })
  kinds!: string[];

  @JsonSchemas({
    items: Limits.kinds,
    max: Limits.kind,
    change: {
      description:
        'By kind: the JSON Schema (2020-12) that payloads of new tasks must match. A kind that has none takes any payload.',
      example: { order: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } } },
    },
  })
  payloadSchemas!: Record<string, JsonObject>;

  @Flag({ change: { description: 'Tasks must carry a key.' } })
  keyRequired!: boolean;

  @Choice(['return-existing', 'refuse', 'replace-payload', 'allow', 'gather'], {
    change: { description: 'What happens to a new task while another one with its key waits.' },
  })
  duplicatePending!: 'return-existing' | 'refuse' | 'replace-payload' | 'allow' | 'gather';

  @Part(() => Gathering)
  gather!: Gathering;

  @Flag({ change: { description: 'A success supersedes the failed tasks with the same key.' } })
  clearFailuresOnSuccess!: boolean;

  @Choice(['continue', 'block'], {
    change: {
      description:
        '`block`: while a task has failed, is undecided, or waits for its automatic retry, later tasks with its key wait. ' +
        'Needs `duplicatePending: allow`.',
    },
  })
  onKeyFailure!: 'continue' | 'block';

  @Choice(['cancel', 'fail'], {
    change: {
      description:
        'What becomes of a running task that somebody cancels, once its worker has stopped: `cancel` makes it cancelled; ' +
        '`fail` makes it failed, with the cancellation as its error.',
    },
  })
  onCancel!: 'cancel' | 'fail';

  @Choice(['off', 'open', 'always'], { change: { description: 'Among which tasks a reference must be unique.' } })
  uniqueReference!: 'off' | 'open' | 'always';

  @Choice(['fail', 'retry', 'decide'], { change: { description: 'What follows a failed attempt.' } })
  onFailure!: 'fail' | 'retry' | 'decide';

  @Part(() => RetryPolicy)
  retry!: RetryPolicy;

  @Integer({
    min: 0,
    max: MAX_COUNT,
    nullable: true,
    example: 3,
    change: { nullable: false, description: 'How often a task whose lease is lost waits again before it fails.' },
  })
  maxLost!: number | null;

  @Integer({
    ...Limits.leaseMs,
    example: 30_000,
    change: { description: 'How long a claim lasts unless the worker extends it.' },
  })
  leaseMs!: number;

  @Integer({
    ...RUN_MS,
    nullable: true,
    change: {
      description:
        'How long an attempt may take, from its claim. Then it counts as failed with the class `timeout`, although its worker still sends heartbeats; null: for ever.',
    },
  })
  maxRunMs!: number | null;

  @Integer({
    ...Limits.ttlMs,
    nullable: true,
    change: {
      description:
        'How long a new task may wait for a worker, from its due time or its submission, unless it says so itself. Then it fails with the class `expired`; null: for ever.',
    },
  })
  ttlMs!: number | null;

  @Integer({ ...Limits.priority, example: 0, change: { description: 'The priority of tasks that name none.' } })
  defaultPriority!: number;

  @Named({
    ...STEPS,
    change: {
      description:
        "The steps of every task, in order. An object sets rules for failures in the step instead of the queue's.",
    },
  })
  steps!: (string | StepPolicy)[];

  @Flag({ change: { description: "Show a task that is in a step under the step's name (`stateName`)." } })
  stepsAsStates!: boolean;

  @Flag({ change: { description: 'Workers may change the priority of a task when they complete a step.' } })
  workersPrioritise!: boolean;

  @Part(() => PriorityPolicy)
  priority!: PriorityPolicy;

  @Part(() => QueueLimits)
  limits!: QueueLimits;

  @Part(() => Retention, {
    description: 'Days after which ended tasks leave the lists, by their state; null: never.',
    change: {
      description:
        'After how many days ended tasks leave the lists for the archive, by their state; null: never. They stay reachable by id.',
    },
  })
  retention!: Retention;

  @Texts({
    ...SEARCH_PATHS,
    change: {
      description:
        'The places in payloads by which tasks are searched (`payload.order.id:`), such as `order.id`. Tasks that are submitted from then on are found.',
    },
  })
  search!: string[];

  @Integer({
    ...EXPIRE_DAYS,
    nullable: true,
    change: {
      description:
        'After how many days what its ended tasks were about is erased, day by day; null: never. To set it needs the permission `erase`.',
    },
  })
  expireDays!: number | null;

  @Integer({
    min: 1_024,
    max: 16 * 1024 * 1024,
    nullable: true,
    example: 65_536,
    change: {
      description:
        'Payloads of more bytes than this are stored in `WAYBILL_PAYLOAD_STORE`, and the log keeps only their digest; null: none. Not together with `search`.',
    },
  })
  payloadsOutsideAboveBytes!: number | null;

  @Texts({
    items: Limits.waitsFor,
    max: Limits.queue,
    change: { description: 'The queue gives out no tasks until these queues are finished.' },
  })
  waitsFor!: string[];

  @Flag({
    change: { description: 'The queue finishes by itself once its intake is closed and all of its tasks have ended.' },
  })
  finite!: boolean;

  @Integer({
    min: 1,
    max: MAX_COUNT,
    nullable: true,
    change: { description: 'Pause the queue after this many failed attempts in a row; null: never.' },
  })
  pauseAfterFailures!: number | null;

  @Flag({
    change: {
      description:
        "Record the stacks of errors (`details.stack`). Set it to false if stacks may reveal too much of the worker's code and machine.",
    },
  })
  errorStacks!: boolean;

  @Choice(ERROR_CLASSES_ARE, {
    change: {
      description:
        'Errors without a class are `application`. `guessed`: they are of the class that `failure_reason`, `reason` or `type` in their details name, or `business` if these or the message mention the word.',
    },
  })
  errorClasses!: (typeof ERROR_CLASSES_ARE)[number];

  @Part(() => CronPattern, {
    nullable: true,
    change: {
      description:
        'Tasks without a due time take the next occurrence after they are enqueued; null: they are due at once.',
    },
  })
  dueTimes!: CronPattern | null;

  @Part(() => PlannedBatches, {
    nullable: true,
    change: { description: 'What applies to the batches that tasks of the queue plan; null: the defaults.' },
  })
  batches!: PlannedBatches | null;

  @Choice(HOLDS_CATCH, {
    change: {
      description:
        'Which tasks holds catch. `every-claim`: every task that would be given out. `first-claim`: only tasks that no worker has had yet.',
    },
  })
  holdsCatch!: (typeof HOLDS_CATCH)[number];

  @ConcurrencyOf({
    max: MAX_COUNT,
    example: 'unlimited',
    change: {
      description:
        'How many tasks run at once. `serial` or `0`: one task and one consumer in the whole cluster. ' +
        '`{ perServer: n }` or `n`: n tasks on each server.',
    },
  })
  concurrency!: 'unlimited' | 'serial' | { perServer: number };

  @Integer({
    min: 1,
    max: MAX_COUNT,
    nullable: true,
    change: { description: 'The most tasks that run at once in the whole cluster; null: no limit.' },
  })
  maxRunning!: number | null;

  @Part(() => Rate, {
    nullable: true,
    description: 'How many of its tasks may start in a time, in the whole cluster; null: no limit.',
  })
  rate!: Rate | null;

  @Part(() => LabelLimits, {
    nullable: true,
    description: 'Limits for the tasks that have a value of a label in common; null: none.',
  })
  perLabel!: LabelLimits | null;

  @Part(() => FairShares, {
    nullable: true,
    description:
      'Weighted turns between the values of a label that wait, however many tasks each has; null: the first tasks in line are given out.',
  })
  fair!: FairShares | null;

  @Integer({
    ...Limits.takeoverSeconds,
    example: 30,
    change: { description: 'How long a serial queue stays with a consumer that has fallen silent.' },
  })
  takeoverSeconds!: number;

  @LabelsOfWorkers({
    nullable: true,
    example: null,
    change: {
      description:
        'What tasks that do not say so themselves need of their worker, which must offer each label with the same value; `{}`: nothing. ' +
        'null: the queue looks at no needs, and takes no tasks that name some. Not together with `concurrency: serial`.',
    },
  })
  needs!: WorkerLabels | null;

  @Text({ max: 100, nullable: true })
  preset!: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    nullable: true,
    description: "The queue's names for the states of its tasks; null: Waybill's own names.",
  })
  vocabulary!: Record<TaskStatus, string> | null;

  @Named({
    ...COMMANDS,
    nullable: true,
    change: {
      description:
        "The commands that the queue offers, besides those of workers: in every state, or in an object's states; null: all.",
    },
  })
  commands!: (OfferableCommandType | CommandOffer)[] | null;
}

/** `preset` and `vocabulary` change with the definition only. */
const SettingChanges = ChangesOf(QueuePolicy, {
  parts: { gather: GatherChanges, retry: RetryChanges, limits: LimitChanges, retention: RetentionChanges },
  without: ['preset', 'vocabulary'],
  // Where the document has always listed them.
  behind: { onCancel: 'retention', batches: 'takeoverSeconds' },
});

/** With the types of what a change takes otherwise. */
type SettingChanges = Omit<InstanceType<typeof SettingChanges>, 'concurrency' | 'maxLost'> & {
  concurrency?: QueuePolicy['concurrency'] | number;
  maxLost?: number;
};

@Closed()
@ApiExtraModels(StepPolicy, CommandOffer)
export class PolicyChanges extends (SettingChanges as Type<SettingChanges>) {}

/** The change of a policy as a request. */
@Closed()
export class PolicyChange extends PolicyChanges {
  @Text({ max: Limits.reason, optional: true, description: 'The reason, for the history.' })
  reason?: string;
}
