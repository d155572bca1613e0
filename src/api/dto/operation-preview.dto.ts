import { ApiProperty } from '@nestjs/swagger';
import { TASK_STATUSES, type TaskStatus } from '../../domain/task/task.events.js';
import { Choice, Text, Uuid } from '../input/fields.js';
import { Count, Position } from './answer.fields.js';

export class PreviewedMove {
  @Choice(TASK_STATUSES)
  from!: TaskStatus;

  @Choice(TASK_STATUSES, { description: 'The same as `from` if the task would keep its state.' })
  to!: TaskStatus;

  @Count()
  count!: number;
}

export class PreviewExample {
  @Uuid({})
  task!: string;

  @Choice(TASK_STATUSES, { optional: true, description: 'Its state now; absent if it would refuse.' })
  from?: TaskStatus;

  @Choice(TASK_STATUSES, { optional: true, description: 'Its state after the command; absent if it would refuse.' })
  to?: TaskStatus;

  @Text({ max: 100, optional: true, example: 'ILLEGAL_TRANSITION', description: 'Why it would refuse.' })
  code?: string;
}

/** What a command for many tasks would do. */
export class OperationPreview {
  @Position({ description: 'Where in the log it was decided. `asPreviewed` takes it.' })
  position!: string;

  @Count({ description: 'How many tasks were decided: all that matched, or the first 10,000.' })
  decided!: number;

  @Count({ description: 'How many would have the command, also because they have it already.' })
  done!: number;

  @ApiProperty({ type: () => [PreviewedMove], description: 'What would become of them.' })
  moves!: PreviewedMove[];

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer', minimum: 0 },
    example: { ILLEGAL_TRANSITION: 2 },
    description: 'How many would refuse it, by the code of the refusal.',
  })
  refused!: Record<string, number>;

  @Count({
    description:
      'How many others an abort would take along, because they wait for these; 100,000 at most. Of its undo: how many of those that it took along would come back, which are among the decided.',
  })
  takenAlong!: number;

  @Count({
    description: 'How many others would have nothing left to wait for, because they ignore the abort; 100,000 at most.',
  })
  unblocked!: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer', minimum: 0 },
    example: { 'tell-ann': 2 },
    description: 'How often each trigger would fire, by its name.',
  })
  triggers!: Record<string, number>;

  @ApiProperty({ type: () => [PreviewExample], description: 'The first 20 tasks.' })
  examples!: PreviewExample[];
}
