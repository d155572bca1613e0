import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { DEFAULT_POLICY } from '../../domain/queue/queue.policy.js';
import type { QueueEvent } from '../../domain/queue/queue.events.js';
import { queueStream } from '../../domain/queue/queue.stream.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { type Moment, NotThereThen, Past } from '../kernel/past.port.js';
import { queueRow } from '../kernel/rows/queue-row.js';
import { eventsIn, streamAsOf } from '../kernel/stream-as-of.js';
import type { QueueEntity } from './queue.entity.js';
import { type QueueView, viewOf } from './queues.queries.js';

export interface PastQueueView {
  readonly view: QueueView;
  /** The fields of the policy that no event had then, and that are shown with their defaults of today. */
  readonly notRecorded: readonly string[];
}

/** A queue as it was. Throws `NotThereThen`, also if it was deleted then. */
export class GetQueueAsOf extends Query<PastQueueView> {
  constructor(
    readonly name: string,
    readonly moment: Moment,
  ) {
    super();
  }
}

@QueryHandler(GetQueueAsOf)
export class GetQueueAsOfHandler implements IQueryHandler<GetQueueAsOf> {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
  ) {}

  async execute({ name, moment }: GetQueueAsOf): Promise<PastQueueView> {
    const history = await streamAsOf(this.past, queueStream(name), moment);
    const row = entityOf(history, await this.idOf(name));
    if (row.status === 'deleted') throw new NotThereThen(null);
    const awaited = row.status === 'waiting' ? row.policy.waitsFor : [];
    const view = viewOf(row, await this.finishedAmong(awaited, moment));
    return { view, notRecorded: defaultsIn(history) };
  }

  /** Follows from the name, so it is that of now. */
  private async idOf(name: string): Promise<string> {
    const [{ id }] = await this.db.query<[{ id: string }]>('select id from queues where name = $1', [name]);
    return id;
  }

  private async finishedAmong(names: readonly string[], { position }: Moment): Promise<ReadonlySet<string>> {
    const histories = await this.past.historiesAt(names.map(queueStream), position);
    const isFinished = (history: readonly Recorded[]): boolean =>
      history.length > 0 && queueRow(eventsIn<QueueEvent>(history)).status === 'finished';
    return new Set(names.filter((_, at) => isFinished(histories[at]!)));
  }
}

function entityOf(history: readonly Recorded[], id: string): QueueEntity {
  const row = queueRow(eventsIn<QueueEvent>(history)) as Readonly<Record<string, never>>;
  const [first, last] = [history[0]!, history.at(-1)!];
  const { pause_until: until } = row as { pause_until?: string | null };
  return {
    name: row.name!,
    id,
    revision: last.revision,
    position: String(last.position),
    status: row.status!,
    description: row.description!,
    policy: row.policy!,
    policyVersion: row.policy_version!,
    intakeOpen: row.intake_open!,
    intakeBy: row.intake_by!,
    intakeReason: row.intake_reason!,
    pauseBy: row.pause_by!,
    pauseReason: row.pause_reason!,
    pauseUntil: until ? new Date(until) : null,
    pauseFailure: row.pause_failure!,
    createdAt: new Date(first.recordedAt),
    updatedAt: new Date(last.recordedAt),
  };
}

function defaultsIn(history: readonly Recorded[]): readonly string[] {
  const last = eventsIn<QueueEvent>(history).findLast(({ data }) => 'policy' in data);
  const stored = last && 'policy' in last.data ? last.data.policy : {};
  return Object.keys(DEFAULT_POLICY).flatMap((field) => (field in stored ? [] : `policy.${field}`));
}
