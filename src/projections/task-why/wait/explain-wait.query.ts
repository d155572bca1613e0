import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { QueuePolicy } from '../../../domain/queue/queue.policy.js';
import type { TaskStatus } from '../../../domain/task/task.events.js';
import { type Moment } from '../../kernel/past.port.js';
import { type Activity, readyPieces } from './activity.js';
import { type CauseSum, type Interval, joined, sumsOf } from './intervals.js';
import { PastWaits, type Wait } from './past-waits.js';
import { QueueActivity } from './queue-activity.js';

export interface TaskWait {
  readonly taskId: string;
  readonly queue: string;
  readonly state: TaskStatus;
  /** When it first waited, and when it last did: its last claim or end, or the moment if it still waits. Null if it never waited. */
  readonly from: number | null;
  readonly until: number | null;
  readonly waitedMs: number;
  readonly sums: readonly CauseSum[];
  /** In the order of time. They add up to `waitedMs`. */
  readonly intervals: readonly Interval[];
}

const explainedBy = (known: Activity, taskId: string, piece: Interval, policy: QueuePolicy): readonly Interval[] =>
  readyPieces(taskId, piece, policy, known).map((part) => ({ ...part, attempt: piece.attempt }));

/** Where the waiting time of a task went, up to a moment. Throws `NotThereThen` and `TooMuchToFold`. */
export class ExplainWait extends Query<TaskWait> {
  constructor(
    readonly id: string,
    readonly moment: Moment,
  ) {
    super();
  }
}

@QueryHandler(ExplainWait)
export class ExplainWaitHandler implements IQueryHandler<ExplainWait> {
  constructor(
    private readonly waits: PastWaits,
    private readonly activity: QueueActivity,
  ) {}

  async execute({ id, moment }: ExplainWait): Promise<TaskWait> {
    const wait = await this.waits.of(id, moment);
    const intervals = joined(await this.explained(wait));
    const { row } = wait.task;
    return {
      taskId: id,
      queue: row.queue,
      state: row.state as TaskStatus,
      from: wait.spans[0]?.from.time ?? null,
      until: wait.spans.at(-1)?.until.time ?? null,
      waitedMs: wait.spans.reduce((sum, { from, until }) => sum + until.time - from.time, 0),
      sums: sumsOf(intervals),
      intervals,
    };
  }

  /** What others did is read only for the parts in which nothing kept the task. */
  private async explained({ task: { row }, spans, pieces }: Wait): Promise<readonly Interval[]> {
    const found: Interval[] = [];
    for (const span of spans) {
      const own = pieces.filter(({ from, until }) => span.from.time <= from && until <= span.until.time);
      const ready = own.filter(({ policy }) => policy !== null);
      const range = { from: ready[0]?.from ?? 0, until: ready.at(-1)?.until ?? 0 };
      const known = ready.length === 0 ? null : await this.activity.of(row.queue, span, range);
      for (const { policy, ...piece } of own)
        found.push(...(policy === null ? [piece] : explainedBy(known!, row.task_id, piece, policy)));
    }
    return found;
  }
}
