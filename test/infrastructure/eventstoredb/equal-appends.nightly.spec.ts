import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import type { AppendItem, AppendResult } from '../../../src/application/kernel/event-store.port.js';
import { taskIdOf } from '../../../src/domain/task/task.stream.js';
import type { Release } from '../../support/eventstoredb/fixture.js';
import type { StoreFixture } from '../../support/eventstoredb/open-store.js';
import { startTwoProcesses, type TwoProcesses } from '../../support/eventstoredb/two-processes.js';
import { defineQueue, enqueue } from '../../support/events.js';

describe.each<Release>(['24.6.0', '25.1.4'])('on a server of release %s', (release) => {
  let server: TwoProcesses['server'];
  let one: TwoProcesses['one'];
  let other: TwoProcesses['other'];
  let queue: string;

  let close: TwoProcesses['close'];
  beforeAll(async () => {
    ({ server, one, other, close } = await startTwoProcesses({ release }));
  });
  afterAll(() => close());
  beforeEach(async () => {
    queue = `q-${uuidv7()}`;
    await one.store.append([defineQueue(queue)]);
    server.flights.met = 0;
  });

  /** New tasks in one transaction, one of them with two appends. */
  const submission = (count: number): AppendItem[] => Array.from({ length: count }, () => enqueue(queue));

  it('no part of a transaction is stored by two at once', async () => {
    for (let round = 0; round < 30; round++) {
      const items = submission(5);
      const results = await one.store.append(items, { atomic: true });
      expect(results.map(({ kind }) => kind)).toEqual(items.map(() => 'appended'));
    }
    expect(server.flights.met).toBe(0);
  });

  it('no part of a transaction is stored by two at once, whoever gives it and whoever follows', async () => {
    const caller = async ({ store }: StoreFixture): Promise<void> => {
      for (let round = 0; round < 10; round++) {
        const items = submission(3);
        const results = await store.append(items, { atomic: true });
        expect(results.map(({ kind }) => kind)).toEqual(items.map(() => 'appended'));
      }
    };
    // One of the two follows the log, with a connection that does not know the appends of the other.
    await Promise.all([one, one, other, other, other].map(caller));
    expect(server.flights.met).toBe(0);
  });

  it('an append that comes again by the same process shares the first', async () => {
    for (let round = 0; round < 10; round++) {
      const item = enqueue(queue);
      const results = await Promise.all([one.store.append([item]), one.store.append([item])]);
      expect(results.flat().map(({ kind }) => kind)).toContain('appended');
      expect(new Set(results.flat().map((result) => 'position' in result && result.position)).size).toBe(1);
    }
    expect(server.flights.met).toBe(0);
  });

  it('an append that comes again by another process waits for the first', async () => {
    for (let round = 0; round < 10; round++) {
      const item = enqueue(queue);
      const results = await Promise.all([one.store.append([item]), other.store.append([item])]);
      expect(new Set(results.flat().map((result) => 'position' in result && result.position)).size).toBe(1);
    }
    expect(server.flights.met).toBe(0);
  });
});

describe('on a server that does not recognise an append for a second after its answer', () => {
  let server: TwoProcesses['server'];
  let one: TwoProcesses['one'];
  let other: TwoProcesses['other'];
  let close: TwoProcesses['close'];
  let queue: string;

  beforeAll(async () => {
    ({ server, one, other, close } = await startTwoProcesses({ unknownMs: 1_000 }));
    queue = `q-${uuidv7()}`;
    await one.store.append([defineQueue(queue)]);
  });
  afterAll(() => close());

  it.each<[string, () => AppendItem[]]>([
    ['a new task', () => [enqueue(queue)]],
    ['a new task with a reference', () => [enqueue(queue, { reference: uuidv7() })]],
    ['new tasks that wait for one another', () => waitingForOneAnother(queue)],
  ])('%s, sent again by another process once the index knows it, meets nothing', async (_, items) => {
    const same = items();
    const first = await one.store.append(same);
    const again = await other.store.append(same);
    expect(first.map(({ kind }) => kind)).toEqual(same.map(() => 'appended'));
    expect(again).toEqual(
      first.map((result) => expect.objectContaining({ kind: 'duplicate', position: positionOf(result) })),
    );
    expect(server.flights.met).toBe(0);
  });
});

function waitingForOneAnother(queue: string): AppendItem[] {
  const first = enqueue(queue);
  return [first, enqueue(queue, { after: [{ task: taskIdOf(first.stream) }] })];
}

const positionOf = (result: AppendResult): bigint | null => ('position' in result ? result.position : null);
