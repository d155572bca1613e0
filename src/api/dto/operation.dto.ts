import { ApiProperty } from '@nestjs/swagger';
import { Count, LagSeconds, Position } from './answer.fields.js';

export class WorkerView {
  @ApiProperty({ type: 'string', example: 'mailer-1' })
  name!: string;

  @ApiProperty({ type: 'string', example: 'host-7' })
  server!: string;

  @ApiProperty({
    enum: ['alive', 'gone'],
    description: '`alive`: asked for tasks in the last minute, or holds a lease that is not overdue.',
  })
  state!: 'alive' | 'gone';

  @ApiProperty({ type: 'array', items: { type: 'string' } })
  queues!: string[];

  @ApiProperty({ type: 'string', format: 'date-time' })
  firstSeenAt!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  lastSeenAt!: string;

  @Count()
  running!: number;

  @Count()
  claimed!: number;

  @Count()
  succeeded!: number;

  @Count()
  failed!: number;

  @Count()
  lost!: number;

  @Count()
  returned!: number;
}

export class WorkerList {
  @ApiProperty({ type: () => [WorkerView] })
  items!: WorkerView[];

  @ApiProperty({ type: 'string', nullable: true, description: 'Where the next page begins; null on the last one.' })
  nextCursor!: string | null;
}

export class ProjectionView {
  @ApiProperty({ type: 'string', example: 'queue-stats' })
  name!: string;

  @Count()
  version!: number;

  @Position()
  position!: string;

  @Position({ description: "The position of the log's newest event." })
  head!: string;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    nullable: true,
    description: 'The events between both; null with the events in EventStoreDB, whose positions do not count them.',
  })
  lagEvents!: number | null;

  @LagSeconds()
  lagSeconds!: number;

  @ApiProperty({ type: 'string', enum: ['running', 'stopped'] })
  status!: 'running' | 'stopped';

  @ApiProperty({ type: 'string', nullable: true, description: 'Why it stopped.' })
  error!: string | null;

  @Position({ nullable: true, description: 'The event at which it stopped.' })
  stoppedAt!: string | null;
}

export class ProjectionList {
  @ApiProperty({ type: () => [ProjectionView] })
  items!: ProjectionView[];
}
