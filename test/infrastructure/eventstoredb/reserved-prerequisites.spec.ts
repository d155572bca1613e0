import { uuidv7 } from 'uuidv7';
import type { AppendItem } from '../../../src/application/kernel/event-store.port.js';
import { batchStream } from '../../../src/domain/batch/batch.stream.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { enqueue, item } from '../../support/events.js';
import { type FollowedDispatch, openFollowedDispatch } from '../../support/followed-dispatch.js';

describe('given a reserved task, what it waits for', () => {
  let dispatch: FollowedDispatch;
  let batch: string;
  let needed: string;
  beforeAll(async () => {
    dispatch = await openFollowedDispatch();
    await dispatch.define('q');
  });
  afterAll(() => dispatch.close());
  beforeEach(async () => {
    batch = uuidv7();
    const data = { batch, name: 'b', at: new Date(0).toISOString() };
    await dispatch.store.append([item(batchStream(batch), -1, [{ type: 'BatchCreated', version: 1, data }])]);
    [needed] = (await dispatch.enqueue('q', [{ batch }])) as [string];
  });

  const dependant = (): AppendItem => enqueue('q', { after: [{ task: needed }] });
  const deleted = (): AppendItem => {
    const data = { queue: 'q', from: 'pending', by: 'ann' };
    return item(taskStream(needed), 0, [{ type: 'TaskDeleted', version: 1, data }]);
  };
  const batchDeleted = (): AppendItem => {
    const data = { batch, by: 'ann', reason: null };
    return item(batchStream(batch), 0, [{ type: 'BatchDeleted', version: 1, data }], { unneeded: batch });
  };

  it.each([
    ['by itself', async () => [await dispatch.reservations.reserve(deleted())]],
    ['with its batch', async () => [await dispatch.reservations.reserve(batchDeleted())]],
    ['in a transaction', async () => problemsOf(uuidv7(), [deleted(), enqueue('q', {})])],
  ])('is not deleted %s', async (_, reserveDeletion) => {
    const waiting = dependant();
    expect(await dispatch.reservations.reserve(waiting)).toMatchObject({ kind: 'reserved' });
    expect(await reserveDeletion()).toMatchObject([{ constraint: 'task-awaited' }]);
    await dispatch.reservations.release([waiting.events[0]!.id]);
    expect(await reserveDeletion()).not.toMatchObject([{ constraint: 'task-awaited' }]);
  });

  const problemsOf = async (transaction: string, items: readonly AppendItem[]) => [
    ...(await dispatch.reservations.reserveAsOne(transaction, items)).problems.values(),
  ];
});
