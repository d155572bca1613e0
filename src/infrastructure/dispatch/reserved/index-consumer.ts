import type { AppendItem, RecordedEvent } from '../../../application/kernel/event-store.port.js';
import type { WakeUps } from '../../../application/kernel/wake-ups.port.js';
import { INDEX_FOLLOWER } from '../../../projections/read-models.js';
import { streamKey } from '../../event-store/postgres/stream-key.js';
import type { PostgresPool } from '../../persistence/postgres-pool.js';
import { type Checkpoint, moveCheckpoint, PoisonEvent } from '../../projection-engine/checkpoint.js';
import type { Consumer } from '../../projection-engine/consumer.js';
import { inTransaction } from '../../projection-engine/transaction.js';
import { announce } from '../announcements.js';
import { followedChange } from '../index-changes.js';

/** The events of one append, as they were stored. */
type Stored = readonly RecordedEvent[];

/**
 * The only writer of the dispatch index and of the rows of tasks and queues where the log is in another store: applies the
 * log in its order, and ends the reservations of what it applied.
 */
export class IndexConsumer implements Consumer {
  readonly name = INDEX_FOLLOWER;
  /** The index is not rebuilt beside itself: a later version goes on where this one stood. */
  readonly version = 1;

  constructor(
    private readonly pool: PostgresPool,
    private readonly wakeUps: WakeUps,
  ) {}

  async consume(events: readonly RecordedEvent[], from: Checkpoint): Promise<Checkpoint> {
    const appends = wholeAppends(events);
    // The rest of a half comes with the next look; until then others get their turn.
    if (appends.length === 0) await new Promise((resolve) => setImmediate(resolve));
    return appends.length === 0 ? from : this.apply(appends, from);
  }

  async upgrade(): Promise<void> {}

  private async apply(appends: readonly Stored[], from: Checkpoint): Promise<Checkpoint> {
    const last = appends.at(-1)!.at(-1)!.position;
    try {
      const reached = await inTransaction(this.pool, async (connection) => {
        const changes = JSON.stringify(appends.map(changeOf));
        await connection.query({ name: 'waybill_apply', text: 'select waybill_apply($1)', values: [changes] });
        return moveCheckpoint(connection, from, last);
      });
      this.tell(appends);
      return reached;
    } catch (error) {
      if (!isRefused(error)) throw error;
      if (appends.length === 1) throw new PoisonEvent(this.name, last, error);
      const middle = appends.length >> 1;
      return this.apply(appends.slice(middle), await this.apply(appends.slice(0, middle), from));
    }
  }

  private tell(appends: readonly Stored[]): void {
    const results = appends.map((stored) => {
      const { position, revision, recordedAt } = stored.at(-1)!;
      return { kind: 'appended' as const, position, revision, recordedAt };
    });
    announce(this.wakeUps, appends.map(itemOf), results);
  }
}

function wholeAppends(events: readonly RecordedEvent[]): Stored[] {
  const appends: Stored[] = [];
  let open: RecordedEvent[] = [];
  for (const event of events) {
    open.push(event);
    if (event.more) continue;
    appends.push(open);
    open = [];
  }
  return appends;
}

const itemOf = (events: Stored): AppendItem => ({
  stream: events[0]!.stream,
  expected: events[0]!.revision - 1,
  events,
});

/** As the SQL function `waybill_apply` reads it. */
function changeOf(events: Stored): Readonly<Record<string, unknown>> {
  const [first, last] = [events[0]!, events.at(-1)!];
  const change = followedChange(itemOf(events));
  return {
    id: first.id,
    task: streamKey(first.stream).id,
    seq: String(first.position),
    position: String(last.position),
    revision: last.revision,
    at: last.recordedAt,
    ...(change.kind === 'claim' && { claim: change.data }),
    ...(change.kind === 'move' && { move: change.move }),
    ...(change.kind === 'queue' && { row: change.row }),
  };
}

/** SQLSTATE classes of data, integrity, syntax or missing object, and the index's own refusal. */
const REFUSED = ['22', '23', '42', 'WB'];

const isRefused = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && REFUSED.includes(String(error.code).slice(0, 2));
