import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { HoldEvent } from '../../domain/hold/hold.events.js';
import { holdStream } from '../../domain/hold/hold.stream.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { type Moment, Past } from '../kernel/past.port.js';
import { holdRow } from '../kernel/rows/hold-row.js';
import { eventsIn, streamAsOf } from '../kernel/stream-as-of.js';
import type { HoldView } from './holds.queries.js';

/** The events of a hold do not tell which tasks it caught. */
export const NOT_TOLD = ['holds'] as const;

export interface PastHoldView {
  readonly view: HoldView;
  readonly notRecorded: typeof NOT_TOLD;
}

/** A hold as it was, also if it was lifted then. Throws `NotThereThen`. */
export class GetHoldAsOf extends Query<PastHoldView> {
  constructor(
    readonly name: string,
    readonly moment: Moment,
  ) {
    super();
  }
}

@QueryHandler(GetHoldAsOf)
export class GetHoldAsOfHandler implements IQueryHandler<GetHoldAsOf> {
  constructor(private readonly past: Past) {}

  async execute({ name, moment }: GetHoldAsOf): Promise<PastHoldView> {
    const history = await streamAsOf(this.past, holdStream(name), moment);
    return { view: holdAt(history), notRecorded: NOT_TOLD };
  }
}

/** The hold with these events. */
export function holdAt(history: readonly Recorded[]): HoldView {
  const row = holdRow(eventsIn<HoldEvent>(history)) as Readonly<Record<string, never>>;
  const { revision, position } = history.at(-1)!;
  return {
    name: row.name!,
    state: row.state!,
    labels: row.labels!,
    reason: row.reason!,
    placedBy: row.placed_by!,
    placedAt: row.placed_at!,
    liftedBy: row.lifted_by!,
    liftedAt: row.lifted_at!,
    holds: null,
    revision,
    position: String(position),
  };
}
