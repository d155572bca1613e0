import type { CommandBus } from '@nestjs/cqrs';
import { uuidv7 } from 'uuidv7';
import type { AppendItem } from '../../../src/application/kernel/event-store.port.js';
import { batchStream } from '../../../src/domain/batch/batch.stream.js';
import { EndOverBatches } from '../../../src/infrastructure/sweeper/chores/end-over-batches.js';
import { openReservedDispatch, type ReservedDispatch } from '../../support/dispatch-fixture.js';
import { claim, enqueue, failed, item } from '../../support/events.js';

const AT = '2026-03-01T00:00:00.000Z';
const COUNTS = { total: 1, succeeded: 0, failed: 1, aborted: 0, deleted: 0 };
const BUSY = { kind: 'busy' };
const RESERVED = { kind: 'reserved' };

// With the events in EventStoreDB, an append is reserved some time before the index counts its task.
describe('given a batch whose only task has failed', () => {
  let dispatch: ReservedDispatch;
  let queue: string;
  let batch: string;
  let task: AppendItem;

  beforeAll(async () => {
    dispatch = await openReservedDispatch();
  });
  afterAll(() => dispatch.close());
  beforeEach(async () => {
    [queue, batch] = [`q-${uuidv7()}`, uuidv7()];
    await dispatch.define(queue);
    task = enqueue(queue, { batch });
    const run = claim(task);
    await stored(ofBatch(-1, 'BatchCreated', { name: 'b', at: AT }));
    await stored(task);
    await stored(ofBatch(0, 'BatchOpened', { tasks: 1 }));
    await stored(run.item);
    await stored(item(task.stream, 1, failed(queue, run.token)));
  });

  const ofBatch = (revision: number, type: string, data: object): AppendItem =>
    item(batchStream(batch), revision, [{ type, version: 1, data: { batch, ...data } }]);
  const ending = (): AppendItem => ({
    ...ofBatch(1, 'BatchFailed', { counts: COUNTS, at: AT }),
    conditions: { batch: { id: batch, ...COUNTS } },
  });
  const repair = (type: string): AppendItem =>
    item(task.stream, 3, [
      { type, version: 1, data: { queue, from: 'failed', by: 'ann', attempt: 1, bySuccessOf: uuidv7() } },
    ]);

  async function stored(one: AppendItem): Promise<void> {
    expect(await dispatch.store.append([one])).toMatchObject([{ kind: 'appended' }]);
  }

  describe.each(['TaskRetried', 'TaskSuperseded', 'TaskAborted', 'TaskDeleted'])('and a reserved %s', (type) => {
    it('the batch does not end beside it, because its counts may be about to change', async () => {
      const one = repair(type);
      expect(await dispatch.reservations.reserve(one)).toMatchObject(RESERVED);
      expect(await dispatch.reservations.reserve(ending())).toEqual(BUSY);
      await dispatch.reservations.release([one.events[0]!.id]);
      expect(await dispatch.reservations.reserve(ending())).toMatchObject(RESERVED);
    });

    it('it waits for the end of the batch that was reserved before', async () => {
      expect(await dispatch.reservations.reserve(ending())).toMatchObject(RESERVED);
      expect(await dispatch.reservations.reserve(repair(type))).toEqual(BUSY);
    });
  });

  it('has nothing more to end after its task was retried and failed again', async () => {
    const over = new EndOverBatches({} as CommandBus, dispatch.pool);
    expect(await over.find(10)).toContainEqual({ id: batch, counts: COUNTS });
    await stored(ending());
    await stored(repair('TaskRetried'));
    const again = claim(task, { expected: 4 });
    await stored(again.item);
    await stored(item(task.stream, 5, failed(queue, again.token)));
    expect((await over.find(10)).filter(({ id }) => id === batch)).toEqual([]);
  });
});
