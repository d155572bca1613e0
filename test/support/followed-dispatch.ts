import { segmentsOf } from '../../src/application/kernel/log-segment.js';
import { DatabaseClock } from '../../src/infrastructure/database/database-clock.js';
import { EventStoreDbEventStore } from '../../src/infrastructure/eventstoredb/eventstoredb-event-store.js';
import { TransactionLog } from '../../src/infrastructure/eventstoredb/log/transaction-log.js';
import { IndexConsumer } from '../../src/infrastructure/eventstoredb/reservations/index-consumer.js';
import { IndexProgress } from '../../src/infrastructure/eventstoredb/reservations/index-progress.js';
import { Reservations } from '../../src/infrastructure/eventstoredb/reservations/reservations.js';
import { ReservedTransactions } from '../../src/infrastructure/eventstoredb/reservations/reserved-transactions.js';
import { type Checkpoint, openCheckpoint } from '../../src/infrastructure/projection-engine/checkpoint.js';
import { Progress } from '../../src/infrastructure/projection-engine/progress.js';
import { INDEX_FOLLOWER } from '../../src/projections/read-models.js';
import { Stage } from '../model/reserved/stage.js';
import { SteppedLog } from '../model/reserved/stepped-log.js';
import { type DispatchFixture, reservedDispatchOn } from './dispatch-fixture.js';
import { openPostgresStore } from './postgres-store.js';

export interface FollowedDispatch extends DispatchFixture {
  readonly log: SteppedLog;
  readonly reservations: Reservations;
  /** Applies the whole log to the index. */
  follow(): Promise<void>;
}

/**
 * The write side with its events in another log, which is in memory. Whoever waits for the index applies all of it, so what
 * Postgres does depends on the commands only.
 */
export async function openFollowedDispatch(options: { readonly poolSize?: number } = {}): Promise<FollowedDispatch> {
  const { pool, wakeUps, close } = await openPostgresStore(options);
  const clock = new DatabaseClock(pool);
  await clock.sample();
  const log = new SteppedLog(new Stage(), clock, false);
  const [transactions, reservations] = [new TransactionLog(log), new Reservations(pool)];
  let checkpoint: Checkpoint = await openCheckpoint(pool, INDEX_FOLLOWER, 1);
  const consumer = new IndexConsumer(pool, wakeUps, transactions, log);
  const apply = async (): Promise<void> => {
    const events = await log.readAll(checkpoint.position, Infinity);
    if (events.length > 0) checkpoint = await consumer.consume(segmentsOf(events), checkpoint);
  };
  let applied = Promise.resolve();
  // Several appends may wait at once, but only one follower moves the checkpoint.
  const follow = (): Promise<void> => (applied = applied.then(apply));
  const index = Object.assign(new IndexProgress(pool, new Progress(), wakeUps), {
    reached: () => follow().then(() => true),
    moved: follow,
  });
  const asOne = new ReservedTransactions(log, transactions, reservations, index);
  const store = new EventStoreDbEventStore(log, reservations, index, asOne, pool);
  const fixture = { pool, store, log, reservations, index, clock, wakeUps, close };
  return { ...reservedDispatchOn(fixture), log, reservations, follow };
}
