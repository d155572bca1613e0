import type { RecordedEvent } from '../../../application/kernel/event-store.port.js';
import { eventsOf, type LogSegment } from '../../../application/kernel/log-segment.js';
import type { WakeUps } from '../../../application/kernel/wake-ups.port.js';
import { INDEX_FOLLOWER } from '../../../projections/read-models.js';
import type { TransactionLog } from '../log/transaction-log.js';
import type { PostgresPool } from '../../database/postgres-pool.js';
import { type Checkpoint, moveCheckpoint, PoisonEvent } from '../../projection-engine/checkpoint.js';
import type { Consumer } from '../../projection-engine/consumer.js';
import { isRefusedData } from '../../database/refused-data.js';
import { inOneTurn, inTurn } from '../../database/transaction.js';
import { wakeAfterCommit } from '../../dispatch-index/wake-after-commit.js';
import { itemOf, type Step, type Stored, wavesOf } from './apply-request.js';

/** With callers that wait for 100 appends each, a round had 15 events without a rest. */
const MANY = 8;
const REST_MS = 4;

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

  /** Commands wait for the index: it rests only where it has much to do. */
  restAfter(events: number): number {
    return events < MANY ? 0 : REST_MS;
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
      const { reached, roused } = await inOneTurn(this.pool, async (connection) => {
        const waves = JSON.stringify(wavesOf(steps));
        const applied = connection.query({
          name: 'waybill_apply',
          text: 'select waybill_apply($1) as roused',
          values: [waves],
        });
        const moved = moveCheckpoint(connection, from, last);
        await inTurn([applied, moved]);
        return { reached: await moved, roused: (await applied).rows[0].roused as readonly string[] };
      });
      this.tell(appends, roused);
      return reached;
    } catch (error) {
      if (!isRefusedData(error, OWN)) throw error;
      if (steps.length === 1) throw new PoisonEvent(this.name, last, error);
      const middle = steps.length >> 1;
      return this.apply(steps.slice(middle), await this.apply(steps.slice(0, middle), from));
    }
  }

  private tell(appends: readonly Stored[], roused: readonly string[]): void {
    const results = appends.map((stored) => {
      const { position, revision, recordedAt } = stored.at(-1)!;
      return { kind: 'appended' as const, position, revision, recordedAt };
    });
    wakeAfterCommit(this.wakeUps, appends.map(itemOf), results, roused);
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

/** The SQLSTATE class of the index's own refusals. */
const OWN = 'WB';
