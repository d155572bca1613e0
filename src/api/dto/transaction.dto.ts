import { ApiProperty } from '@nestjs/swagger';
import { AnyJson, Choice, Closed, Flag, Integer, Parts, Text, Uuid } from '../input/fields.js';
import { Count, Position } from './answer.fields.js';
import { Limits, QUEUE_NAME } from './limits.js';

const TASK_ID = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f';

/** The operations that may be part of a transaction. */
export const TRANSACTION_OPERATIONS = [
  'enqueueTask',
  'submitTask',
  'holdTask',
  'releaseTask',
  'retryTask',
  'decideTask',
  'cancelTask',
  'abortTask',
  'prioritiseTask',
  'rescheduleTask',
  'amendTask',
  'overruleTask',
  'deleteTask',
  'succeedTask',
  'failTask',
  'completeStep',
  'reportError',
  'returnTask',
  'confirmCancel',
  'defineQueue',
  'changePolicy',
  'pauseQueue',
  'resumeQueue',
  'closeIntake',
  'openIntake',
  'finishQueue',
  'reopenQueue',
  'deleteQueue',
] as const;

@Closed()
export class TransactionCommand {
  @Choice(TRANSACTION_OPERATIONS, { example: 'enqueueTask', description: 'The operation, by its id in this document.' })
  operation!: (typeof TRANSACTION_OPERATIONS)[number];

  @Text({
    max: 100,
    pattern: QUEUE_NAME,
    optional: true,
    example: 'mail',
    description: 'For `enqueueTask`, and every operation on a queue.',
  })
  queue?: string;

  @Uuid({ optional: true, example: TASK_ID, description: 'The task, for every other operation.' })
  id?: string;

  @Integer({
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    optional: true,
    example: 3,
    description: 'For `changePolicy`: the version of the policy as the caller knows it.',
  })
  ifVersion?: number;

  @AnyJson({
    optional: true,
    example: { payload: { to: 'ann@example.com' } },
    description: "The operation's body; for `deleteTask` its query parameters.",
  })
  body?: unknown;
}

@Closed()
export class Transaction {
  @Parts(() => TransactionCommand, { min: 1, max: Limits.batch })
  commands!: TransactionCommand[];
}

export class TransactionResult {
  @ApiProperty({
    type: 'string',
    description: "The task's id, for an enqueue that of the one that answers for it; or the queue's name.",
  })
  id!: string;

  @Count()
  revision!: number;

  @Flag({ description: 'false: it was already done, and nothing was recorded.' })
  recorded!: boolean;
}

export class TransactionReceipt {
  @ApiProperty({ type: () => [TransactionResult], description: 'One per command, in their order.' })
  results!: TransactionResult[];

  @Position()
  position!: string;
}
