import '../controllers/index.js';
import { ApiProperty } from '@nestjs/swagger';
import { AnyJson, Choice, Closed, Flag, Integer, Parts, Text, Uuid } from '../input/fields.js';
import { Count, Indexed, Position } from '../dto/answer.fields.js';
import { transactionOperations } from '../operations/operation.js';
import { Limits, QUEUE_NAME } from '../dto/limits.js';

const TASK_ID = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f';

/** The operations that a transaction may contain. Each declares this itself. */
const OPERATIONS = transactionOperations();

@Closed()
export class TransactionCommand {
  @Choice(OPERATIONS, { example: 'enqueueTask', description: 'The `operationId` in this document.' })
  operation!: string;

  @Text({
    max: 100,
    pattern: QUEUE_NAME,
    optional: true,
    example: 'mail',
    description: 'For `enqueueTask` and every operation on a queue.',
  })
  queue?: string;

  @Uuid({ optional: true, example: TASK_ID, description: 'The id of the task, for every other operation.' })
  id?: string;

  @Integer({
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    optional: true,
    example: 3,
    description: 'For `changePolicy`: the version of the policy that you have read.',
  })
  ifVersion?: number;

  @AnyJson({
    optional: true,
    example: { payload: { to: 'ann@example.com' } },
    description: 'The body of the operation; for `deleteTask`, its query parameters.',
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
    description:
      'The id of the task, or the name of the queue. For an enqueue, the id of the new task or of the task that was already waiting.',
  })
  id!: string;

  @Count()
  revision!: number;

  @Flag({ description: 'false: the command was already done, and nothing was recorded.' })
  recorded!: boolean;
}

export class TransactionReceipt {
  @ApiProperty({ type: () => [TransactionResult], description: 'One result per command, in order.' })
  results!: TransactionResult[];

  @Position()
  position!: string;

  @Indexed()
  indexed?: false;
}
