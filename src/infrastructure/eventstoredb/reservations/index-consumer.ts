import type { RecordedEvent } from '../../../application/kernel/event-store.port.js';
import { eventsOf, type LogSegment } from '../../../application/kernel/log-segment.js';
import { UnreadableStream } from '../../../application/kernel/unreadable-stream.js';
import type { WakeUps } from '../../../application/kernel/wake-ups.port.js';
import { INDEX_FOLLOWER } from '../../../projections/read-models.js';
import type { EventStoreDbLog } from '../log/eventstoredb-log.js';
import { type LogMarks, NO_MARKS } from '../log/log-marks.js';
import { Stretches } from '../log/stretches.js';
import type { TransactionLog } from '../log/transaction-log.js';
import type { PostgresPool } from '../../database/postgres-pool.js';
import { type Checkpoint, moveCheckpoint, openCheckpoint, PoisonEvent } from '../../projection-engine/checkpoint.js';
import type { Consumer } from '../../projection-engine/consumer.js';
import { inOneTurn, inTurn } from '../../database/transaction.js';
import { wakeAfterCommit } from '../../dispatch-index/wake-after-commit.js';
import { itemOf, type Step, type Stored, wholeAppends } from './apply-request.js';
import type { Gap } from './gap.js';
import { countGaps } from './gap-counts.js';
import { knownRequest } from './index-revisions.js';
import { LogGaps, type MendedGaps } from './log-gaps.js';
import { OpenTransactions } from './open-transactions.js';
import { applicable, type Divided, isParkable, isUnappliable, ParkedStreams, parkRequest } from './parked-streams.js';

/** With callers that wait for 100 appends each, a round had 15 events without a rest. */
const MANY = 8;
const REST_MS = 4;

interface Work extends Divided {
  readonly gaps?: readonly Gap[];
  /** The revisions by which the work was found; another process may heal the index, too. */
  readonly known?: ReadonlyMap<string, number>;
}

/**
 * Applies the log to the dispatch index and to the rows of tasks and queues, in order, and ends the reservations of
 * what it applied. When the log is in another store, nothing else writes these tables.
 */
export class IndexConsumer implements Consumer {
  readonly name = INDEX_FOLLOWER;
  /** A new version of the code continues where the previous one stopped, instead of building a second index. */
  readonly version = 1;

  private readonly open: OpenTransactions;
  private readonly parked: ParkedStreams;
  private readonly gaps: LogGaps;
  /** How many gaps were found. */
  private found = 0;

  constructor(
    private readonly pool: PostgresPool,
    private readonly wakeUps: WakeUps,
    transactions: TransactionLog,
    log: Pick<EventStoreDbLog, 'readStream'>,
    private readonly marks: Pick<LogMarks, 'add'> = NO_MARKS,
  ) {
    this.open = new OpenTransactions(transactions);
    this.parked = new ParkedStreams(pool, log);
    this.gaps = new LogGaps(pool, log, transactions);
  }

  async consume(segments: readonly LogSegment[], from: Checkpoint): Promise<Checkpoint> {
    const appends = wholeAppends(eventsOf(segments));
    // The page holds part of an append. Let other work run before reading it again.
    if (appends.length === 0) await new Promise((resolve) => setImmediate(resolve));
    if (appends.length === 0) return from;
    const steps: Step[] = [];
    for (const stored of appends) steps.push(await this.stepOf(stored));
    const { found } = this;
    const reached = await this.apply(steps, from);
    if (this.found === found) await this.mark(from.position, appends.flat());
    return reached;
  }

  /** Keeps the stretches before these events, once they are applied and nothing was found to be missing between them. */
  private mark(after: bigint, events: readonly RecordedEvent[]): Promise<void> {
    const stretches = new Stretches(after);
    return this.marks.add(
      events.flatMap(({ position, id, event: { data } }) => stretches.before({ position, id, data }) ?? []),
    );
  }

  /** Commands wait for the index: it rests only where it has much to do. */
  restAfter(events: number): number {
    return events < MANY ? 0 : REST_MS;
  }

  /** Applies what an earlier build could not apply. */
  async upgrade(): Promise<void> {
    const { position } = await openCheckpoint(this.pool, this.name, this.version);
    this.open.begin(position);
    await this.parked.applyAgain(position);
  }

  /**
   * Applies a transaction with its last append, and nothing of it before, so that no reader of the index sees a part. Its
   * reservations keep its streams from others until then, and the rest of the log goes on.
   */
  private async stepOf(stored: Stored): Promise<Step> {
    const { position, transaction } = stored.at(-1)!;
    if (!transaction) return { position, appends: [stored] };
    try {
      const { appends, missed } = await this.open.add(transaction, stored);
      return { position, appends, transaction: { id: transaction.id, whole: position }, missed };
    } catch (error) {
      throw error instanceof UnreadableStream ? new PoisonEvent(this.name, position, error) : error;
    }
  }

  private async apply(steps: readonly Step[], from: Checkpoint): Promise<Checkpoint> {
    const last = steps.at(-1)!.position;
    try {
      return await this.commit({ ...this.parked.divide(steps), gaps: missedIn(steps) }, from, last);
    } catch (error) {
      if (!isUnappliable(error)) throw error;
      if (steps.length === 1) return this.mend(steps[0]!, error as Error, from, last);
      const middle = steps.length >> 1;
      return this.apply(steps.slice(middle), await this.apply(steps.slice(0, middle), from));
    }
  }

  /**
   * Applies a step with what the index lacks before it, a page at a time, and leaves it out if the index has it. Parks it if that is not why.
   * `applied`: the end of the page before.
   */
  private async mend(step: Step, error: Error, from: Checkpoint, last: bigint, applied = -1n): Promise<Checkpoint> {
    try {
      // If the index is where the step expects it, it may have been healed since the step failed.
      const { steps, known, isWhole, ...mended } = (await this.gaps.before(step, from.position)) ?? asItIs(step);
      const gaps = isWhole ? [...missedIn([step]), ...mended.gaps] : mended.gaps;
      const work = { ...this.parked.divide(steps), gaps, known };
      if (isWhole) return await this.commit(work, from, last);
      const end = steps.at(-1)!.position;
      // The page before was applied, and changed nothing.
      if (end <= applied) return this.park(step, error, from, last);
      return await this.mend(step, error, await this.commit(work, from, from.position), last, end);
    } catch (again) {
      if (hasMovedOn(again)) return this.mend(step, error, from, last);
      if (!isUnappliable(again)) throw again;
    }
    return this.park(step, error, from, last);
  }

  /** Parks an append that concerns a task or a trigger alone. Any other could leave the index without what many tasks need. */
  private park({ appends }: Step, error: Error, from: Checkpoint, last: bigint): Promise<Checkpoint> {
    const [append] = appends as [Stored];
    if (appends.length > 1 || !isParkable(append[0]!.stream)) throw new PoisonEvent(this.name, last, error);
    return this.commit({ open: [], parked: [{ append, error: error.message }] }, from, last);
  }

  private async commit(
    { open, parked, gaps = [], known = NOTHING }: Work,
    from: Checkpoint,
    last: bigint,
  ): Promise<Checkpoint> {
    const groups = JSON.stringify(applicable(open));
    const { reached, wokenQueues } = await inOneTurn(this.pool, async (connection) => {
      const applied = connection.query({
        ...(known === NOTHING ? APPLY : MEND),
        values: known === NOTHING ? [groups] : [groups, knownRequest(known)],
      });
      const aside = parked.length > 0 ? [connection.query('select waybill_park($1)', [parkRequest(parked)])] : [];
      const counted = gaps.length > 0 ? [countGaps(connection, gaps)] : [];
      // Its rows have revisions, so what it lacks is found without counting.
      const moved = moveCheckpoint(connection, from, last, 0);
      await inTurn([applied, ...aside, ...counted, moved]);
      return { reached: await moved, wokenQueues: (await applied).rows[0].woken as readonly string[] };
    });
    this.parked.added(parked);
    this.gaps.tell({ gaps });
    this.found += gaps.length;
    this.tell(
      open.flatMap(({ appends }) => appends),
      wokenQueues,
    );
    return reached;
  }

  private tell(appends: readonly Stored[], wokenQueues: readonly string[]): void {
    const results = appends.map((stored) => {
      const { position, revision, recordedAt } = stored.at(-1)!;
      return { kind: 'appended' as const, position, revision, recordedAt };
    });
    wakeAfterCommit(this.wakeUps, appends.map(itemOf), results, wokenQueues);
  }
}

const asItIs = (step: Step): Omit<MendedGaps, 'known'> & Partial<Pick<MendedGaps, 'known'>> => ({
  steps: [step],
  gaps: [],
  isWhole: true,
});

const APPLY = { name: 'waybill_apply', text: 'select waybill_apply($1) as woken' };
const MEND = { name: 'waybill_mend_before', text: 'select waybill_mend($1, $2, true) as woken' };
const NOTHING: ReadonlyMap<string, number> = new Map();

/** Whether somebody else has healed the index since it was looked at. */
const hasMovedOn = (error: unknown): boolean => (error as { readonly code?: unknown }).code === 'WB003';

const missedIn = (steps: readonly Step[]): readonly Gap[] => steps.flatMap(({ missed = [] }) => missed);
