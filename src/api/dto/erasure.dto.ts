import { Closed, Flag, Since, Text, Uuid } from '../input/fields.js';
import { Count, Indexed, Position } from './answer.fields.js';
import { LABEL_FILTER, Limits, QUEUE_NAME } from './limits.js';

@Closed()
export class ErasureRequest {
  @Text({
    max: 321,
    pattern: LABEL_FILTER,
    optional: true,
    example: 'customer:acme',
    description: 'The tasks with this label, as `name:value`. One of this, `key`, `task` and `endedBefore` is given.',
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
      'Whether tasks are aborted that have not ended, or that failed and have a key. Without it, they stay as they are, and the result counts them under `TASK_NOT_ENDED`.',
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
    description: 'With `preview`: how many of them have not ended, or failed and have a key.',
  })
  open?: number;

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
