import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ResourceEvent } from '../../domain/resource/resource.events.js';
import { resourceStream } from '../../domain/resource/resource.stream.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { type Moment, NotThereThen, Past } from '../kernel/past.port.js';
import { resourceRow } from '../kernel/rows/resource-row.js';
import { eventsIn, streamAsOf } from '../kernel/stream-as-of.js';
import type { ResourceView } from './resources.queries.js';

/** Measures that cross no limit are no events, and what steps need is in the events of queues. */
export const NOT_TOLD = ['state', 'measuredBy', 'needs'] as const;

export interface PastResourceView {
  /** Its `value` is that of the last measure that crossed a limit. */
  readonly view: ResourceView;
  readonly notRecorded: typeof NOT_TOLD;
}

/** A resource as it was. Throws `NotThereThen`, also if it was deleted then. */
export class GetResourceAsOf extends Query<PastResourceView> {
  constructor(
    readonly name: string,
    readonly moment: Moment,
  ) {
    super();
  }
}

@QueryHandler(GetResourceAsOf)
export class GetResourceAsOfHandler implements IQueryHandler<GetResourceAsOf> {
  constructor(private readonly past: Past) {}

  async execute({ name, moment }: GetResourceAsOf): Promise<PastResourceView> {
    const history = await streamAsOf(this.past, resourceStream(name), moment);
    const view = resourceAt(history);
    if (view === null) throw new NotThereThen(null);
    return { view, notRecorded: NOT_TOLD };
  }
}

/** The resource with these events; null if it is deleted. */
export function resourceAt(history: readonly Recorded[]): ResourceView | null {
  const row = resourceRow(eventsIn<ResourceEvent>(history)) as Readonly<Record<string, never>>;
  const { revision, position } = history.at(-1)!;
  if (row.state === 'deleted') return null;
  return {
    name: row.name!,
    description: row.description!,
    unit: row.unit!,
    staleAfterSeconds: row.stale_after!,
    state: null,
    value: row.level ?? null,
    measuredAt: row.crossed_at ?? null,
    measuredBy: null,
    definedBy: row.defined_by!,
    definedAt: row.defined_at!,
    needs: [],
    revision,
    position: String(position),
  };
}
