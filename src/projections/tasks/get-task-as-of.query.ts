import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TaskEvent } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { lastGroupIn } from '../kernel/grouped-error.js';
import { Grouping } from '../kernel/grouping.js';
import { type Moment, Past } from '../kernel/past.port.js';
import { tracesOf } from './traces.js';
import { contentOf, type TaskView, withDetails } from './get-task.query.js';
import { PastBesides } from './past-besides.js';
import { stateOf, taskAsOf } from './past-task.js';
import { timesOf } from './task-times.js';

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
    private readonly besides: PastBesides,
    private readonly grouping: Grouping,
  ) {}

  async execute({ id, moment, copyOf }: GetTaskAsOf): Promise<PastTaskView> {
    const task = await taskAsOf(this.past, id, moment);
    const { row, events } = task;
    const { items, ...content } = contentOf(events);
    const summary = await this.besides.summaryOf(task, moment);
    const view: TaskView = {
      ...summary,
      ...content,
      items: await this.statesOf(items, moment),
      ...timesOf(events),
      error: withDetails(summary.error, events),
      failureGroup: lastGroupIn(events, this.grouping),
      rerun: row.batch === null ? null : await this.known(copyOf(id, row.batch), moment),
      archivedAt: null,
      progress: [],
      traces: tracesOf(events),
    };
    return { view, notRecorded: notRecorded(view) };
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

const ENDED: ReadonlySet<string> = new Set(['succeeded', 'superseded', 'failed', 'cancelled', 'aborted', 'deleted']);

const notRecorded = ({ state, attempt }: TaskView): readonly NotRecorded[] => [
  ...(state === 'running' ? (['lastHeartbeatAt'] as const) : []),
  ...(attempt > 0 ? (['percent', 'progress'] as const) : []),
  ...(ENDED.has(state) ? (['archivedAt'] as const) : []),
];
