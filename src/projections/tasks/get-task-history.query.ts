import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { taskStream } from '../../domain/task/task.stream.js';
import { type Envelope, EventLog, type Recorded } from '../kernel/event-log.port.js';
import { type Moment, Past } from '../kernel/past.port.js';
import { streamAsOf } from '../kernel/stream-as-of.js';

/** A stored event with its envelope, as auditors see it. */
export interface EventView {
  readonly position: string;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly recordedAt: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly envelope: Envelope;
  /** Why the event cannot be read. Its data is empty then. */
  readonly unreadable?: string;
}

/** Everything that happened to a task, oldest first, read from the log; null if no task has the id. */
export class GetTaskHistory extends Query<readonly EventView[] | null> {
  constructor(readonly id: string) {
    super();
  }
}

/** Everything that had happened to a task by a moment, up to the first event that cannot be read. Throws `NotThereThen`. */
export class GetTaskHistoryAsOf extends Query<readonly EventView[]> {
  constructor(
    readonly id: string,
    readonly moment: Moment,
  ) {
    super();
  }
}

@QueryHandler(GetTaskHistoryAsOf)
export class GetTaskHistoryAsOfHandler implements IQueryHandler<GetTaskHistoryAsOf> {
  constructor(private readonly past: Past) {}

  async execute({ id, moment }: GetTaskHistoryAsOf): Promise<readonly EventView[]> {
    return (await streamAsOf(this.past, taskStream(id), moment)).map(viewOf);
  }
}

@QueryHandler(GetTaskHistory)
export class GetTaskHistoryHandler implements IQueryHandler<GetTaskHistory> {
  constructor(private readonly log: EventLog) {}

  async execute({ id }: GetTaskHistory): Promise<readonly EventView[] | null> {
    const [events] = await this.log.readStreams([taskStream(id)]);
    return events!.length === 0 ? null : events!.map(viewOf);
  }
}

function viewOf({ position, stream, revision, id, recordedAt, event, envelope }: Recorded): EventView {
  const { type, version, data } = event;
  const shown = data as EventView['data'];
  return { position: position.toString(), stream, revision, id, type, version, recordedAt, data: shown, envelope };
}
