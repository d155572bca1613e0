import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Transaction, Waybill } from '@waybill/client';
import { type EmbeddedWaybill, startWaybill } from '../../../src/index.js';
import { PostgresPool } from '../../../src/infrastructure/database/postgres-pool.js';
import { Consequences } from '../../../src/infrastructure/dispatch-index/consequences.js';
import { LocalWakeUps } from '../../../src/infrastructure/notify/local-wake-ups.js';
import { refusalOf } from '../../acceptance/refusal.js';
import { type ConsoleQueue, makeConsole } from '../../acceptance/s3/console.js';
import { moveTimes } from '../../support/pass-time.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

// What happens between an append and what the sweeper does about it: here the sweeper acts only when a test says so.

let database: TestDatabase;
let still: EmbeddedWaybill;
let waybill: Waybill;

const options = () => {
  const eventStoreUrl = process.env.EVENT_STORE_URL;
  const prefix = `${new URL(database.url).pathname.slice(1)}.`;
  return { databaseUrl: database.url, ...(eventStoreUrl && { eventStoreUrl, eventStorePrefix: prefix }) };
};

beforeAll(async () => {
  database = await createTestDatabase();
  still = await startWaybill({ ...options(), roles: ['projector'] });
  ({ waybill } = still);
});
afterAll(async () => {
  await still.stop();
  await database.drop();
});

/** Runs a second service with a sweeper meanwhile. */
async function whileSwept(act: () => Promise<void>): Promise<void> {
  const sweeping = await startWaybill({ ...options(), roles: ['sweeper'] });
  try {
    await act();
  } finally {
    await sweeping.stop();
  }
}

async function makeBatch(graph: Readonly<Record<string, readonly string[]>>) {
  const queue = await makeConsole(waybill);
  const batch = await waybill.planBatch({ name: 'b' }).create();
  const add = (more: typeof graph): Promise<void> => queue.addAll(more, { batch: batch.id });
  await add(graph);
  return { queue, batch, add };
}

describe('before the sweeper acts', () => {
  it('of 1,100 tasks that wait for one, 1,000 are ready with its success, and the rest once the sweeper looks', async () => {
    const queue = await makeConsole(waybill);
    const names = Array.from({ length: 1_100 }, (_, at) => `n${at}`);
    await queue.addAll({ first: [], ...Object.fromEntries(names.map((name) => [name, ['first']])) });
    await queue.takeNext();
    await queue.succeed('first');
    const ready: string[] = [];
    for (let taken = await queue.take(); taken.length > 0; taken = await queue.take()) ready.push(...taken);
    expect(ready).toHaveLength(1_000);
    await whileSwept(async () => {
      while (ready.length < names.length) ready.push(await queue.takeNext());
    });
    expect(ready.sort()).toEqual(names.sort());
  });

  it('of tasks that share keys, the first of each key is ready with the success that they wait for, whatever waited before', async () => {
    const queue = await makeConsole(waybill, { duplicatePending: 'allow' });
    await queue.add('first');
    await queue.add('urgent', [], { key: 'twice', priority: 5, dueAt: new Date(Date.now() + 3_600_000) });
    await queue.add('alone', ['first'], { key: 'alone' });
    await queue.add('once', ['first'], { key: 'twice' });
    await queue.add('again', ['first'], { key: 'twice' });
    await queue.add('one', ['first'], { key: 'pair' });
    await queue.add('urgent one', ['first'], { key: 'pair', priority: 5 });
    await queue.takeNext();
    await queue.add('before', [], { key: 'shared' });
    await queue.add('after', ['first'], { key: 'shared' });
    await queue.succeed('first');
    expect((await queue.take()).sort()).toEqual(['alone', 'before', 'once', 'urgent one']);
    await queue.succeed('once');
    expect(await queue.take()).toEqual(['again']);
    await queue.succeed('before');
    await queue.succeed('alone');
    expect(await queue.take()).toEqual(['after']);
    await queue.add('later', [], { key: 'alone' });
    expect(await queue.take()).toEqual(['later']);
  });

  it('a task that is alone with its key has its only waiting place once its prerequisite is done, until it runs', async () => {
    const queue = await makeConsole(waybill);
    await queue.addAll({ first: [] });
    await queue.add('alone', ['first'], { key: 'k' });
    await queue.takeNext();
    await queue.succeed('first');
    const [same] = await queue.handle.enqueueMany([{ key: 'k' }]);
    expect(same).toMatchObject({ id: queue.idOf('alone') });
    expect(await queue.take()).toEqual(['alone']);
    await queue.add('next', [], { key: 'k' });
    expect(await queue.take()).toEqual([]);
    await queue.succeed('alone');
    expect(await queue.take()).toEqual(['next']);
  });

  it('given an aborted batch that was never opened, a retried task of it does not run', async () => {
    const { queue, batch } = await makeBatch({ a: [] });
    await queue.task('a').cancel();
    await batch.abort();
    await queue.task('a').retry();
    expect(await queue.take()).toEqual([]);
    await whileSwept(() => queue.become('aborted', 'a'));
  });

  it.each(['abort', 'delete'] as const)(
    'given a large batch that people %s as soon as it is opened, no more of its tasks can be claimed',
    async (command) => {
      const names = Array.from({ length: 1_001 }, (_, at) => `n${at}`);
      const { queue, batch } = await makeBatch(Object.fromEntries(names.map((name) => [name, []])));
      await batch.open(names.length);
      expect([...(await queue.take()), ...(await queue.take())]).toHaveLength(1_000);
      await batch[command]();
      const pool = new PostgresPool({ url: database.url, size: 1 });
      try {
        await new Consequences(pool, new LocalWakeUps()).open([batch.id]);
      } finally {
        await pool.end();
      }
      expect(await queue.take()).toEqual([]);
      await whileSwept(() => queue.become(command === 'abort' ? 'aborted' : 'deleted', ...names.slice(-1)));
    },
  );

  it('given a deleted batch, nothing can begin to wait for a task that will be deleted with it', async () => {
    const { queue, batch } = await makeBatch({ a: [], b: [] });
    await batch.delete();
    expect(await refusalOf(queue.add('late', ['a']))).toMatchObject({ code: 'PREREQUISITE_DEAD' });
    await queue.add('other');
    expect(await refusalOf(queue.task('other').arrange({ add: [{ task: queue.idOf('a') }] }))).toMatchObject({
      code: 'PREREQUISITE_DEAD',
    });
    await whileSwept(() => queue.become('deleted', 'a', 'b'));
  });

  it('given a deleted batch, its tasks are deleted whatever waits for what among them', async () => {
    const many = Array.from({ length: 600 }, (_, at) => `n${at}`);
    const { queue, batch, add } = await makeBatch({ last: [] });
    await add(Object.fromEntries(many.map((name) => [name, []])));
    await queue.task('last').arrange({ add: many.map((name) => ({ task: queue.idOf(name) })) });
    await batch.delete();
    await whileSwept(() => queue.become('deleted', 'last', ...many.slice(-2)));
  });

  it('a new task cannot wait for its own batch', async () => {
    const { queue, batch } = await makeBatch({});
    const refused = queue.add('a', [], { batch: batch.id, after: [{ batch: batch.id }] });
    expect(await refusalOf(refused)).toMatchObject({ code: 'PREREQUISITE_CYCLE' });
  });

  it('of two batches whose first tasks would wait for the other one at once, one is refused', async () => {
    const [one, other] = [await makeBatch({}), await makeBatch({})];
    const ends = await Promise.allSettled([
      one.queue.add('a', [], { batch: one.batch.id, after: [{ batch: other.batch.id }] }),
      other.queue.add('a', [], { batch: other.batch.id, after: [{ batch: one.batch.id }] }),
    ]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('given a submission whose prerequisite was aborted since, it meets its task when repeated', async () => {
    const queue = await makeConsole(waybill);
    await queue.add('a');
    await queue.add('b', ['a']);
    await queue.task('a').abort();
    await queue.add('b', ['a']);
    await whileSwept(() => queue.become('aborted', 'b'));
    await queue.add('b', ['a']);
  });

  it('given an aborted prerequisite that is waived in time, the task lives', async () => {
    const queue = await makeConsole(waybill);
    await queue.add('a');
    await queue.add('b', ['a']);
    await queue.task('a').abort();
    await queue.task('b').arrange({ waive: [queue.idOf('a')] });
    await whileSwept(async () => expect(await queue.workOff(1)).toEqual(['b']));
  });
});

it('given a retried task that kept its key from others until its prerequisite was done, the priority decides', async () => {
  const queue = await makeConsole(waybill, { duplicatePending: 'allow', onKeyFailure: 'block' });
  await queue.add('first', [], { key: 'k' });
  await queue.take();
  await queue.fail('first');
  await queue.add('needed');
  await queue.task('first').arrange({ add: [{ task: queue.idOf('needed') }] });
  await queue.task('first').retry();
  await queue.add('urgent', [], { key: 'k', priority: 5 });
  expect(await queue.take()).toEqual(['needed']);
  await queue.succeed('needed');
  expect(await queue.take()).toEqual(['urgent']);
});

it('given a retried task that kept its key from others until it was due, the priority decides', async () => {
  const queue = await makeConsole(waybill, { duplicatePending: 'allow', onKeyFailure: 'block' });
  await queue.add('first', [], { key: 'k' });
  await queue.take();
  await queue.fail('first');
  await queue.task('first').reschedule(new Date(Date.now() + 1_800_000).toISOString());
  await queue.task('first').retry();
  await queue.add('urgent', [], { key: 'k', priority: 5 });
  expect(await queue.take()).toEqual([]);
  const pool = new PostgresPool({ url: database.url, size: 1 });
  await moveTimes(pool, '1 hour');
  await pool.end();
  expect(await queue.takeNext()).toBe('urgent');
});

describe('a transaction', () => {
  const inOne = (queue: ConsoleQueue, work: (tx: Transaction) => void): Promise<unknown> =>
    queue.waybill.transaction(work);

  it('enqueues tasks that wait for each other, and changes what one waits for', async () => {
    const queue = await makeConsole(waybill);
    await inOne(queue, (tx) => {
      const into = tx.queue(queue.handle.name);
      into.enqueue(null, { id: queue.idOf('a') });
      into.enqueue(null, { id: queue.idOf('b'), after: [{ task: queue.idOf('a') }] });
      into.enqueue(null, { id: queue.idOf('c') });
      tx.task(queue.idOf('c')).arrange({ add: [{ task: queue.idOf('b') }] });
    });
    expect(await queue.blockers('c')).toEqual({ count: 1, names: ['b'] });
    expect(await queue.workOff(3)).toEqual(['a', 'b', 'c']);
  });

  it('that waits for what it aborts is refused as a whole, and the other way around leads to an abort', async () => {
    const queue = await makeConsole(waybill);
    await queue.add('a');
    const refused = inOne(queue, (tx) => {
      tx.task(queue.idOf('a')).abort();
      tx.queue(queue.handle.name).enqueue(null, { id: queue.idOf('b'), after: [{ task: queue.idOf('a') }] });
    });
    expect(await refusalOf(refused)).toMatchObject({ code: 'PREREQUISITE_DEAD' });
    await inOne(queue, (tx) => {
      tx.queue(queue.handle.name).enqueue(null, { id: queue.idOf('b'), after: [{ task: queue.idOf('a') }] });
      tx.task(queue.idOf('a')).abort();
    });
    await whileSwept(() => queue.become('aborted', 'b'));
  });

  it('that closes a cycle in two halves is refused', async () => {
    const queue = await makeConsole(waybill);
    await queue.addAll({ a: [], b: [] });
    const refused = inOne(queue, (tx) => {
      tx.task(queue.idOf('a')).arrange({ add: [{ task: queue.idOf('b') }] });
      tx.task(queue.idOf('b')).arrange({ add: [{ task: queue.idOf('a') }] });
    });
    expect(await refusalOf(refused)).toMatchObject({ code: 'PREREQUISITE_CYCLE' });
    expect((await queue.take()).sort()).toEqual(['a', 'b']);
  });

  it('can waive what waits for a task and delete the task', async () => {
    const queue = await makeConsole(waybill);
    await queue.addAll({ a: [], b: ['a'] });
    await inOne(queue, (tx) => {
      tx.task(queue.idOf('b')).arrange({ waive: [queue.idOf('a')] });
      tx.task(queue.idOf('a')).delete();
    });
    expect(await queue.states('a')).toEqual(['deleted']);
    expect(await queue.workOff(1)).toEqual(['b']);
  });
});
