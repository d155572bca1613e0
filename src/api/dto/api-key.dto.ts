import { ApiProperty } from '@nestjs/swagger';

export class QuotaView {
  @ApiProperty({ type: 'integer', required: false, description: 'How many requests a minute each process accepts.' })
  requestsPerMinute?: number;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'How many bytes of request bodies a minute each process accepts.',
  })
  bytesPerMinute?: number;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'How many tasks it may submit a minute, in each process.',
  })
  tasksPerMinute?: number;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'How many recipients of mail and webhooks it may order a minute, in each process.',
  })
  recipientsPerMinute?: number;

  @ApiProperty({ type: 'integer', required: false, description: 'How many tasks may run at once.' })
  runningTasks?: number;
}

export class ApiKeyView {
  @ApiProperty({ type: 'string', description: 'The first digits of its hash, to tell keys of the same name apart.' })
  id!: string;

  @ApiProperty({ type: 'string', example: 'shop' })
  name!: string;

  @ApiProperty({ type: 'array', items: { type: 'string' }, example: ['enqueue:mail'] })
  may!: string[];

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  expiresAt!: string | null;

  @ApiProperty({ type: () => QuotaView, nullable: true })
  quota!: QuotaView | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When a request last came with it, up to a few seconds late; null: never.',
  })
  lastUsedAt!: string | null;
}

export class ApiKeyList {
  @ApiProperty({ type: () => [ApiKeyView], description: 'Empty if the service requires no API keys.' })
  items!: ApiKeyView[];
}
