import { ApiProperty } from '@nestjs/swagger';
import type { WorkerLabels } from '../../domain/kernel/worker-labels.js';
import { Part, Text } from '../input/fields.js';
import { LabelsOfWorkers } from '../input/label-fields.js';
import { Count, LagSeconds, Position } from './answer.fields.js';
import { Limits } from './limits.js';
import { AsOf } from './past.dto.js';

export class WorkerView {
  @ApiProperty({ type: 'string', example: 'mailer-1' })
  name!: string;

  @ApiProperty({ type: 'string', example: 'host-7' })
  server!: string;

  @Text({
    max: Limits.build,
    nullable: true,
    example: 'b7f3',
    description: 'The build that it named last with a claim; null if it has named none.',
  })
  build!: string | null;

  @ApiProperty({
    enum: ['alive', 'gone'],
    description: '`alive`: the worker has claimed in the last minute, or has a lease that has not expired.',
  })
  state!: 'alive' | 'gone';

  @ApiProperty({ type: 'array', items: { type: 'string' } })
  queues!: string[];

  @ApiProperty({ type: 'string', format: 'date-time' })
  firstSeenAt!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  lastSeenAt!: string;

  @Count({ description: 'How many of its handlers go on although their tasks are lost or cancelled.' })
  stuck!: number;

  @LabelsOfWorkers({ description: 'What it offered when it last claimed; empty if nothing.' })
  offers!: WorkerLabels;

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

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Pass it as `cursor` to get the next page; null on the last page.',
  })
  nextCursor!: string | null;

  @Part(() => AsOf, { optional: true, description: 'Present if the list is as of a moment.' })
  asOf?: AsOf;
}

export class ProjectionView {
  @ApiProperty({ type: 'string', example: 'queue-stats' })
  name!: string;

  @Count()
  version!: number;

  @Position()
  position!: string;

  @Position({ description: 'The position of the latest event in the log.' })
  head!: string;

  @ApiProperty({
    type: 'integer',
    minimum: 0,
    nullable: true,
    description: 'The number of events between both; null with EventStoreDB, whose positions do not count events.',
  })
  lagEvents!: number | null;

  @LagSeconds()
  lagSeconds!: number;

  @ApiProperty({ type: 'string', enum: ['running', 'stopped'] })
  status!: 'running' | 'stopped';

  @ApiProperty({ type: 'string', nullable: true, description: 'Why the follower stopped.' })
  error!: string | null;

  @Position({ nullable: true, description: 'The event at which the follower stopped.' })
  stoppedAt!: string | null;
}

export class ProjectionList {
  @ApiProperty({ type: () => [ProjectionView] })
  items!: ProjectionView[];
}
