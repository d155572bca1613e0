import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TriggerEvent } from '../../domain/trigger/trigger.events.js';
import { triggerStream } from '../../domain/trigger/trigger.stream.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { type Moment, NotThereThen, Past } from '../kernel/past.port.js';
import { triggerRow } from '../kernel/rows/trigger-row.js';
import { eventsIn, streamAsOf } from '../kernel/stream-as-of.js';
import type { TriggerEntity } from './trigger.entity.js';
import { rowOf, type TriggerRow } from './triggers.queries.js';

export interface PastTriggerView {
  readonly view: TriggerRow;
  /** A look into a queue that finds nothing is no event, but moves the next one. */
  readonly notRecorded: readonly 'next'[];
}

/** A trigger as it was. Throws `NotThereThen`, also if it was deleted then. */
export class GetTriggerAsOf extends Query<PastTriggerView> {
  constructor(
    readonly name: string,
    readonly moment: Moment,
  ) {
    super();
  }
}

@QueryHandler(GetTriggerAsOf)
export class GetTriggerAsOfHandler implements IQueryHandler<GetTriggerAsOf> {
  constructor(private readonly past: Past) {}

  async execute({ name, moment }: GetTriggerAsOf): Promise<PastTriggerView> {
    const then = triggerAt(await streamAsOf(this.past, triggerStream(name), moment));
    if (then === null) throw new NotThereThen(null);
    return then;
  }
}

/** The trigger with these events; null if it is deleted. */
export function triggerAt(history: readonly Recorded[]): PastTriggerView | null {
  const row = entityOf(history);
  if (row.state === 'deleted') return null;
  const view = rowOf(row);
  return 'queue' in row.definition
    ? { view: { ...view, next: null }, notRecorded: ['next'] }
    : { view, notRecorded: [] };
}

const timeOf = (text: string | null | undefined): Date | null => (text ? new Date(text) : null);

function entityOf(history: readonly Recorded[]): TriggerEntity {
  const row = triggerRow(eventsIn<TriggerEvent>(history)) as Readonly<Record<string, never>>;
  const { revision, position } = history.at(-1)!;
  return {
    name: row.name!,
    revision,
    position: String(position),
    state: row.state!,
    definition: row.definition!,
    nextAt: timeOf(row.next_at),
    owed: row.owed ?? null,
    skipped: row.skipped ?? null,
    failures: row.failures!,
    problem: row.problem ?? null,
    retryAt: timeOf(row.retry_at),
    lastAt: timeOf(row.last_at),
    lastTask: row.last_task ?? null,
    lastItem: row.last_item ?? null,
    firedAt: timeOf(row.fired_at),
  };
}
