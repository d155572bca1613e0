import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { type AppendItem, type AppendResult, NO_STREAM } from '../../../src/application/kernel/event-store.port.js';
import type { DomainEvent } from '../../../src/domain/kernel/decider.js';
import { taskIdOf } from '../../../src/domain/task/task.stream.js';
import { defineQueue, enqueue, item } from '../../support/events.js';
import { openStore, type StoreFixture } from '../../support/eventstoredb/open-store.js';

let fixture: StoreFixture;
let queue: string;
beforeAll(async () => {
  fixture = await openStore();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  queue = `q-${uuidv7()}`;
  await fixture.store.append([defineQueue(queue)]);
});
afterEach(() => void jest.restoreAllMocks());

/** The event with which the cleaner takes the place of an append that came too late. */
const fence = (): DomainEvent => ({
  type: 'TaskReservationAbandoned',
  version: 1,
  data: { queue, reservation: uuidv7() },
});

const waitsFor = (id: string): AppendItem => enqueue(queue, { after: [{ task: id }] });

/** New tasks that each wait for the one before. */
function chain(length: number, first = enqueue(queue)): AppendItem[] {
  const items = [first];
  while (items.length < length) items.push(waitsFor(taskIdOf(items.at(-1)!.stream)));
  return items;
}

const positionOf = (result: AppendResult): bigint => ('position' in result ? result.position : 0n);

const kinds = (results: readonly AppendResult[]) => [...new Set(results.map(({ kind }) => kind))];

const reservations = async (): Promise<number> =>
  (await fixture.pool.query<{ n: number }>('select count(*)::int as n from reservations')).rows[0]!.n;

/** What is sent to Postgres while the work is done, by the names of the statements. */
async function statementsOf<T>(work: () => Promise<T>) {
  const query = jest.spyOn(fixture.pool, 'query');
  const result = await work();
  const sent = query.mock.calls.map(([statement]) => (statement as { readonly name?: string }).name);
  return { result, reserved: sent.filter((name) => name === 'waybill_reserve').length, all: sent.length };
}

describe('a chain of new tasks in one append to EventStoreDB', () => {
  it('is reserved in a few statements, not in one for each level', async () => {
    const { result, reserved } = await statementsOf(() => fixture.store.append(chain(300)));
    expect(kinds(result)).toEqual(['appended']);
    // Two parts. While the index lags, a part is tried again.
    expect(reserved).toBeLessThan(30);
    expect(await reservations()).toBe(0);
  });

  it('is refused in a few statements if its first task is', async () => {
    const { result, all } = await statementsOf(() => fixture.store.append(chain(150, waitsFor(uuidv7()))));
    expect(kinds(result)).toEqual(['refused']);
    expect(all).toBeLessThan(30);
    expect(await reservations()).toBe(0);
  });

  it.each([false, true])(
    'stores nothing that waits for a task whose stream has moved, known to the index: %s',
    async (isKnown) => {
      const [first, ...others] = chain(4) as [AppendItem, ...AppendItem[]];
      const [moved] = await fixture.log.append([enqueue(queue, {}, undefined, taskIdOf(first.stream))]);
      if (isKnown) await fixture.index.reached(positionOf(moved!), 10_000);
      const results = await fixture.store.append([first, ...others]);
      expect(kinds(results.slice(1))).toEqual(['conflict']);
      expect(await fixture.log.readStreams(others.map(({ stream }) => stream))).toEqual([[], [], []]);
    },
  );

  it('is stored in order after the cleaner has taken its places, because it came too late', async () => {
    const items = chain(20);
    const fences = items.map(({ stream }) => item(stream, NO_STREAM, [fence()]));
    const taken = await fixture.log.append(fences);
    await fixture.index.reached(positionOf(taken.at(-1)!), 60_000);
    const results = await fixture.store.append(items.map((one) => ({ ...one, expected: 0 })));
    expect(kinds(results)).toEqual(['appended']);
    const positions = results.map(positionOf);
    expect(positions).toEqual(positions.toSorted((one, other) => (one < other ? -1 : 1)));
  });

  it('stores nothing that waits for a task whose outcome is unknown, and keeps only its reservation', async () => {
    const items = chain(4);
    const append = fixture.log.append.bind(fixture.log);
    jest
      .spyOn(fixture.log, 'append')
      .mockImplementation((some, stamp) =>
        some[0] === items[1] ? Promise.reject(new Error('gone')) : append(some, stamp),
      );
    await expect(fixture.store.append(items)).rejects.toThrow('gone');
    jest.restoreAllMocks();
    const histories = await fixture.log.readStreams(items.map(({ stream }) => stream));
    expect(histories.map(({ length }) => length)).toEqual([1, 0, 0, 0]);
    const { rows } = await fixture.pool.query('select name from reservations where scope = $1', [queue]);
    expect(rows.filter(({ name }) => name !== items[0]!.stream)).toEqual([{ name: items[1]!.stream }]);
  });
});
