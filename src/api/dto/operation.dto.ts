import { ApiProperty } from '@nestjs/swagger';
import { Count, Position } from './answer.fields.js';

export class WorkerView {
  @ApiProperty({ type: 'string', example: 'mailer-1' })
  name!: string;

  @ApiProperty({ type: 'string', example: 'host-7' })
  server!: string;

  @ApiProperty({ type: 'array', items: { type: 'string' } })
  queues!: string[];

  @Count()
  running!: number;

  @ApiProperty({ type: 'string', format: 'date-time' })
  lastSeenAt!: string;
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

  @Position()
  position!: string;

  @Count()
  lag!: number;
}

export class ProjectionList {
  @ApiProperty({ type: () => [ProjectionView] })
  items!: ProjectionView[];
}
