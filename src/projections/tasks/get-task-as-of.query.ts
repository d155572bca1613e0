import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { wholePolicy, type QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { QueueEvent } from '../../domain/queue/queue.events.js';
import { queueStream } from '../../domain/queue/queue.stream.js';
import type { SystemEvent } from '../../domain/system/system.events.js';
import { DRAIN_STREAM } from '../../domain/system/system.stream.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { type Moment, NotThereThen, Past } from '../kernel/past.port.js';
import { queueRow } from '../kernel/rows/queue-row.js';
import { systemRow } from '../kernel/rows/system-row.js';
import { contentOf, type TaskView, withDetails } from './get-task.query.js';
import { PastGate } from './past-gate.js';
import { entityOf, type PastTask, pastTask, stateOf } from './past-task.js';
import { timesOf } from './task-times.js';
import { summaryOf } from './task-view.js';

/** What is in no event, and where it would matter for the task. */
export type NotRecorded = 'lastHeartbeatAt' | 'percent' | 'progress' | 'archivedAt';

export interface PastTaskView {
  readonly view: TaskView;
  /** The members of `view` that the log does not know, and that are empty for that reason. */
  readonly notRecorded: readonly NotRecorded[];
}

/** A task as it was. Throws `NotThereThen`. */
export class GetTaskAsOf extends Query<PastTaskView> {
  constructor(
    readonly id: string,
    readonly moment: Moment,
    /** As in `GetTask`. */
    readonly copyOf: (task: string, batch: string) => string,
  ) {
    super();
  }
}

@QueryHandler(GetTaskAsOf)
export class GetTaskAsOfHandler implements IQueryHandler<GetTaskAsOf> {
  constructor(
    private readonly past: Past,
    private readonly gate: PastGate,
  ) {}

  async execute({ id, moment, copyOf }: GetTaskAsOf): Promise<PastTaskView> {
    const task = await this.taskAt(id, moment);
    const { row, events } = task;
    const { items, ...content } = contentOf(events);
    const summary = summaryOf(entityOf(row), await this.besides(task, moment));
    const view: TaskView = {
      ...summary,
      ...content,
      items: await this.statesOf(items, moment),
      ...timesOf(events),
      error: withDetails(summary.error, events),
      rerun: row.batch === null ? null : await this.known(copyOf(id, row.batch), moment),
      archivedAt: null,
      progress: [],
    };
    return { view, notRecorded: notRecorded(view) };
  }

  private async taskAt(id: string, { position }: Moment): Promise<PastTask> {
    const [events] = await this.past.historiesAt([taskStream(id)], position);
    const task = pastTask(id, events as readonly Recorded<TaskEvent>[]);
    if (task === null) throw new NotThereThen(await this.past.beginningOf(taskStream(id)));
    return task;
  }

  private async besides(task: PastTask, moment: Moment) {
    const { row } = task;
    const streams = [queueStream(row.queue), DRAIN_STREAM];
    const [queue, system] = await this.past.historiesAt(streams, moment.position);
    const { status, policy } = queueRow(eventsIn<QueueEvent>(queue!)) as { status: string; policy: QueuePolicy };
    const isDraining = system!.length > 0 && systemRow(eventsIn<SystemEvent>(system!)).draining === true;
    return {
      gate: row.state === 'pending' ? await this.gate.of(task, wholePolicy(policy), moment) : null,
      queueStatus: isDraining ? 'draining' : status,
      stateName: stateNameOf(row, policy),
      lastHeartbeatAt: null,
      progress: null,
    };
  }

  private async statesOf(items: readonly string[], { position }: Moment): Promise<TaskView['items']> {
    const histories = await this.past.historiesAt(items.map(taskStream), position);
    return items.flatMap((id, at) => {
      const state = stateOf(histories[at] as readonly Recorded<TaskEvent>[]);
      return state === null ? [] : [{ id, state }];
    });
  }

  private async known(id: string, { position }: Moment): Promise<string | null> {
    const [events] = await this.past.historiesAt([taskStream(id)], position);
    return stateOf(events as readonly Recorded<TaskEvent>[]) === null ? null : id;
  }
}

const eventsIn = <E>(history: readonly Recorded[]): readonly E[] => history.map(({ event }) => event as E);

/** A task that is in a step is shown under its name, if its queue says so. */
function stateNameOf(
  { entered, state, step }: PastTask['row'],
  { stepsAsStates, vocabulary }: Partial<QueuePolicy>,
): string {
  const isInStep = stepsAsStates === true && entered && (state === 'pending' || state === 'running');
  const names: Readonly<Record<string, string | undefined>> = vocabulary ?? {};
  return (isInStep ? step : null) ?? names[state] ?? state;
}

const ENDED: ReadonlySet<string> = new Set(['succeeded', 'superseded', 'failed', 'cancelled', 'aborted', 'deleted']);

const notRecorded = ({ state, attempt }: TaskView): readonly NotRecorded[] => [
  ...(state === 'running' ? (['lastHeartbeatAt'] as const) : []),
  ...(attempt > 0 ? (['percent', 'progress'] as const) : []),
  ...(ENDED.has(state) ? (['archivedAt'] as const) : []),
];
