import { ApiProperty } from '@nestjs/swagger';
import { QuotaView } from './api-key.dto.js';

export class OwnKeyView {
  @ApiProperty({ type: 'string', description: 'The first digits of its hash, to tell keys of the same name apart.' })
  id!: string;

  @ApiProperty({ type: 'string', example: 'shop' })
  name!: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'Null: never.' })
  expiresAt!: string | null;

  @ApiProperty({ type: () => QuotaView, nullable: true })
  quota!: QuotaView | null;
}

export class MeView {
  @ApiProperty({
    type: 'string',
    example: 'shop:ann',
    description: 'Under which name the history records what this caller does.',
  })
  actor!: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    example: 'ann@example.com',
    description: 'The person that a trusted proxy has signed in; null without one.',
  })
  person!: string | null;

  @ApiProperty({
    type: () => OwnKeyView,
    nullable: true,
    description: 'The API key of the request; null if the service requires none.',
  })
  key!: OwnKeyView | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    example: ['read', 'enqueue:mail'],
    description: 'What the caller may do, as in its API key; everything if the service requires no API keys.',
  })
  may!: string[];

  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    nullable: true,
    description: 'The names of the queues that the caller may read, in order; null: all of them.',
  })
  queues!: string[] | null;
}
