import { ApiProperty } from '@nestjs/swagger';
import { Choice, Closed, Flag, Instant, Integer, Part, Since, Text, Uuid } from '../input/fields.js';
import { Count, Indexed, Position } from './answer.fields.js';
import { LABEL_FILTER, Limits, QUEUE_NAME } from './limits.js';
import { LogAudited, SegmentProof, TaskProof } from './log.dto.js';

@Closed()
export class ErasureRequest {
  @Text({
    max: 321,
    pattern: LABEL_FILTER,
    optional: true,
    example: 'customer:acme',
    description:
      'The tasks and batches with this label, as `name:value`. One of this, `key`, `task` and `endedBefore` is given.',
  })
  label?: string;

  @Text({ max: Limits.key, optional: true, description: 'The tasks of this key, in the queue that `queue` names.' })
  key?: string;

  @Text({ max: 100, pattern: QUEUE_NAME, optional: true, description: 'With `key` or `endedBefore`.' })
  queue?: string;

  @Uuid({ optional: true, description: 'This task alone.' })
  task?: string;

  @Since({
    optional: true,
    example: '90d',
    description:
      'A purge: the tasks of `queue` that ended before this time, or this long ago, and are not erased yet. It passes over failed tasks with a key, and over what a legal hold covers.',
  })
  endedBefore?: string;

  @Text({
    max: Limits.reason,
    example: 'Art. 17, ticket 88',
    description: 'The reason, for the history, which is never erased: do not name a person.',
  })
  reason!: string;

  @Flag({
    optional: true,
    description:
      'Whether tasks are aborted that have not ended, or that failed and have a key, and batches that have not ended, with their tasks. Without it, they stay as they are, and the result counts them under `TASK_NOT_ENDED` and `BATCH_NOT_ENDED`.',
  })
  abortOpen?: boolean;

  @Flag({ optional: true, description: '`true`: only count the tasks. Nothing is changed.' })
  preview?: boolean;
}

export class StartedErasure {
  @Count({ description: 'How many tasks matched when the erasure was ordered.' })
  tasks!: number;

  @Count({
    required: false,
    description:
      'With `preview`: how many tasks and batches of them have not ended, or are tasks that failed and have a key.',
  })
  open?: number;

  @Count({ required: false, description: 'With `preview`: how many batches match, too.' })
  batches?: number;

  @Count({ required: false, description: 'With `preview`: how many refused rows of the outbox match, too.' })
  outbox?: number;

  @Flag({
    description:
      'Whether the erasure waits until somebody else with the permission `erase` releases its task, which approves it (`WAYBILL_ERASURE_APPROVAL`).',
  })
  needsApproval!: boolean;

  @Uuid({ nullable: true, description: 'The id of the erasure, which is a task; null for a preview.' })
  id!: string | null;

  @Position({ nullable: true })
  position!: string | null;

  @Indexed()
  indexed?: false;
}

@Closed()
export class CertificateQuery {
  @Uuid({ optional: true, description: 'What was erased after this id: `next` of the part before.' })
  after?: string;
}

export class GivenBy {
  @Text({ max: Limits.actor })
  by!: string;

  @Instant({})
  at!: string;
}

export class OrderedErasure extends GivenBy {
  @Text({ max: Limits.reason, nullable: true })
  reason!: string | null;
}

export class ErasureOutcome {
  @Count({ description: 'The tasks whose private halves were erased.' })
  erased!: number;

  @Count({ description: 'The batches whose private halves were erased.' })
  batches!: number;

  @Count({
    required: false,
    description:
      'The tasks and batches that another erasure had erased before, which no certificate but its own has. Absent if an earlier version carried it out: `erased` and `batches` count them, too.',
  })
  alreadyErased?: number;

  @Count({ description: 'The halves, one for each event that had one.' })
  halves!: number;

  @Count({ description: 'The refused rows of the outbox that were deleted.' })
  outbox!: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'How many tasks and rows were not erased, by the code of the refusal.',
  })
  refused!: Record<string, number>;
}

export class SealedSpan {
  @Text({
    max: Limits.note,
    nullable: true,
    description: 'The last seal before the order, also if its key was retired since; null if there was none.',
  })
  before!: string | null;

  @Text({ max: Limits.note, description: 'The first seal that covers the end of the erasure.' })
  after!: string;

  @ApiProperty({
    type: [String],
    description:
      'What proves that the log of the first is the beginning of that of the second (RFC 6962, section 2.1.2), in Base64.',
  })
  consistency!: string[];

  @ApiProperty({
    type: [String],
    description: 'The last seals under the keys that were retired between the two: each names the key of the next one.',
  })
  lastSeals!: string[];
}

export class ErasedItem {
  @Choice(['task', 'batch'])
  kind!: 'task' | 'batch';

  @Uuid({})
  id!: string;

  @Position({ description: 'That of the event that says so, which is in one of the segments.' })
  position!: string;
}

export class CopyPlace {
  @Text({ max: Limits.actor })
  where!: string;

  @Instant({
    nullable: true,
    description: 'When the last one is gone (`WAYBILL_BACKUP_DAYS`); null if nobody has said.',
  })
  until!: string | null;

  @Text({ max: Limits.note })
  says!: string;
}

export class StatedOfErasure {
  @Instant({})
  at!: string;

  @Part(() => LogAudited, {
    nullable: true,
    description:
      'How far the notary has read the texts of the log again in a pass that began after the erasure; null if it has not begun one since.',
  })
  audited!: LogAudited | null;

  @ApiProperty({ type: [String], description: 'What to run to see for oneself.' })
  toRun!: string[];

  @ApiProperty({ type: () => [CopyPlace], description: 'Where contents may still be.' })
  copies!: CopyPlace[];
}

export class ErasureCertificate {
  @Choice(['waybill-erasure-certificate'])
  format!: 'waybill-erasure-certificate';

  @Integer({ min: 1, max: 1 })
  version!: 1;

  @Uuid({ description: 'The id of the order.' })
  erasure!: string;

  @Part(() => OrderedErasure, {})
  ordered!: OrderedErasure;

  @Part(() => GivenBy, { nullable: true, description: 'Who approved it; null if nobody had to.' })
  approved!: GivenBy | null;

  @Part(() => ErasureOutcome, {})
  result!: ErasureOutcome;

  @Part(() => SealedSpan, {})
  seals!: SealedSpan;

  @Part(() => TaskProof, {
    description: 'Of the order, with its private halves, which name nobody whose contents were erased.',
  })
  order!: TaskProof;

  @ApiProperty({ type: () => [ErasedItem], description: 'What was erased, by id: up to 500.' })
  erased!: ErasedItem[];

  @ApiProperty({ type: () => [SegmentProof], description: 'Those with the events that say so.' })
  segments!: SegmentProof[];

  @Uuid({ nullable: true, description: 'Give it as `after` for what else was erased; null if there is nothing else.' })
  next!: string | null;

  @Part(() => StatedOfErasure, { description: 'What the service says, and nothing proves.' })
  stated!: StatedOfErasure;
}
