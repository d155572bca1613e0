import { LRUCache } from 'lru-cache';
import type { EventReads } from '../../../application/kernel/event-store.port.js';
import { MOST_MOVES_FOLDED } from '../../../projections/kernel/moves-between.port.js';
import { HistoryNotReady, type Moment } from '../../../projections/kernel/past.port.js';
import type { Projection } from '../../../projections/kernel/projection.js';
import { type ModelRow, RowsThen } from '../../../projections/kernel/rows-then.port.js';
import { eventsBetween, eventsUntilNext, type LogScale, MOST_FOLDED } from '../snapshots/snapshot.js';
import type { Snapshots } from '../snapshots/snapshots.js';
import type { ModelSnapshots } from './model-snapshots.js';
import { rowsAfter } from './rows-after.js';

/** Answers about one moment share a fold. */
const KEPT = 4;

/** The rows as they were kept last at or before the moment, and what the log has added since. One fold at a time. */
export class FoldedRows extends RowsThen {
  private readonly kept = new LRUCache<string, Promise<readonly ModelRow[]>>({ max: KEPT });
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly models: ModelSnapshots,
    private readonly snapshots: Snapshots,
    private readonly log: Pick<EventReads, 'readSegments'>,
    private readonly scale: LogScale,
  ) {
    super();
  }

  of(model: Projection<never>, { position }: Moment): Promise<readonly ModelRow[]> {
    const name = `${model.name} ${position}`;
    const known = this.kept.get(name);
    if (known) return known;
    const rows = this.inTurn(() => this.fold(model, position));
    this.kept.set(name, rows);
    rows.catch(() => this.kept.delete(name));
    return rows;
  }

  async between(model: Projection<never>, after: bigint, upTo: bigint): Promise<readonly ModelRow[] | null> {
    if (eventsBetween(this.scale, after, upTo) > MOST_MOVES_FOLDED) return null;
    const { rows } = await this.inTurn(() => rowsAfter(this.log, model, { position: after, rows: [] }, upTo));
    return rows;
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }

  private async fold(model: Projection<never>, position: bigint): Promise<readonly ModelRow[]> {
    const [base, snapshot] = await Promise.all([this.models.before(model, position), this.snapshots.before(position)]);
    if (eventsBetween(this.scale, base.position, position) > MOST_FOLDED * eventsUntilNext(this.scale, snapshot))
      throw new HistoryNotReady(base.position, position, 'the log into snapshots');
    const { rows } = await rowsAfter(this.log, model, base, position);
    return rows;
  }
}
