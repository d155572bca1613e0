import '../controllers/index.js';
import { ApiProperty } from '@nestjs/swagger';
import { AnyJson, Choice, Closed, Integer, Text } from '../input/fields.js';
import { Count, Position } from '../dto/answer.fields.js';
import { Limits } from '../dto/limits.js';
import { previewedOperations } from '../operations/operation.js';

/** Each operation declares this itself. */
const OPERATIONS = previewedOperations();

@Closed()
export class PreviewRequest {
  @Choice(OPERATIONS, { example: 'retryTask', description: 'The `operationId` in this document.' })
  operation!: string;

  @Text({
    max: Limits.reference,
    optional: true,
    example: '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f',
    description: 'What the path of the operation names: the id of a task or batch, or the name of a queue or other.',
  })
  on?: string;

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
    example: { reason: 'mended' },
    description: 'The body of the operation; of those without a body, the query parameters.',
  })
  body?: unknown;
}

/** An event that would be recorded. */
export class PreviewedEvent {
  @ApiProperty({ type: 'string', example: 'TaskRetried' })
  type!: string;

  @Count()
  version!: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: {},
    selfRequired: false,
    description: 'Absent for an API key that may not read all queues.',
  })
  data?: object;
}

/** What would be recorded about one task, queue, batch or other. */
export class PreviewedChange {
  @ApiProperty({ type: 'string', example: 'task-019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f' })
  stream!: string;

  @ApiProperty({ type: 'string', description: 'Its id or name.' })
  id!: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'failed',
    description: 'Its state now; null if it does not exist.',
  })
  from!: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'pending',
    description: 'Its state after the command: the same if it would keep it, and null if it has none.',
  })
  to!: string | null;

  @ApiProperty({ type: () => [PreviewedEvent], description: 'In their order.' })
  events!: PreviewedEvent[];
}

/** What a command would do. */
export class CommandPreview {
  @Position({ description: 'Where in the log it was decided.' })
  position!: string;

  @ApiProperty({
    type: () => [PreviewedChange],
    description: 'Empty if everything is as the command wants it. What others do then because of it is not among them.',
  })
  changes!: PreviewedChange[];

  @Count({
    description: 'How many other tasks an abort would take along, because they wait for these; 100,000 at most.',
  })
  takenAlong!: number;

  @Count({
    description:
      'How many other tasks would have nothing left to wait for, because they ignore the abort; 100,000 at most.',
  })
  unblocked!: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer', minimum: 0 },
    selfRequired: false,
    example: { 'tell-ann': 1 },
    description: 'How often each trigger would fire, by its name. Absent for an API key that may not read all queues.',
  })
  triggers?: Record<string, number>;
}
