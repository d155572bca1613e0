import { uuidv7 } from 'uuidv7';
import { IndexConsumer } from '../../../src/infrastructure/eventstoredb/reservations/index-consumer.js';
import { IndexProgress } from '../../../src/infrastructure/eventstoredb/reservations/index-progress.js';
import { PostgresWakeUps } from '../../../src/infrastructure/notify/postgres-wake-ups.js';
import { Leaders } from '../../../src/infrastructure/leadership/leaders.js';
import { Follower } from '../../../src/infrastructure/projection-engine/follower.js';
import { LogFeed } from '../../../src/infrastructure/projection-engine/log-feed.js';
import { Progress } from '../../../src/infrastructure/projection-engine/progress.js';
import { defineQueue } from '../../support/events.js';
import { openStore, type StoreFixture } from '../../support/eventstoredb/open-store.js';

/** Longer than a test may take, so a process that is not woken fails it. */
const NEVER_MS = 600_000;

let fixture: StoreFixture;
let mine: PostgresWakeUps;
let others: PostgresWakeUps;
let otherLeaders: Leaders;
let otherFollower: Follower;

beforeAll(async () => {
  fixture = await openStore();
  const { pool, store } = fixture;
  [mine, others] = [new PostgresWakeUps(pool, 0), new PostgresWakeUps(pool, 0)];
  await Promise.all([mine.onApplicationBootstrap(), others.onApplicationBootstrap()]);
  otherLeaders = new Leaders(pool, { retryMs: 20 });
  const parts = { pool, feed: new LogFeed(store), leaders: otherLeaders, progress: new Progress() };
  otherFollower = new Follower(new IndexConsumer(pool, others, fixture.transactions, fixture.log), parts);
  otherFollower.start();
});
afterAll(async () => {
  await otherFollower.stop();
  await otherLeaders.close();
  mine.onApplicationShutdown();
  others.onApplicationShutdown();
  await fixture.close();
});

/** Whether the process learns of an event that is recorded only after it began to wait. */
async function learns(index: IndexProgress): Promise<boolean> {
  const learnt = index.reached((await fixture.log.head()) + 1n, NEVER_MS);
  await fixture.log.append([defineQueue(`q-${uuidv7()}`)]);
  return learnt;
}

it('a process whose follower has ended waits for the one of another process', async () => {
  expect(await learns(fixture.index)).toBe(true);
  await fixture.follower.stop();
  expect(await learns(fixture.index)).toBe(true);
});

it('a process without a follower is woken by the process that follows the log', async () => {
  await fixture.follower.stop();
  expect(await learns(new IndexProgress(fixture.pool, new Progress(), mine, NEVER_MS))).toBe(true);
});
