import { ApiProperty } from '@nestjs/swagger';
import { Part } from '../input/fields.js';
import { Count, Position } from './answer.fields.js';
import { AsOf } from './past.dto.js';

/** Who caused the event, why, and in which context. */
export class EventEnvelope {
  @ApiProperty({ type: 'string', example: 'ann' })
  actor!: string;

  @ApiProperty({
    type: 'string',
    required: false,
    description: "The program or assistant that acted on the actor's behalf, as it said.",
  })
  agent?: string;

  @ApiProperty({ type: 'string', required: false })
  correlationId?: string;

  @ApiProperty({ type: 'string', required: false })
  causationId?: string;

  @ApiProperty({ type: 'string', required: false })
  reason?: string;

  @ApiProperty({ type: 'string', required: false })
  tenant?: string;

  @ApiProperty({ type: 'string', required: false, description: "The caller's W3C trace context." })
  traceparent?: string;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: "The version of the queue's policy that the decision was based on.",
  })
  policyVersion?: number;
}

export class EventView {
  @Position()
  position!: string;

  @ApiProperty({ type: 'string', example: 'queue-mail' })
  stream!: string;

  @Count()
  revision!: number;

  @ApiProperty({ type: 'string', format: 'uuid' })
  id!: string;

  @ApiProperty({ type: 'string', example: 'QueuePaused' })
  type!: string;

  @Count()
  version!: number;

  @ApiProperty({ type: 'string', format: 'date-time' })
  recordedAt!: string;

  @ApiProperty({ type: 'object', additionalProperties: {} })
  data!: Record<string, unknown>;

  @ApiProperty({ type: () => EventEnvelope })
  envelope!: EventEnvelope;

  @ApiProperty({
    type: 'string',
    required: false,
    description:
      'Why the event cannot be read: what is stored at its position is damaged. `data` is empty then. Filters let it ' +
      'pass if nobody knows whether it matches.',
  })
  unreadable?: string;
}

export class EventList {
  @ApiProperty({ type: () => [EventView], description: 'The oldest event first.' })
  items!: EventView[];

  @Part(() => AsOf, { optional: true, description: 'Present if the answer is as of a moment.' })
  asOf?: AsOf;
}
