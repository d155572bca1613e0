import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { type QueuePolicy, wholePolicy } from '../../domain/queue/queue.policy.js';
import type { TaskStatus } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { EventLog, type Recorded } from '../kernel/event-log.port.js';
import { gatheringIn, retryIn, signalIn } from './retry.js';
import { jobIn, reasonFromHistory } from './reason-from-history.js';
import { type Reason, reasonsOf } from './why.js';
import { FACTS, factsOf, NO_PAST, type Past, type Row } from './facts-of-a-task.js';

export interface TaskExplanation {
  readonly taskId: string;
  readonly queue: string;
  readonly state: TaskStatus;
  /** At least one reason; `worker` if the task is ready. */
  readonly reasons: readonly Reason[];
  /**
   * The task's place, from 1, among the tasks of the queue that may run now; null if it may not. With fair shares, that of its turn. Counted up to 10,000.
   */
  readonly rank: number | null;
  /** The commands that the queue offers; null means all. */
  readonly commands: QueuePolicy['commands'];
}

/** Why a task is not running now; null if no task has the id. */
export class ExplainTask extends Query<TaskExplanation | null> {
  constructor(readonly id: string) {
    super();
  }
}

@QueryHandler(ExplainTask)
export class ExplainTaskHandler implements IQueryHandler<ExplainTask> {
  constructor(
    private readonly db: DataSource,
    private readonly log: EventLog,
  ) {}

  async execute({ id }: ExplainTask): Promise<TaskExplanation | null> {
    const [row] = await this.db.query<Row[]>(FACTS, [id]);
    if (!row) return null;
    const { queue, state, rank, policy } = row;
    const reasons = reasonsOf(factsOf(row, await this.pastOf(id, row)));
    const { commands } = wholePolicy(policy);
    return { taskId: id, queue, state, reasons, rank: rank === null ? null : Number(rank), commands };
  }

  /** Only the history tells who placed a hold on the task or ended it, and what it retries. */
  private async pastOf(id: string, row: Row): Promise<Past> {
    const { state, gate, policy, step } = row;
    if (row.quarantined || (state === 'pending' && gate !== 'due')) return NO_PAST;
    const history = await this.historyOf(id, row);
    const rules = { policy: wholePolicy(policy), step };
    if (state === 'pending')
      return {
        ...NO_PAST,
        retry: retryIn(history, rules.policy, step),
        signal: signalIn(history, row.due_at?.toISOString() ?? null),
        gathering: gatheringIn(history, row.due_at?.toISOString() ?? null),
      };
    return {
      ...NO_PAST,
      reason: reasonFromHistory(state, history, rules) ?? (state === 'running' ? await this.jobOf(history) : null),
    };
  }

  /** It may have gone on since the facts were read. */
  private async historyOf(id: string, { revision }: Row): Promise<readonly Recorded[]> {
    const [events] = await this.log.readStreams([taskStream(id)]);
    return events!.filter((event) => event.revision <= revision);
  }

  private async jobOf(history: readonly Recorded[]): Promise<Reason | null> {
    const job = jobIn(history);
    const [row] = await this.db.query<{ readonly state: TaskStatus }[]>(
      'select state from known_tasks where task_id = $1',
      [job],
    );
    return row ? { because: 'job', taskId: job!, state: row.state } : null;
  }
}
