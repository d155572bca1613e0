import { ApiProperty } from '@nestjs/swagger';
import { ERROR_CLASSES, type ErrorClass, TASK_STATUSES, type TaskStatus } from '../../domain/task/task.events.js';
import { Choice, Closed, Instant, Integer, MomentOf, Part, Text, Uuid } from '../input/fields.js';
import { Count } from './answer.fields.js';
import { Limits, QUEUE_NAME } from './limits.js';
import { PageCursor, PageLimit } from './page.fields.js';
import { AsOf } from './past.dto.js';

@Closed()
export class ChangesSumQuery {
  @MomentOf({
    example: '24h',
    description:
      'The first of the two moments: a time, how long ago (such as `24h`), or a position of the log. A time before the first event stands for the beginning.',
  })
  since!: string;

  @MomentOf({ optional: true, description: 'The second one; now if absent.' })
  until?: string;

  @Text({
    max: 100,
    pattern: QUEUE_NAME,
    optional: true,
    description: 'Only tasks of this queue. If absent, of all queues but those of the service itself.',
  })
  queue?: string;
}

@Closed()
export class ChangesQuery extends ChangesSumQuery {
  @Uuid({ optional: true, description: 'Only tasks of this batch.' })
  batch?: string;

  @PageCursor()
  cursor?: string;

  @PageLimit()
  limit?: number;
}

/** What is compared of a task. */
export class ComparedTask {
  @Choice(TASK_STATUSES)
  state!: TaskStatus;

  @Text({ max: Limits.step, nullable: true, description: 'The step that it was in; null without one.' })
  step!: string | null;

  @Choice(ERROR_CLASSES, { nullable: true, description: 'The class of its last error; null without one.' })
  errorClass!: ErrorClass | null;

  @Integer({ ...Limits.priority })
  priority!: number;
}

export class TaskChange {
  @Uuid({})
  task!: string;

  @Text({ max: 100, pattern: QUEUE_NAME })
  queue!: string;

  @Text({ max: Limits.kind })
  kind!: string;

  @Text({ max: Limits.reference, nullable: true })
  reference!: string | null;

  @Uuid({ nullable: true })
  batch!: string | null;

  @Part(() => ComparedTask, {
    nullable: true,
    description: 'What it was at the first moment; null if it was not there.',
  })
  from!: ComparedTask | null;

  @Part(() => ComparedTask, { description: 'What it was at the second moment.' })
  to!: ComparedTask;

  @Instant({ description: 'When its last event before the second moment was recorded.' })
  at!: string;
}

/** The two moments of an answer, and what it does not show. */
class Moments {
  @Part(() => AsOf, { description: 'The first moment. By its position, the same changes can be asked for again.' })
  since!: AsOf;

  @Part(() => AsOf, { description: 'The second moment. As the `since` of the next question, it leaves no gap.' })
  until!: AsOf;

  @Count({ description: 'How many tasks are left out because they are outside of the queues of the API key.' })
  hidden!: number;
}

export class ChangesPage extends Moments {
  @ApiProperty({ type: () => [TaskChange], description: 'In the order in which they began to change.' })
  items!: TaskChange[];

  @Text({
    max: Limits.cursor,
    nullable: true,
    description:
      'Null on the last page. A page looks through a bounded part of the log, so one may be empty and others follow.',
  })
  nextCursor!: string | null;
}

export class MovedTasks {
  @Text({ max: 100, pattern: QUEUE_NAME })
  queue!: string;

  @Choice(TASK_STATUSES, { nullable: true, description: 'Null: they were not there at the first moment.' })
  from!: TaskStatus | null;

  @Choice(TASK_STATUSES)
  to!: TaskStatus;

  @Count()
  tasks!: number;
}

export class StateAtBoth {
  @Choice(TASK_STATUSES)
  state!: TaskStatus;

  @Count({ description: 'The tasks of the queue that were in it at the first moment.' })
  before!: number;

  @Count({ description: 'And at the second one.' })
  after!: number;
}

export class ChangesSum extends Moments {
  @ApiProperty({
    type: () => [MovedTasks],
    nullable: true,
    description:
      'How many tasks went from one state to another, the most first. Null if more than 1,000,000 events lie between the moments.',
  })
  moves!: MovedTasks[] | null;

  @ApiProperty({
    type: () => [StateAtBoth],
    nullable: true,
    description: 'With `queue`: how many of its tasks were in each state. Null otherwise.',
  })
  states!: StateAtBoth[] | null;
}
