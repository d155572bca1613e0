import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { REPORTED_CLASSES } from '../../domain/task/task.events.js';
import type { WorkerLabels } from '../../domain/kernel/worker-labels.js';
import {
  AnyJson,
  AnyObject,
  Choice,
  Closed,
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
import { Count, Indexed, Position } from './answer.fields.js';
import { Build, TraceContext } from './claimant.fields.js';
import { Limits, QUEUE_NAME, SHA256 } from './limits.js';
import { Prerequisite } from './prerequisite.dto.js';
import { Problem } from './problem.dto.js';

@Closed()
export class HoldWish {
  @Text({ max: Limits.reason, optional: true })
  reason?: string;
}

@Closed()
export class RejectedSubmission {
  @Text({ max: Limits.errorMessage, example: 'The digest does not match' })
  message!: string;

  @Choice(REPORTED_CLASSES, { optional: true, description: "'business' if absent." })
  class?: 'business' | 'application' | 'transient' | 'bug';
}

export const TTL =
  'how long it may wait for a worker, in milliseconds from its due time or its submission. If absent, the policy of the queue decides.';

/** What is to be done, apart from what identifies one task. */
export class TaskWork {
  @Text({
    max: Limits.kind,
    optional: true,
    example: 'send-mail',
    description: "The kind of task; if absent, the first kind of the queue's policy, or 'task'.",
  })
  kind?: string;

  @Text({
    max: Limits.key,
    optional: true,
    example: 'customer-17',
    description: 'Only one task per key runs at a time.',
  })
  key?: string;

  @Integer({
    ...Limits.priority,
    optional: true,
    example: 0,
    description: 'Higher priorities run first, then older tasks.',
  })
  priority?: number;

  @Labels({ optional: true, example: { customer: 'acme' } })
  labels?: Record<string, string>;

  @Text({ max: Limits.description, optional: true })
  description?: string;

  @AnyJson({ optional: true, example: { to: 'ann@example.com' } })
  payload?: unknown;
}

/** What a task is, whenever it runs. */
class TaskContent extends TaskWork {
  @Text({
    min: 64,
    max: 64,
    pattern: SHA256,
    optional: true,
    description:
      "The SHA-256 of the payload's canonical JSON (RFC 8785), in lower-case hex. A payload that has another is refused (`PAYLOAD_DIGEST_MISMATCH`).",
  })
  payloadSha256?: string;

  @Uuid({
    optional: true,
    description: 'Generated if absent. Repeating a submission with the same id has no further effect.',
  })
  id?: string;

  @Text({ max: Limits.reference, optional: true, example: 'order-4711', description: 'Your own name for the task.' })
  reference?: string;

  @Instant({
    optional: true,
    description: 'When the task should be done. It is told if it is not (`TaskDeadlineMissed`), and otherwise goes on.',
  })
  deadlineAt?: string;

  @Uuid({
    optional: true,
    description: "The id of the event within whose work the task is submitted, such as a claim's `claimEvent`.",
  })
  context?: string;

  @Text({
    max: Limits.reference,
    optional: true,
    example: 'audit-4711',
    description:
      "The id of the entry in your application's own audit log to which the task belongs. Waybill keeps and shows it, and does nothing else with it.",
  })
  auditContext?: string;

  @AnyObject({
    optional: true,
    example: { ingest: 4711 },
    description:
      'Data of the task from the beginning, up to 64 KiB, beside its payload: workers and operators change it field by field.',
  })
  data?: Record<string, unknown>;
}

@Closed()
export class GatherWish {
  @Integer({
    ...Limits.gatherMs,
    optional: true,
    example: 5_000,
    description: 'Due so many milliseconds after this submission.',
  })
  quietMs?: number;

  @Integer({
    ...Limits.gatherMs,
    optional: true,
    example: 60_000,
    description: 'Due so many milliseconds after its first submission at the latest. Counts if this is the first one.',
  })
  maxMs?: number;
}

@Closed()
export class TaskSubmission extends TaskContent {
  @TraceContext('submits the task')
  traceparent?: string;

  @Instant({ optional: true, description: 'Workers cannot claim the task before this time.' })
  dueAt?: string;

  @Instant({
    optional: true,
    description: 'From this time on, no worker gets the task: if it still waits, it fails with the class `expired`.',
  })
  expiresAt?: string;

  @Integer({ ...Limits.ttlMs, optional: true, description: `Instead of \`expiresAt\`: ${TTL}` })
  ttlMs?: number;

  @Uuid({ optional: true, description: 'The batch that the task is part of. The task waits until that is opened.' })
  batch?: string;

  @Integer({
    min: 1,
    max: 2 ** 31 - 1,
    optional: true,
    description:
      'How many tasks the batch will have, for rules about priorities (`batchAbove`). The client says so itself for every task that it plans.',
  })
  batchSize?: number;

  @Texts({
    min: 1,
    max: Limits.step,
    items: Limits.steps,
    optional: true,
    example: ['download', 'record'],
    description:
      "The steps of the queue's policy that the task has, in the policy's order. If absent, all that are not `optional`.",
  })
  steps?: string[];

  @LabelsOfWorkers({
    optional: true,
    example: { gpu: true, site: 'paris' },
    description:
      'Only a worker that offers each of these labels with the same value gets the task. If absent, the policy of the queue decides, which must look at `needs`.',
  })
  needs?: WorkerLabels;

  @Parts(() => Prerequisite, {
    min: 0,
    max: Limits.prerequisites,
    optional: true,
    description: 'What must be done before the task may run. It may name other tasks of the same request.',
  })
  after?: Prerequisite[];

  @Part(() => HoldWish, { optional: true, description: 'The task does not run until somebody releases it.' })
  hold?: HoldWish;

  @Part(() => RejectedSubmission, {
    optional: true,
    description:
      'A check by the submitter failed: the task is stored as failed for good. It is neither run nor retried.',
  })
  rejected?: RejectedSubmission;

  @Part(() => GatherWish, {
    optional: true,
    description:
      "For a queue that gathers (`duplicatePending: gather`), and a task with a key: instead of the policy's `gather`.",
  })
  gather?: GatherWish;

  @Flag({ optional: true, description: 'The task is stored, but workers cannot claim it until it is submitted.' })
  prepared?: boolean;
}

@Closed()
export class QueuedSubmission extends TaskSubmission {
  @Text({ max: 100, pattern: QUEUE_NAME, example: 'mail' })
  queue!: string;
}

@Closed()
export class TaskStart extends TaskContent {
  @Text({ max: 100, pattern: QUEUE_NAME, example: 'mail' })
  queue!: string;

  @Text({ max: Limits.worker, example: 'console-1', description: 'Gets the task.' })
  worker!: string;

  @Text({ max: Limits.worker, optional: true, description: "Defaults to the worker's name." })
  server?: string;

  @Build()
  build?: string;

  @Integer({ ...Limits.leaseMs, optional: true, description: "If absent, the queue's policy decides." })
  leaseMs?: number;
}

@Closed()
export class EnqueueMany {
  @Parts(() => QueuedSubmission, { min: 1, max: Limits.batch })
  tasks!: QueuedSubmission[];
}

export class EnqueueResult {
  @Uuid({ description: 'The id of the new task, or of the task that was already waiting.' })
  id!: string;

  @Choice(['enqueued', 'existing', 'replaced', 'gathered'], {
    description:
      '`existing`: a task that waited answers for this one. `replaced`: it took over the payload. `gathered`: it took this submission in.',
  })
  status!: 'enqueued' | 'existing' | 'replaced' | 'gathered';

  @Instant({
    optional: true,
    description:
      'When a task that gathers is due by now, unless more is submitted. Absent for others, and in a repeated answer.',
  })
  dueAt?: string;

  @Position()
  position!: string;

  @Indexed()
  indexed?: false;

  @Count()
  revision!: number;
}

/** Takes the place of an item's result if that item was refused. The others are not affected. */
export class RefusedItem {
  @ApiProperty({ type: () => Problem })
  problem!: Problem;
}

@ApiExtraModels(EnqueueResult, RefusedItem)
export class EnqueueManyResult {
  @ApiProperty({
    type: 'array',
    items: { anyOf: [{ $ref: getSchemaPath(EnqueueResult) }, { $ref: getSchemaPath(RefusedItem) }] },
    description: 'One result per item, in order.',
  })
  results!: (EnqueueResult | RefusedItem)[];

  @Count({
    description:
      'How many items became no task of their own, because a task with their key waits. Their results have its id.',
  })
  deduplicated!: number;

  @Position({ nullable: true, description: 'The highest position of the results; null if every item was refused.' })
  position!: string | null;

  @Indexed()
  indexed?: false;
}
