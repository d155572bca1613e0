import { Logger } from '@nestjs/common';
import { LagWatch } from '../../../src/infrastructure/projection-engine/lag-watch.js';
import { defineQueue } from '../../support/events.js';
import { openPostgresStore, type PostgresFixture } from '../../support/postgres-store.js';
import { until } from '../../support/until.js';

let db: PostgresFixture;
let watch: LagWatch | null = null;
const told = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);

beforeEach(async () => {
  db = await openPostgresStore();
  await db.store.append([defineQueue('mail'), defineQueue('scan')]);
  await db.pool.query(`update segments set recorded_at = now() - interval '10 minutes'`);
  await db.pool.query(`insert into projection_checkpoints (name, slot, version, position, status) values
    ('behind', 'live', 1, 0, 'running'), ('there', 'live', 1, 2, 'running'), ('stopped', 'live', 1, 0, 'stopped'),
    ('rebuilt', 'shadow', 1, 0, 'running')`);
});
afterEach(async () => {
  await watch?.stop();
  await db.close();
  told.mockClear();
});

const firstLine = async (store = db.store): Promise<unknown> => {
  watch = new LagWatch(db.pool, store);
  watch.start();
  return until('a line', async () => told.mock.calls[0]?.[0] ?? null);
};

it('reports the seconds and events that a follower is behind, and no follower that keeps up or has stopped', async () => {
  expect(await firstLine()).toMatch(/^'behind' is 60\d s behind \(2 events\)$/);
  expect(told).toHaveBeenCalledTimes(1);
});

it("reports no number of events if the store's positions do not count them", async () => {
  db.store.countBetween = () => null as never;
  expect(await firstLine()).toMatch(/^'behind' is 60\d s behind$/);
});
