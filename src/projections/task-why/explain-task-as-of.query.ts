import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { TASK_STATUSES, type TaskStatus } from '../../domain/task/task.events.js';
import { isReserved } from '../../domain/queue/reserved.policy.js';
import { neededBy, needsNothing, type WorkerLabels } from '../../domain/kernel/worker-labels.js';
import type { Moment } from '../kernel/past.port.js';
import { TasksThen, type TaskThen } from '../kernel/tasks-then.port.js';
import type { TaskExplanation } from './explain-task.query.js';
import { type FactsThen, PastFacts } from './past-facts.js';
import { type Facts, type Reason, reasonsOf } from './why.js';

/** What no event tells: members of the answer, and reasons that it may lack. */
export type UntoldReason =
  | 'rank'
  | 'lastPolledAt'
  | 'unattended'
  /** What was open of a batch that it waited for. */
  | 'open'
  | 'lease-over'
  | 'queue-failing'
  | 'target-failing'
  | 'rate'
  | 'quarantined';

export interface PastExplanation {
  /** Without commands, because nobody changes the past. */
  readonly view: TaskExplanation;
  readonly notRecorded: readonly UntoldReason[];
}

/** Why a task was not running. Throws `NotThereThen` and `TooMuchToFold`. */
export class ExplainTaskAsOf extends Query<PastExplanation> {
  constructor(
    readonly id: string,
    readonly moment: Moment,
  ) {
    super();
  }
}

@QueryHandler(ExplainTaskAsOf)
export class ExplainTaskAsOfHandler implements IQueryHandler<ExplainTaskAsOf> {
  constructor(
    private readonly tasks: TasksThen,
    private readonly facts: PastFacts,
  ) {}

  async execute({ id, moment }: ExplainTaskAsOf): Promise<PastExplanation> {
    const task = await this.tasks.at(id, moment);
    const facts = await this.facts.of(task, moment);
    const { queue, state } = task.row;
    const reasons = reasonsOf(facts);
    const view = { taskId: id, queue, state: state as TaskStatus, reasons, rank: null, commands: [] };
    return { view, notRecorded: notRecorded(task, facts, view) };
  }
}

const isSerial = ({ queue }: Facts): boolean => queue.policy.concurrency === 'serial';
const maySoonPause = ({ queue }: Facts): boolean => queue.withheld === null && queue.policy.pauseAfterFailures !== null;

const namesBatch = (reason: Reason): boolean =>
  reason.because === 'prerequisites' && reason.blockers.some(({ state }) => !STATES.has(state));
const STATES: ReadonlySet<string> = new Set(TASK_STATUSES);

/** The log tells whether workers asked, and not what they offered. */
const untoldOfWorkers = ({ row: { needs } }: TaskThen, { queue, workers, untoldOfWorkers: untold }: FactsThen) =>
  workers.lacking === null &&
  !needsNothing(neededBy(needs === null ? undefined : (JSON.parse(needs) as WorkerLabels), queue.policy.needs))
    ? [...new Set([...untold, 'unattended' as const])]
    : untold;

function notRecorded(task: TaskThen, facts: FactsThen, { reasons }: TaskExplanation): readonly UntoldReason[] {
  const { row } = task;
  const waits = row.state === 'pending';
  return [
    ...(waits ? (['rank'] as const) : []),
    ...(reasons.some(({ because }) => because === 'worker') ? untoldOfWorkers(task, facts) : []),
    ...(reasons.some(namesBatch) ? (['open'] as const) : []),
    ...(row.state === 'running' || (waits && isSerial(facts)) ? (['lease-over'] as const) : []),
    ...(waits && maySoonPause(facts) ? (['queue-failing'] as const) : []),
    ...(waits && isReserved(row.queue) ? (['target-failing'] as const) : []),
    ...(facts.isRateUntold ? (['rate'] as const) : []),
    'quarantined',
  ];
}
