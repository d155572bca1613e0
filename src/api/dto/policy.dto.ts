import { ApiProperty } from '@nestjs/swagger';
import { ERROR_CLASSES } from '../../domain/task/task.events.js';
import { Choice, Choices, Closed, ConcurrencyOf, Decimal, Flag, Integer, Part, Text, Texts } from '../input/fields.js';
import { Limits } from './limits.js';

const MAX_COUNT = 1_000_000;

// What a caller may change, and (below) the whole policy as it is shown. The names of the classes are those of the components.

@Closed()
export class BackoffChanges {
  @Choice(['exponential', 'fixed'], { optional: true })
  kind?: 'exponential' | 'fixed';

  @Integer({ min: 0, max: Limits.delayMs, optional: true, description: 'Milliseconds before the first retry.' })
  baseMs?: number;

  @Decimal({ min: 1, max: 100, optional: true, description: 'By which each further delay grows.' })
  factor?: number;

  @Integer({ min: 0, max: Limits.delayMs, optional: true, description: 'No delay is longer.' })
  capMs?: number;

  @Choice(['full', 'none'], { optional: true })
  jitter?: 'full' | 'none';
}

@Closed()
export class RetryChanges {
  @Integer({ min: 1, max: MAX_COUNT, optional: true, description: 'The first attempt included.' })
  maxAttempts?: number;

  @Choices(ERROR_CLASSES, { optional: true, description: 'Failures of these classes are tried again.' })
  classes?: ('business' | 'application' | 'transient' | 'bug')[];

  @Part(() => BackoffChanges, { optional: true })
  backoff?: BackoffChanges;
}

@Closed()
export class LimitChanges {
  @Integer({ min: 1, max: 16 * 1024 * 1024, optional: true, description: "Bytes of a task's payload as JSON." })
  payloadBytes?: number;
}

@Closed()
export class QueueSchedule {
  @Text({ max: 100, example: '30 2 * * 1-5', description: 'Minute, hour, day, month, weekday.' })
  cron!: string;

  @Text({ max: 100, example: 'Europe/Berlin', description: 'An IANA name.' })
  timeZone!: string;
}

@Closed()
export class PolicyChanges {
  @Texts({
    items: Limits.kinds,
    max: Limits.kind,
    optional: true,
    description: 'What its tasks may be, by their kinds; one that names none is of the first. Empty: any.',
  })
  kinds?: string[];

  @Flag({ optional: true, description: 'Tasks must carry a key.' })
  keyRequired?: boolean;

  @Choice(['return-existing', 'refuse', 'replace-payload', 'allow'], {
    optional: true,
    description: 'What happens to a second task of a key while one already waits.',
  })
  duplicatePending?: 'return-existing' | 'refuse' | 'replace-payload' | 'allow';

  @Flag({ optional: true, description: 'A success supersedes the failed tasks of its key.' })
  clearFailuresOnSuccess?: boolean;

  @Choice(['continue', 'block'], {
    optional: true,
    description:
      '`block`: while a task of a key has failed, errs, or waits for its automatic retry, the later ones of the key wait. ' +
      'Needs `duplicatePending: allow`.',
  })
  onKeyFailure?: 'continue' | 'block';

  @Choice(['off', 'open', 'always'], { optional: true, description: 'Among which tasks a reference must be unique.' })
  uniqueReference?: 'off' | 'open' | 'always';

  @Choice(['fail', 'retry', 'decide'], { optional: true, description: 'What follows a failed attempt.' })
  onFailure?: 'fail' | 'retry' | 'decide';

  @Part(() => RetryChanges, { optional: true })
  retry?: RetryChanges;

  @Integer({ min: 0, max: MAX_COUNT, optional: true, description: 'Lost leases before the task fails.' })
  maxLost?: number;

  @Integer({ ...Limits.leaseMs, optional: true, description: 'How long a claim lasts without an extension.' })
  leaseMs?: number;

  @Integer({ ...Limits.priority, optional: true, description: 'Of tasks that name none.' })
  defaultPriority?: number;

  @Texts({ items: Limits.steps, max: Limits.step, optional: true, description: 'The steps of every task, in order.' })
  steps?: string[];

  @Part(() => LimitChanges, { optional: true })
  limits?: LimitChanges;

  @Choice(['cancel', 'fail'], {
    optional: true,
    description:
      'What becomes of a running task that is cancelled, once its worker has stopped: `cancel` leaves it cancelled, ' +
      '`fail` failed, with the request as its error, until its key succeeds or somebody retries it.',
  })
  onCancel?: 'cancel' | 'fail';

  @Texts({
    items: Limits.waitsFor,
    max: Limits.queue,
    optional: true,
    description: 'Nothing is given out until these queues are finished.',
  })
  waitsFor?: string[];

  @Flag({ optional: true, description: 'Finishes by itself when the intake is closed and every task is final.' })
  finite?: boolean;

  @Integer({
    min: 1,
    max: MAX_COUNT,
    optional: true,
    nullable: true,
    description: 'So many failed attempts in a row pause the queue; null: none do.',
  })
  pauseAfterFailures?: number | null;

  @Flag({
    optional: true,
    description:
      "Keep the stacks of errors (`details.stack`). Without it they are recorded nowhere: a stack tells of the worker's code and machine.",
  })
  errorStacks?: boolean;

  @Part(() => QueueSchedule, {
    optional: true,
    nullable: true,
    description: 'When tasks that name no time are due: the next occurrence after they are handed in; null: at once.',
  })
  schedule?: QueueSchedule | null;

  @ConcurrencyOf({
    max: MAX_COUNT,
    numbers: true,
    optional: true,
    description:
      'How many tasks run at once. `serial`: one in the cluster, and one consumer; `0` means the same. ' +
      '`{ perServer: n }`: on each server n; a number n means the same.',
  })
  concurrency?: number | 'unlimited' | 'serial' | { perServer: number };

  @Integer({
    min: 1,
    max: MAX_COUNT,
    optional: true,
    nullable: true,
    description: 'Tasks that run at once in the whole cluster at most; null: no limit.',
  })
  maxRunning?: number | null;

  @Integer({
    ...Limits.takeoverSeconds,
    optional: true,
    description: 'How long a serial queue stays with a consumer that is not heard of.',
  })
  takeoverSeconds?: number;
}

/** As a request of its own. */
@Closed()
export class PolicyChange extends PolicyChanges {
  @Text({ max: Limits.reason, optional: true, description: 'Why, for the history.' })
  reason?: string;
}

export class BackoffPolicy {
  @Choice(['exponential', 'fixed'])
  kind!: 'exponential' | 'fixed';

  @Integer({ min: 0, max: Limits.delayMs, example: 1_000 })
  baseMs!: number;

  @Decimal({ min: 1, max: 100, example: 2 })
  factor!: number;

  @Integer({ min: 0, max: Limits.delayMs, example: 3_600_000 })
  capMs!: number;

  @Choice(['full', 'none'])
  jitter!: 'full' | 'none';
}

export class RetryPolicy {
  @Integer({ min: 1, max: MAX_COUNT, example: 3 })
  maxAttempts!: number;

  @Choices(ERROR_CLASSES, { description: 'Failures of these classes are tried again.' })
  classes!: ('business' | 'application' | 'transient' | 'bug')[];

  @Part(() => BackoffPolicy)
  backoff!: BackoffPolicy;
}

export class QueueLimits {
  @Integer({ min: 1, max: 16 * 1024 * 1024, example: 262_144 })
  payloadBytes!: number;
}

export class QueuePolicy {
  @Texts({ items: Limits.kinds, max: Limits.kind })
  kinds!: string[];

  @Flag({})
  keyRequired!: boolean;

  @Choice(['return-existing', 'refuse', 'replace-payload', 'allow'])
  duplicatePending!: 'return-existing' | 'refuse' | 'replace-payload' | 'allow';

  @Flag({})
  clearFailuresOnSuccess!: boolean;

  @Choice(['continue', 'block'])
  onKeyFailure!: 'continue' | 'block';

  @Choice(['cancel', 'fail'])
  onCancel!: 'cancel' | 'fail';

  @Choice(['off', 'open', 'always'])
  uniqueReference!: 'off' | 'open' | 'always';

  @Choice(['fail', 'retry', 'decide'])
  onFailure!: 'fail' | 'retry' | 'decide';

  @Part(() => RetryPolicy)
  retry!: RetryPolicy;

  @Integer({ min: 0, max: MAX_COUNT, example: 3 })
  maxLost!: number;

  @Integer({ ...Limits.leaseMs, example: 30_000 })
  leaseMs!: number;

  @Integer({ ...Limits.priority, example: 0 })
  defaultPriority!: number;

  @Texts({ items: Limits.steps, max: Limits.step })
  steps!: string[];

  @Part(() => QueueLimits)
  limits!: QueueLimits;

  @Texts({ items: Limits.waitsFor, max: Limits.queue })
  waitsFor!: string[];

  @Flag({})
  finite!: boolean;

  @Integer({ min: 1, max: MAX_COUNT, nullable: true })
  pauseAfterFailures!: number | null;

  @Flag({})
  errorStacks!: boolean;

  @Part(() => QueueSchedule, { nullable: true })
  schedule!: QueueSchedule | null;

  @ConcurrencyOf({ max: MAX_COUNT, numbers: false, example: 'unlimited' })
  concurrency!: 'unlimited' | 'serial' | { perServer: number };

  @Integer({ min: 1, max: MAX_COUNT, nullable: true })
  maxRunning!: number | null;

  @Integer({ ...Limits.takeoverSeconds, example: 30 })
  takeoverSeconds!: number;

  @Text({ max: 100, nullable: true })
  preset!: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    nullable: true,
    description: "What each state of a task is called; null: the state's own name.",
  })
  vocabulary!: Record<string, string> | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    nullable: true,
    description: 'What may be asked of its tasks beside work on them; null: everything.',
  })
  commands!: string[] | null;
}
