import { ApiProperty } from '@nestjs/swagger';
import { OPERATOR_COMMANDS, type OperatorCommandType } from '../../application/tasks/offers.js';
import {
  ATTEMPT_CLASSES,
  type AttemptClass,
  type CancelEnd,
  ERROR_CLASSES,
  type ErrorClass,
  TASK_STATUSES,
  type TaskStatus,
} from '../../domain/task/task.events.js';
import type { WorkerLabels } from '../../domain/kernel/worker-labels.js';
import { Choice, Decimal, Flag, Instant, Integer, Part, Text, Texts, Uuid } from '../input/fields.js';
import { LabelsOfWorkers } from '../input/label-fields.js';
import { Count } from './answer.fields.js';
import { OpenTasks } from './batch.dto.js';
import { TaskInHand } from './claim.dto.js';
import { Limits, QUEUE_NAME } from './limits.js';
import { AsOf } from './past.dto.js';
import { QueueFailure } from './queue.dto.js';

export const REASONS = [
  'state',
  'held',
  'hold',
  'job',
  'cancel-requested',
  'decision',
  'ended',
  'quarantined',
  'prerequisites',
  'resource',
  'due',
  'signal',
  'gathers',
  'target-failing',
  'key',
  'key-failure',
  'queue-paused',
  'draining',
  'queue-waiting',
  'queue-finished',
  'queue-failing',
  'no-slot',
  'rate',
  'lease-over',
  'worker',
] as const;

const ANY_NUMBER = { min: -1e15, max: 1e15 } as const;

export class ReasonError {
  @Choice(ERROR_CLASSES)
  class!: ErrorClass;

  @Text({ min: 0, max: Limits.errorMessage })
  message!: string;
}

/** A task or a batch that must be done first. */
export class BlockerView {
  @Uuid({
    optional: true,
    description: 'The id of the task or batch. Absent if the API key of the request does not reach it.',
  })
  id?: string;

  @Text({ max: 100, description: 'Its state.' })
  state!: string;

  @ApiProperty({
    type: () => [OpenTasks],
    required: false,
    description: 'Of a batch: its tasks that have not ended, with the commands that end them.',
  })
  open?: OpenTasks[];
}

/** A reason why no worker has the task. `because` determines the other members. */
export class NotRunningReason {
  @Choice(REASONS, { description: 'The reason. `worker`: the task is ready and waits for its turn.' })
  because!: (typeof REASONS)[number];

  @Choice(TASK_STATUSES, {
    optional: true,
    description:
      'With `state`: the state that prevents a claim. With `ended`: the final state. With `job` and `key-failure`: the state of the named task.',
  })
  state?: TaskStatus;

  @Text({ max: Limits.worker, optional: true, description: 'Who caused it.' })
  by?: string;

  @Instant({ optional: true, description: 'With `cancel-requested`, `decision`, `ended` and `quarantined`: when.' })
  at?: string;

  @Text({
    max: Limits.worker,
    optional: true,
    description:
      'With `cancel-requested`: the worker that was told to stop. With `state`: the worker of a running task. With `lease-over`: the worker that had the lease.',
  })
  worker?: string;

  @Choice(['cancelled', 'held', 'failed'], {
    optional: true,
    description: 'With `cancel-requested`: the state of the task once the worker has stopped.',
  })
  then?: CancelEnd;

  @Part(() => ReasonError, {
    optional: true,
    nullable: true,
    description:
      'With `decision` and `ended`. With `target-failing`: the last. With `due`: how the last attempt failed, if the task waits for its retry.',
  })
  error?: ReasonError | null;

  @Flag({ optional: true, description: 'With `ended`: whether the failure cannot be retried.' })
  final?: boolean;

  @Flag({
    optional: true,
    description:
      'With `ended`: true if what the task was about is erased, so that it can only be deleted; absent otherwise.',
  })
  erased?: boolean;

  @Text({ max: Limits.reason, optional: true, nullable: true, description: 'With `quarantined`: the error.' })
  reason?: string | null;

  @ApiProperty({
    type: 'string',
    required: false,
    nullable: true,
    description: 'With `quarantined`: the position of the event that cannot be read, as far as it is known.',
  })
  position?: string | null;

  @Instant({
    optional: true,
    description:
      'With `state`: since when the attempt of a running task has run. With `lease-over`: when the lease ended.',
  })
  since?: string;

  @Integer({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    optional: true,
    description: 'With `state`: for how many milliseconds the attempt of a running task has run.',
  })
  ranMs?: number;

  @Instant({
    optional: true,
    nullable: true,
    description:
      'With `due`, `target-failing` and `queue-paused`. With `rate`: when the rate allows the next start. With `signal`: when the wait is over at the latest. With `gathers`: when the task is due unless more is submitted. With `state`: when the attempt of a running task ends at the latest; null if nothing limits it. With `quarantined`: when the task is read again. With `lease-over`: when the serial queue is taken over at the latest; null if nothing says so.',
  })
  until?: string | null;

  @Part(() => QueueFailure, {
    optional: true,
    nullable: true,
    description: 'With `queue-paused`: the failure that made the policy pause the queue.',
  })
  failure?: QueueFailure | null;

  @Integer({
    min: 1,
    max: 1_000,
    optional: true,
    description: 'With `gathers`: how many submissions the task has, its first one among them.',
  })
  submissions?: number;

  @Instant({
    optional: true,
    description: 'With `gathers`: when the task is due at the latest, however many submissions come.',
  })
  latest?: string;

  @Text({ max: Limits.signal, optional: true, description: 'With `signal`: what the handler of the task waits for.' })
  signal?: string;

  @Text({ max: Limits.key, optional: true, description: 'With `key` and `key-failure`.' })
  key?: string;

  @Uuid({
    optional: true,
    nullable: true,
    description:
      'With `key`: the task that occupies the key. With `key-failure`: the earlier task that failed. With `job`: the task that has this one as an item. ' +
      'With `lease-over`: the task of the lease; absent if it is this one. ' +
      'With `ended`: the task whose success superseded it, or that was waiting with the same key when it failed.',
  })
  taskId?: string | null;

  @Text({
    max: 100,
    optional: true,
    description:
      'With `held`: the hold that caught the task; absent if a person holds this task alone. With `hold`: a hold in force that catches it.',
  })
  hold?: string;

  @Text({ max: 100, optional: true, description: 'With `resource`: what the next step of the task needs.' })
  resource?: string;

  @Decimal({ ...ANY_NUMBER, optional: true, description: 'With `resource`: its gauge must be below this.' })
  below?: number;

  @Decimal({
    ...ANY_NUMBER,
    optional: true,
    nullable: true,
    description:
      'With `resource`: what its gauge shows; null if nobody has measured it for too long, or it does not exist.',
  })
  value?: number | null;

  @Instant({
    optional: true,
    nullable: true,
    description: 'With `resource`: when somebody last measured it; null if nobody ever did.',
  })
  measuredAt?: string | null;

  @Flag({
    optional: true,
    description: 'With `resource`: its gauge can never be below the limit, because it is a share in percent.',
  })
  never?: boolean;

  @Text({
    max: Limits.reason,
    optional: true,
    description: 'With `target-failing`: the mail server or host that takes no deliveries.',
  })
  target?: string;

  @Count({ required: false, description: 'With `prerequisites`: how many of them are not done.' })
  count?: number;

  @ApiProperty({ type: () => [BlockerView], required: false, description: 'With `prerequisites`: up to 20 of them.' })
  blockers?: BlockerView[];

  @Texts({ items: Limits.waitsFor, max: Limits.queue, optional: true, description: 'With `queue-waiting`.' })
  queues?: string[];

  @Integer({
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    optional: true,
    description:
      'With `queue-failing` and `target-failing`: the number of failures in a row. With `due`, if the task waits for its retry: how many attempts failed, or were lost, since a person last retried it; in its step, if that has a limit of its own. With the rules `max-attempts` and `max-lost`: as many as were used up.',
  })
  failures?: number;

  @Integer({
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    optional: true,
    nullable: true,
    description:
      'With `due`, if the task waits for its retry: how many attempts may fail; null if nothing limits that. Absent if its worker vanished. With the rule `max-attempts`.',
  })
  maxAttempts?: number | null;

  @Choice(['on-failure', 'classes', 'max-attempts', 'max-lost'], {
    optional: true,
    description:
      'With `ended`: by which rule of the policy a failed task is not tried again by itself: it retries no failure, none of its class, or the attempts that may fail or be lost are used up. Absent if something else ended it.',
  })
  rule?: 'on-failure' | 'classes' | 'max-attempts' | 'max-lost';

  @ApiProperty({
    enum: ATTEMPT_CLASSES,
    isArray: true,
    required: false,
    description: 'With the rule `classes`: the classes of failures that the policy retries.',
  })
  classes?: readonly AttemptClass[];

  @Choice(['serial', 'perServer', 'maxRunning', 'perLabel'], { optional: true, description: 'With `no-slot`.' })
  limit?: 'serial' | 'perServer' | 'maxRunning' | 'perLabel';

  @Text({
    max: 64,
    optional: true,
    description:
      'With the limit `perLabel`, and with `rate` if it is that of a value: the label by which the queue limits.',
  })
  label?: string;

  @Text({
    max: 256,
    optional: true,
    nullable: true,
    description: 'With `label`: its value; null if it lacks the label.',
  })
  labelValue?: string | null;

  @Flag({
    optional: true,
    description:
      'With `worker`: for a minute no worker has claimed tasks at its `step`, or none that offers what it `needs`, or all have given its `kind` back as unknown.',
  })
  unattended?: boolean;

  @Instant({
    optional: true,
    nullable: true,
    description: 'With `worker`: the time of the last claim of such tasks; null if there was none for a day.',
  })
  lastPolledAt?: string | null;

  @Text({ max: Limits.step, optional: true, description: 'With `worker`: the step at which no worker claims tasks.' })
  step?: string;

  @LabelsOfWorkers({ optional: true, description: 'With `worker`: what no worker that claims offers.' })
  needs?: WorkerLabels;

  @Text({ max: Limits.kind, optional: true, description: 'With `worker`: the kind that no worker knows.' })
  kind?: string;

  @Integer({
    min: 0,
    max: 9_999,
    optional: true,
    description:
      'With `worker`, in a queue with `fair`: how many turns come before that of the task, if nothing else becomes ready. Counted up to 9,999.',
  })
  turnsBefore?: number;

  @ApiProperty({ type: () => [TaskInHand], required: false, description: 'With `no-slot`: the running tasks.' })
  running?: TaskInHand[];
}

export class TaskExplanation {
  @Uuid({})
  taskId!: string;

  @Text({ max: 100, pattern: QUEUE_NAME })
  queue!: string;

  @Choice(TASK_STATUSES)
  state!: TaskStatus;

  @ApiProperty({ type: () => [NotRunningReason], description: 'Every reason; at least one.' })
  reasons!: NotRunningReason[];

  @Integer({
    min: 1,
    max: 10_000,
    nullable: true,
    description:
      'The place of the task among the ready tasks of its queue; with `fair`, that of its turn. Counted up to 10,000.',
  })
  rank!: number | null;

  @ApiProperty({
    enum: OPERATOR_COMMANDS,
    isArray: true,
    example: ['RetryTask', 'AbortTask', 'DeleteTask'],
    description: 'The commands that people may give for the task, by the names that refusals use.',
  })
  allowed!: OperatorCommandType[];

  @Part(() => AsOf, { optional: true, description: 'Present if the answer is as of a moment.' })
  asOf?: AsOf;
}
