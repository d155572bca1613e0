import { enqueue } from '../support/events.js';
import { openPostgresStore, type PostgresFixture } from '../support/postgres-store.js';
import { CostMeter } from './cost-meter.js';

/** A statement is planned for its values in the first calls of a connection. */
const WARM_UP = 8;

let db: PostgresFixture;
let meter: CostMeter;
beforeAll(async () => {
  db = await openPostgresStore({ poolSize: 1 });
  meter = await CostMeter.of(db.pool);
});
afterAll(async () => {
  await meter.close();
  await db.close();
});

it.each([1, 20])('histories of %i tasks are read by a plan that is there', async (count) => {
  const tasks = Array.from({ length: count }, () => enqueue('q'));
  await db.store.append(tasks);
  const read = () => db.store.readStreams(tasks.map(({ stream }) => stream));
  for (let n = 0; n < WARM_UP; n++) expect(await read()).toHaveLength(count);
  expect((await meter.costOf(read)).plans).toBe(0);
});
