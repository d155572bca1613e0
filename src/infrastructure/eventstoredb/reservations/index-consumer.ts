import type { AppendItem, RecordedEvent } from '../../../application/kernel/event-store.port.js';
import { eventsOf, type LogSegment } from '../../../application/kernel/log-segment.js';
import type { WakeUps } from '../../../application/kernel/wake-ups.port.js';
import { INDEX_FOLLOWER } from '../../../projections/read-models.js';
import type { TransactionLog } from '../log/transaction-log.js';
import { streamKey } from '../../database/stream-key.js';
import type { PostgresPool } from '../../database/postgres-pool.js';
import { type Checkpoint, moveCheckpoint, PoisonEvent } from '../../projection-engine/checkpoint.js';
import type { Consumer } from '../../projection-engine/consumer.js';
import { inTransaction } from '../../database/transaction.js';
import { wakeAfterCommit } from '../../dispatch-index/wake-after-commit.js';
import { orderedChange } from '../../dispatch-index/index-changes.js';

/** The events of one append, in stored form. */
type Stored = readonly RecordedEvent[];

/** The next thing to apply: an append, or the whole transaction that it begins. */
interface Step {
  readonly position: bigint;
  readonly appends: readonly Stored[];
}

/**
 * Applies the log to the dispatch index and to the rows of tasks and queues, in order, and ends the reservations of
 * what it applied. When the log is in another store, nothing else writes these tables.
 */
export class IndexConsumer implements Consumer {
  readonly name = INDEX_FOLLOWER;
  /** A new version of the code continues where the previous one stopped, instead of building a second index. */
  readonly version = 1;

  constructor(
    private readonly pool: PostgresPool,
    private readonly wakeUps: WakeUps,
    private readonly transactions: TransactionLog,
  ) {}

  async consume(segments: readonly LogSegment[], from: Checkpoint): Promise<Checkpoint> {
    const appends = wholeAppends(eventsOf(segments));
    // The page holds part of an append. Let other work run before reading it again.
    if (appends.length === 0) await new Promise((resolve) => setImmediate(resolve));
    if (appends.length === 0) return from;
    const steps: Step[] = [];
    for (const stored of appends) steps.push(await this.stepOf(stored));
    return this.apply(steps, from);
  }

  async upgrade(): Promise<void> {}

  /**
   * Stores all of a transaction before applying any of it, and applies it with its first append, so that no reader of
   * the index sees a part.
   */
  private async stepOf(stored: Stored): Promise<Step> {
    const { position, transaction } = stored.at(-1)!;
    if (transaction?.item !== 0) return { position, appends: [stored] };
    return { position, appends: await this.transactions.complete(transaction.id) };
  }

  private async apply(steps: readonly Step[], from: Checkpoint): Promise<Checkpoint> {
    const last = steps.at(-1)!.position;
    const appends = steps.flatMap((step) => step.appends);
    try {
      const reached = await inTransaction(this.pool, async (connection) => {
        const changes = JSON.stringify(steps.flatMap(changesOf));
        await connection.query({ name: 'waybill_apply', text: 'select waybill_apply($1)', values: [changes] });
        return moveCheckpoint(connection, from, last);
      });
      this.tell(appends);
      return reached;
    } catch (error) {
      if (!isRefused(error)) throw error;
      if (steps.length === 1) throw new PoisonEvent(this.name, last, error);
      const middle = steps.length >> 1;
      return this.apply(steps.slice(middle), await this.apply(steps.slice(0, middle), from));
    }
  }

  private tell(appends: readonly Stored[]): void {
    const results = appends.map((stored) => {
      const { position, revision, recordedAt } = stored.at(-1)!;
      return { kind: 'appended' as const, position, revision, recordedAt };
    });
    wakeAfterCommit(this.wakeUps, appends.map(itemOf), results);
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

/**
 * The idempotency key of a transaction gets the position of its last event. The last change ends the reservations that
 * remain.
 */
function changesOf({ appends }: Step): readonly object[] {
  const { transaction } = appends[0]![0]!;
  if (transaction?.item !== 0) return appends.map(changeOf);
  const whole = String(appends.at(-1)!.at(-1)!.position);
  const changes = appends.map((append) => ({ ...changeOf(append), whole }));
  return changes.with(-1, { ...changes.at(-1)!, ends: transaction.id } as (typeof changes)[number]);
}

/** A change in the form that the SQL function `waybill_apply` reads. */
function changeOf(events: Stored): Readonly<Record<string, unknown>> {
  const [first, last] = [events[0]!, events.at(-1)!];
  const change = orderedChange(itemOf(events));
  return {
    id: first.id,
    task: streamKey(first.stream).id,
    seq: String(first.position),
    position: String(last.position),
    revision: last.revision,
    at: last.recordedAt,
    ...(first.transaction && { transaction: first.transaction.id }),
    ...(change.kind === 'claim' && { claim: change.data }),
    ...(change.kind === 'move' && { move: change.move }),
    ...(change.kind === 'row' && { table: change.table, row: change.row }),
  };
}

/**
 * SQLSTATE classes of errors that a retry cannot fix: data, integrity, syntax or missing object, and the index's own
 * refusals.
 */
const REFUSED = ['22', '23', '42', 'WB'];

const isRefused = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && REFUSED.includes(String(error.code).slice(0, 2));
