import { ApiProperty } from '@nestjs/swagger';
import { TASK_STATUSES, type TaskStatus } from '../../domain/task/task.events.js';
import type { WaitCause } from '../../projections/task-why/wait/intervals.js';
import { Choice, Closed, Decimal, Instant, Integer, Part, Since, Text, Uuid } from '../input/fields.js';
import { Count } from './answer.fields.js';
import { NotRunningReason, REASONS } from './explanation.dto.js';
import { QUEUE_NAME } from './limits.js';
import { AsOf } from './past.dto.js';

const CAUSES = [...REASONS, 'retry', 'behind', 'unknown'] as const satisfies readonly WaitCause[];

const Milliseconds = (description: string) => Integer({ min: 0, max: Number.MAX_SAFE_INTEGER, description });

/** How long one cause kept tasks waiting. */
export class WaitSum {
  @Choice(CAUSES)
  because!: WaitCause;

  @Milliseconds('For how long.')
  ms!: number;
}

/** How long one cause kept the tasks of a queue waiting. */
export class WaitShare extends WaitSum {
  @Decimal({ min: 0, max: 1, description: 'Of the whole.' })
  share!: number;

  @Count({ description: 'How many tasks it kept.' })
  tasks!: number;
}

@Closed()
export class WaitsQuery {
  @Since({ example: '24h', description: 'Where the range begins: a time, or how long ago.' })
  from!: string;

  @Since({ optional: true, example: 'now', description: 'Where it ends; now if absent.' })
  to?: string;
}

export class QueueWaits {
  @Text({ max: 100, pattern: QUEUE_NAME })
  queue!: string;

  @Instant({})
  from!: string;

  @Instant({})
  until!: string;

  @Count({ description: 'How many tasks waited in the range.' })
  tasks!: number;

  @Milliseconds('How long they waited in the range, all together.')
  waitedMs!: number;

  @ApiProperty({
    type: () => [WaitShare],
    description:
      'By cause, the longest first. They add up to `waitedMs`. `unknown`: of tasks with more than 1,000 events around them, and of what is after the first 50,000 events of the queue.',
  })
  sums!: WaitShare[];

  @Count({ description: 'How many other tasks may have waited, but nothing of their history can be read.' })
  unreadable!: number;

  @Part(() => AsOf, { description: 'The moment at which the range ends.' })
  asOf!: AsOf;
}

/** A part of a wait that had one cause. */
export class WaitInterval {
  @Instant({})
  from!: string;

  @Instant({ description: 'The end, at which the next interval of the wait begins.' })
  until!: string;

  @Milliseconds('The length.')
  ms!: number;

  @Choice(CAUSES, {
    description:
      'The cause that counts: what keeps the task itself comes before what keeps its queue. `retry`: as `due`, after a failed or lost attempt. `behind`: nothing kept the task, but workers had other tasks of its queue. `worker`: nobody ran a task of its queue or had got one for a minute, so no worker asked, as far as is known; its `reason` says `unattended` if that was recorded. `unknown`: more happened in the queue than one answer reads.',
  })
  because!: WaitCause;

  @ApiProperty({
    type: () => NotRunningReason,
    nullable: true,
    description: 'As `why` would have said. Null for `behind` and `unknown`.',
  })
  reason!: NotRunningReason | null;

  @ApiProperty({ enum: CAUSES, isArray: true, description: 'What else kept it at the beginning of the interval.' })
  also!: WaitCause[];

  @Integer({ min: 1, max: Number.MAX_SAFE_INTEGER, description: 'The attempt that the task waited for.' })
  attempt!: number;

  @Integer({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    description: 'With `behind`: how many other tasks of the queue were claimed.',
  })
  claims!: number;
}

export class TaskWait {
  @Uuid({})
  taskId!: string;

  @Text({ max: 100, pattern: QUEUE_NAME })
  queue!: string;

  @Choice(TASK_STATUSES)
  state!: TaskStatus;

  @Instant({ nullable: true, description: 'When it began to wait; null if it never did.' })
  from!: string | null;

  @Instant({ nullable: true, description: 'When its last wait ended, or the moment of the answer if it still waits.' })
  until!: string | null;

  @Milliseconds('How long it was open without running, from its submission on.')
  waitedMs!: number;

  @ApiProperty({ type: () => [WaitSum], description: 'By cause, the longest first. They add up to `waitedMs`.' })
  sums!: WaitSum[];

  @ApiProperty({ type: () => [WaitInterval], description: 'In the order of time. They add up to `waitedMs`.' })
  intervals!: WaitInterval[];

  @Part(() => AsOf)
  asOf!: AsOf;
}
