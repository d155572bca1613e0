import { ApiProperty } from '@nestjs/swagger';
import { ERROR_CLASSES, TASK_STATUSES } from '../../domain/task/task.events.js';
import { Choice, Flag, Instant, Integer, Part, Text, Texts, Uuid } from '../input/fields.js';
import { TaskInHand } from './claim.dto.js';
import { Limits, QUEUE_NAME } from './limits.js';
import { QueueFailure } from './queue.dto.js';

const REASONS = [
  'state',
  'held',
  'cancel-requested',
  'decision',
  'ended',
  'due',
  'key',
  'key-failure',
  'queue-paused',
  'queue-waiting',
  'queue-finished',
  'queue-failing',
  'no-slot',
  'worker',
] as const;

export class ReasonError {
  @Choice(ERROR_CLASSES)
  class!: string;

  @Text({ min: 0, max: Limits.errorMessage })
  message!: string;
}

/** What stands between a task and a worker; which members there are follows from `because`. */
export class NotRunningReason {
  @Choice(REASONS, { description: '`worker`: nothing; a worker that asks is given the task when it is its turn.' })
  because!: (typeof REASONS)[number];

  @Choice(TASK_STATUSES, {
    optional: true,
    description:
      'With `state`: that no worker is given tasks of. With `ended`: in which it has. With `key-failure`: of the task that is named.',
  })
  state?: string;

  @Text({ max: Limits.worker, optional: true, description: 'Who did it.' })
  by?: string;

  @Instant({ optional: true, description: 'With `cancel-requested`, `decision` and `ended`: when.' })
  at?: string;

  @Text({ max: Limits.worker, optional: true, description: 'With `cancel-requested`: who is asked to stop.' })
  worker?: string;

  @Choice(['cancelled', 'held', 'failed'], {
    optional: true,
    description: 'With `cancel-requested`: what it will be when it has stopped.',
  })
  then?: string;

  @Part(() => ReasonError, { optional: true, nullable: true, description: 'With `decision` and `ended`.' })
  error?: ReasonError | null;

  @Flag({ optional: true, description: 'With `ended`: a failure that cannot be retried.' })
  final?: boolean;

  @Text({ max: Limits.reason, optional: true, nullable: true })
  reason?: string | null;

  @Instant({ optional: true, nullable: true, description: 'With `due` and `queue-paused`.' })
  until?: string | null;

  @Part(() => QueueFailure, { optional: true, nullable: true, description: 'With `queue-paused`, by its policy.' })
  failure?: QueueFailure | null;

  @Text({ max: Limits.key, optional: true, description: 'With `key` and `key-failure`.' })
  key?: string;

  @Uuid({
    optional: true,
    nullable: true,
    description:
      'With `key`: the task whose turn it is. With `key-failure`: the one before it that failed. ' +
      'With `ended`: whose success superseded it, or that waited for its key when it failed.',
  })
  taskId?: string | null;

  @Texts({ items: Limits.waitsFor, max: Limits.queue, optional: true, description: 'With `queue-waiting`.' })
  queues?: string[];

  @Integer({ min: 1, max: Number.MAX_SAFE_INTEGER, optional: true, description: 'With `queue-failing`: in a row.' })
  failures?: number;

  @Choice(['serial', 'perServer', 'maxRunning'], { optional: true, description: 'With `no-slot`.' })
  limit?: string;

  @Flag({ optional: true, description: 'With `worker`: tasks wait, and for a minute no worker has asked for them.' })
  unattended?: boolean;

  @Instant({
    optional: true,
    nullable: true,
    description: 'With `worker`: when one last asked; null where none has for a day.',
  })
  lastPolledAt?: string | null;

  @ApiProperty({ type: () => [TaskInHand], required: false, description: 'With `no-slot`: the tasks that run.' })
  running?: TaskInHand[];
}

export class TaskExplanation {
  @Uuid({})
  taskId!: string;

  @Text({ max: 100, pattern: QUEUE_NAME })
  queue!: string;

  @Choice(TASK_STATUSES)
  state!: string;

  @ApiProperty({ type: () => [NotRunningReason], description: 'At least one.' })
  reasons!: NotRunningReason[];

  @Integer({
    min: 1,
    max: 10_000,
    nullable: true,
    description: 'Its place among the tasks of the queue that may run now; counted up to 10,000.',
  })
  rank!: number | null;

  @ApiProperty({
    type: [String],
    example: ['RetryTask', 'AbortTask', 'DeleteTask'],
    description: 'What people can do with it, by the names that refusals use.',
  })
  allowed!: string[];
}
