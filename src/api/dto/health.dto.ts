import { ApiProperty } from '@nestjs/swagger';
import { Seconds } from './answer.fields.js';

class DatabaseCheck {
  @ApiProperty({ enum: ['up'] })
  status!: 'up';
}

class ProjectionsCheck {
  @ApiProperty({ enum: ['up', 'degraded'] })
  status!: 'up' | 'degraded';

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'number', minimum: 0 },
    example: { 'queue-stats': 0, 'worker-roster': 0.012 },
    description: 'The lag of each follower in seconds, by its name.',
  })
  lagSeconds!: Record<string, number>;

  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    required: false,
    description: 'The followers that stopped at an event that they cannot apply.',
  })
  stopped?: string[];
}

class SweeperCheck {
  @ApiProperty({ enum: ['up'] })
  status!: 'up';

  @Seconds({ nullable: true, description: 'How long ago any process swept last; null if none ever did.' })
  lastSweepSeconds!: number | null;
}

class RoomsCheck {
  @ApiProperty({ enum: ['up', 'degraded'] })
  status!: 'up' | 'degraded';

  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    required: false,
    example: ['bodies'],
    description: 'The rooms of this process of which at least seven eighths are taken.',
  })
  crowded?: string[];
}

class PayloadsCheck {
  @ApiProperty({ enum: ['up', 'degraded'], description: "'up', too, if the service has no store of payloads." })
  status!: 'up' | 'degraded';

  @ApiProperty({ type: 'string', required: false, description: 'What does not work meanwhile.' })
  message?: string;
}

class ReadinessChecks {
  @ApiProperty({ type: () => DatabaseCheck })
  database!: DatabaseCheck;

  @ApiProperty({ type: () => ProjectionsCheck })
  projections!: ProjectionsCheck;

  @ApiProperty({ type: () => SweeperCheck })
  sweeper!: SweeperCheck;

  @ApiProperty({ type: () => RoomsCheck })
  rooms!: RoomsCheck;

  @ApiProperty({ type: () => PayloadsCheck })
  payloads!: PayloadsCheck;
}

/** The answer of a service that is ready. */
export class Readiness {
  @ApiProperty({ enum: ['ok', 'degraded'], description: "'degraded': the service works, but needs attention." })
  status!: 'ok' | 'degraded';

  @ApiProperty({ type: () => ReadinessChecks })
  details!: ReadinessChecks;
}
