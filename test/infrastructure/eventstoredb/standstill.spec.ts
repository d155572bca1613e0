import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import type { AppendItem, AppendResult } from '../../../src/application/kernel/event-store.port.js';
import type { Release } from '../../support/eventstoredb/fixture.js';
import { type StoreFixture } from '../../support/eventstoredb/open-store.js';
import { startTwoProcesses, type TwoProcesses } from '../../support/eventstoredb/two-processes.js';
import { defineQueue, enqueue, item } from '../../support/events.js';

const TRANSACTIONS = 100;
const TIMEOUT_MS = 300_000;
const PATIENCE_MS = 60_000;

/**
 * A server answers an append that is on its way already after two seconds, and whoever follows the log and waits for another
 * process lets all queues wait. So what makes the index stand still can be counted.
 */
describe.each<Release>(['24.6.0', '25.1.4'])('transactions beside enqueues on a server of release %s', (release) => {
  let server: TwoProcesses['server'];
  let one: TwoProcesses['one'];
  let other: TwoProcesses['other'];
  let orders: string;
  let mail: string;

  let close: TwoProcesses['close'];
  beforeAll(async () => {
    ({ server, one, other, close } = await startTwoProcesses({ release }));
  });
  afterAll(() => close());
  beforeEach(async () => {
    [orders, mail] = [`orders-${uuidv7()}`, `mail-${uuidv7()}`];
    await one.store.append([defineQueue(orders), defineQueue(mail)]);
    server.flights.met = 0;
    server.log.repeated = 0;
  });

  /** A new task whose priority changes, and another one. */
  function submission(): AppendItem[] {
    const created = enqueue(orders);
    const changed = { type: 'TaskReprioritised', version: 1, data: { queue: orders, priority: 3, previous: 0 } };
    return [created, item(created.stream, 0, [changed]), enqueue(orders)];
  }

  function expectNothingTwice(): void {
    const { flights, log } = server;
    expect({ met: flights.met, repeated: log.repeated }).toEqual({ met: 0, repeated: 0 });
  }

  it(
    'send nothing twice, whoever gives them and whoever follows',
    async () => {
      let left = TRANSACTIONS;
      const submits = async ({ store }: StoreFixture): Promise<void> => {
        for (; left > 0; left--)
          expect(kinds(await store.append(submission(), { atomic: true }))).toEqual(Array(3).fill('appended'));
      };
      const enqueues = async ({ store }: StoreFixture): Promise<void> => {
        while (left > 0) expect(kinds(await store.append([enqueue(mail)]))).toEqual(['appended']);
      };
      await Promise.all([one, other].flatMap((process) => [submits(process), enqueues(process)]));
      expectNothingTwice();
    },
    TIMEOUT_MS,
  );

  it(
    'keep nobody waiting for the index while their writers wait for the server',
    async () => {
      const held = [submission(), submission(), submission()];
      let goOn!: () => void;
      const until = new Promise<void>((resolve) => (goOn = resolve));
      for (const items of held)
        server.faults.planAppend({ kind: 'hold', until }, (stream) => stream.endsWith(items.at(-1)!.stream));
      const waiting = held.map((items, at) => [one, other][at % 2]!.store.append(items, { atomic: true }));
      for (const { store, index } of Array.from({ length: 20 }, (_, at) => [one, other][at % 2]!)) {
        const [result] = await store.append([enqueue(mail)]);
        expect(await index.reached((result as { position: bigint }).position, PATIENCE_MS)).toBe(true);
      }
      goOn();
      for (const results of await Promise.all(waiting)) expect(kinds(results)).toEqual(Array(3).fill('appended'));
      expectNothingTwice();
    },
    TIMEOUT_MS,
  );
});

const kinds = (results: readonly AppendResult[]): string[] => results.map(({ kind }) => kind);
