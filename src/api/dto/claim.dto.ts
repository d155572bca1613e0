import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import {
  AnyJson,
  AnyObject,
  Choice,
  Closed,
  Decimal,
  Flag,
  Instant,
  Integer,
  Part,
  Parts,
  Text,
  Texts,
  Uuid,
} from '../input/fields.js';
import { Labels, LabelsOfWorkers } from '../input/label-fields.js';
import type { Json } from '../../domain/kernel/json.js';
import type { WorkerLabels } from '../../domain/kernel/worker-labels.js';
import { LOG_LEVELS, type LogLevel } from '../../domain/kernel/log-line.js';
import { Count, Indexed, Position } from './answer.fields.js';
import { shape } from '../input/shape.js';
import { Build } from './claimant.fields.js';
import { Limits } from './limits.js';

/** What every claim says, also the one of a turn. */
export class ClaimFacts {
  @Text({ max: Limits.worker, example: 'mailer-1' })
  worker!: string;

  @Text({ max: Limits.worker, optional: true, description: "Defaults to the worker's name." })
  server?: string;

  @Build()
  build?: string;

  @Integer({
    min: 0,
    max: Limits.batch,
    optional: true,
    example: 10,
    description: 'The most tasks to claim; 1 if absent. 0: only says that the worker is there.',
  })
  max?: number;

  @Integer({
    min: 0,
    max: Limits.batch,
    optional: true,
    description:
      'How many of its handlers go on although their tasks of this queue are lost or cancelled. The list of workers shows it for a minute.',
  })
  stuck?: number;

  @Texts({
    min: 1,
    max: Limits.step,
    items: Limits.steps,
    optional: true,
    example: ['Recording'],
    description: 'Claims only tasks whose next step is one of these; all tasks if absent.',
  })
  steps?: string[];

  @LabelsOfWorkers({
    optional: true,
    example: { gpu: true, site: 'paris' },
    description:
      'What the worker offers: it gets tasks whose needs are all among these labels, with the same values. If absent, it gets tasks that need nothing.',
  })
  offers?: WorkerLabels;

  @Integer({ ...Limits.leaseMs, optional: true, description: "If absent, the queue's policy decides." })
  leaseMs?: number;

  @Uuid({
    optional: true,
    description:
      'For a day, a repetition of the claim with the same id returns those of its tasks that its worker still has, and never others.',
  })
  claimId?: string;
}

@Closed()
export class ClaimRequest extends ClaimFacts {
  @Integer({
    min: 0,
    max: Limits.waitMs,
    optional: true,
    description: 'How long to wait for a task; 0 if absent.',
  })
  waitMs?: number;
}

/** A claimed task: what the worker needs to run it, and the token that proves its claim. */
export class ClaimedTask {
  @Uuid({})
  taskId!: string;

  @ApiProperty({ type: 'string' })
  queue!: string;

  @ApiProperty({ type: 'string' })
  kind!: string;

  @ApiProperty({ type: 'string', nullable: true })
  key!: string | null;

  @ApiProperty({ type: 'string', nullable: true })
  reference!: string | null;

  @ApiProperty({ type: 'integer' })
  priority!: number;

  @Labels({})
  labels!: Record<string, string>;

  @ApiProperty({ type: 'string', nullable: true })
  description!: string | null;

  @Instant({})
  enqueuedAt!: string;

  @Count()
  attempt!: number;

  @ApiProperty({ type: 'string', description: 'A secret that authorises reports on the task. Never log it.' })
  token!: string;

  @Uuid({})
  claimId!: string;

  @Uuid({
    description:
      'The id of the event that recorded the claim. Pass it as `context` of the tasks that this one submits.',
  })
  claimEvent!: string;

  @ApiProperty({ type: 'integer' })
  leaseMs!: number;

  @Instant({ description: 'Another worker may get the task after this time.' })
  deadline!: string;

  @AnyJson({})
  payload!: unknown;

  @ApiProperty({ type: 'string', nullable: true, description: 'The step to run; null for a task without steps.' })
  step!: string | null;

  @ApiProperty({ type: 'string', nullable: true })
  lastSuccessfulStep!: string | null;

  @ApiProperty({
    type: [String],
    required: false,
    description: 'All steps of the task, in order; absent for a task without steps.',
  })
  steps?: string[];

  @ApiProperty({
    type: () => [ClaimedTask],
    required: false,
    description:
      'If a trigger made the task as a job: the items that it claimed for the job and that are still leased. The worker settles each of them with its own token. Extending the lease of the job extends theirs.',
  })
  items?: ClaimedTask[];

  @Uuid({ optional: true, description: 'The batch that the task plans: it adds the tasks of the batch and opens it.' })
  plans?: string;

  @ApiProperty({
    type: 'string',
    required: false,
    description: 'The W3C trace context in which the task was submitted, for a link to it; absent if there was none.',
  })
  traceparent?: string;

  @AnyObject({ description: 'What was recorded about the task before, by its workers and by operators.' })
  data!: Record<string, unknown>;
}

export class StartedTask {
  @ApiProperty({ type: () => ClaimedTask })
  task!: ClaimedTask;

  @Position()
  position!: string;

  @Indexed()
  indexed?: false;
}

export class TaskInHand {
  @ApiProperty({ type: 'string' })
  worker!: string;

  @ApiProperty({ type: 'string' })
  server!: string;

  @Uuid({})
  taskId!: string;
}

export class QueueConsumer extends TaskInHand {
  @Instant({ description: 'When another worker may take the queue over, unless the consumer reports before.' })
  until!: string;
}

/** Why a queue that may have tasks gave out none. */
export class ClaimRefusal {
  @Choice(
    ['QUEUE_HELD', 'QUEUE_CONFLICTED', 'SERVER_FULL', 'QUEUE_FULL', 'LABEL_FULL', 'RATE_REACHED', 'HOLDER_FULL'],
    {
      description: 'The code to branch on.',
    },
  )
  code!:
    | 'QUEUE_HELD'
    | 'QUEUE_CONFLICTED'
    | 'SERVER_FULL'
    | 'QUEUE_FULL'
    | 'LABEL_FULL'
    | 'RATE_REACHED'
    | 'HOLDER_FULL';

  @ApiProperty({ type: 'string' })
  detail!: string;

  @Part(() => QueueConsumer, { optional: true, description: 'With `QUEUE_HELD`: the consumer of the serial queue.' })
  consumer?: QueueConsumer;

  @ApiProperty({
    oneOf: [{ type: 'integer' }, { type: 'array', items: { $ref: getSchemaPath(TaskInHand) } }],
    required: false,
    description: 'The number of running tasks; with `QUEUE_CONFLICTED`, the running tasks.',
  })
  running?: number | TaskInHand[];

  // The facts of the detail, which the document does not list.
  server?: string;
  holder?: string;
  most?: number;
  label?: string;
  labelValue?: string | null;
  until?: string;
  afterMs?: number;
}

@ApiExtraModels(TaskInHand)
export class ClaimResult {
  @ApiProperty({ type: () => [ClaimedTask], description: 'Empty if no task became available in time.' })
  tasks!: ClaimedTask[];

  @Position({ nullable: true, description: 'The position of the latest claim; null if there are no tasks.' })
  position!: string | null;

  @Indexed()
  indexed?: false;

  @Part(() => ClaimRefusal, {
    optional: true,
    description: "Why there are no tasks, if a limit of the queue or of the caller's API key is the reason.",
  })
  refusal?: ClaimRefusal;
}

/** The token of a claim: `<fencing number>.<secret>`. */
const TOKEN = shape(/^[0-9]{1,19}\.[0-9a-f-]{1,100}$/, 'the token of a claim, as the claim gave it');

export const Token = () =>
  Text({ max: Limits.token, pattern: TOKEN, description: 'The token from the claim: `<fencing token>.<secret>`.' });

const Amount = (description: string) =>
  Decimal({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER, description });

@Closed()
export class ProgressBar {
  @Text({ max: Limits.title, example: 'links', description: 'What advances; every bar of a task has another title.' })
  title!: string;

  @Amount('Where the position begins.')
  start!: number;

  @Amount('Where the position ends.')
  end!: number;

  @Amount('How far the work is.')
  position!: number;
}

const Progress = () =>
  Parts(() => ProgressBar, {
    min: 0,
    max: Limits.bars,
    optional: true,
    description: 'Every progress bar of the task. They replace those reported before; if absent, those stay.',
  });

/** What a handler said while it ran the task. */
@Closed()
export class TaskLogLine {
  @Integer({
    min: 1,
    max: Limits.lineNumber,
    description: 'From 1 in each attempt: a line that is sent twice is kept once.',
  })
  number!: number;

  @Instant({ example: '2026-11-28T14:05:00.000Z', description: 'By the clock of the worker.' })
  at!: string;

  @Choice(LOG_LEVELS)
  level!: LogLevel;

  @Text({
    min: 0,
    max: Limits.line,
    example: 'Charged the card',
    description: 'NUL and halves of surrogate pairs are replaced by U+FFFD here, and in the fields.',
  })
  text!: string;

  @AnyObject({
    optional: true,
    example: { order: 7 },
    description: 'What belongs to the line; at most 4 KiB.',
  })
  fields?: Record<string, Json>;
}

const Lines = () =>
  Parts(() => TaskLogLine, {
    min: 0,
    max: Limits.lines,
    optional: true,
    description:
      'What the handler said since the last heartbeat that was answered. The last 1000 lines of a task are kept, for 14 days.',
  });

@Closed()
export class LeaseRef {
  @Uuid({})
  taskId!: string;

  @Token()
  token!: string;
}

@Closed()
export class LeaseProof {
  @Token()
  token!: string;
}

@Closed()
export class Heartbeat extends LeaseRef {
  @Progress()
  progress?: ProgressBar[];

  @Lines()
  log?: TaskLogLine[];
}

@Closed()
export class SingleHeartbeat extends LeaseProof {
  @Progress()
  progress?: ProgressBar[];

  @Lines()
  log?: TaskLogLine[];
}

@Closed()
export class ExtendMany {
  @Parts(() => Heartbeat, { min: 1, max: Limits.batch })
  items!: Heartbeat[];
}

export class ExtendedLease {
  @Uuid({})
  taskId!: string;

  @Choice(['extended'])
  kind!: 'extended';

  @Instant({})
  deadline!: string;

  @Flag({ description: 'The worker must stop and confirm the cancellation.' })
  cancelRequested!: boolean;
}

export class StandingLease {
  @Uuid({})
  taskId!: string;

  @Choice(['standing'])
  kind!: 'standing';

  @Instant({})
  deadline!: string;

  @Flag({ description: 'The worker must stop and confirm the cancellation.' })
  cancelRequested!: boolean;
}

export class LostLease {
  @Uuid({})
  taskId!: string;

  @Choice(['lost'])
  kind!: 'lost';
}

@ApiExtraModels(ExtendedLease, LostLease)
export class ExtendManyResult {
  @ApiProperty({
    type: 'array',
    items: { oneOf: [{ $ref: getSchemaPath(ExtendedLease) }, { $ref: getSchemaPath(LostLease) }] },
    description: 'One result per item, in order.',
  })
  results!: (ExtendedLease | LostLease)[];
}

@Closed()
export class CheckBatch {
  @Parts(() => LeaseRef, { min: 1, max: Limits.batch })
  items!: LeaseRef[];
}

@ApiExtraModels(StandingLease, LostLease)
export class CheckManyResult {
  @ApiProperty({
    type: 'array',
    items: { oneOf: [{ $ref: getSchemaPath(StandingLease) }, { $ref: getSchemaPath(LostLease) }] },
    description: 'One result per item, in order.',
  })
  results!: (StandingLease | LostLease)[];
}
