import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import type { AppendItem } from '../../src/application/kernel/event-store.port.js';
import { createDataSource } from '../../src/infrastructure/database/data-source.js';
import { ENTITIES } from '../../src/projections/read-models.js';
import { GetSystemHandler } from '../../src/projections/system/system.queries.js';
import { claim, type ClaimedTask, defineQueue, enqueue, item } from '../support/events.js';
import { openPostgresStore, type PostgresFixture } from '../support/postgres-store.js';

let db: PostgresFixture;
let reading: DataSource;
beforeAll(async () => {
  db = await openPostgresStore();
  reading = await createDataSource(db.url, ENTITIES).initialize();
});
afterAll(async () => {
  await reading.destroy();
  await db.close();
});

const append = async (...items: AppendItem[]): Promise<void> => {
  for (const result of await db.store.append(items)) expect(result.kind).toBe('appended');
};

async function started(queue: string): Promise<ClaimedTask> {
  const task = enqueue(queue);
  const claimed = claim(task);
  await append(task);
  await append(claimed.item);
  return claimed;
}

async function stoppedByShutdown(queue: string): Promise<void> {
  const { item: claimed, token, secret } = await started(queue);
  const data = { queue, from: 'running', by: 'w1', shutdown: true, token };
  await append(item(claimed.stream, 1, [{ type: 'TaskCancelled', version: 1, data }], { lease: { token, secret } }));
}

it("the tasks that run and that shutdowns stopped are counted, and the service's own among them apart", async () => {
  const system = () => new GetSystemHandler(reading, { version: null }).execute();
  expect(await system()).toMatchObject({ running: 0, runningInternal: 0, stopped: 0, stoppedInternal: 0 });
  await append(defineQueue('mail'), defineQueue('waybill.mail'), defineQueue('waybill.operations'));
  // A name that only looks like one of the service's.
  await append(defineQueue('waybills'));
  for (const queue of ['mail', 'waybill.mail', 'waybill.operations', 'waybills', 'mail']) await started(queue);
  expect(await system()).toMatchObject({ running: 5, runningInternal: 2, stopped: 0, stoppedInternal: 0 });
  for (const queue of ['mail', 'waybill.operations', 'mail']) await stoppedByShutdown(queue);
  expect(await system()).toMatchObject({ running: 5, runningInternal: 2, stopped: 3, stoppedInternal: 1 });
});
