import type { CommandBus } from '@nestjs/cqrs';
import { uuidv7 } from 'uuidv7';
import type { AppendItem } from '../../../src/application/kernel/event-store.port.js';
import { batchStream } from '../../../src/domain/batch/batch.stream.js';
import { EndOverBatches } from '../../../src/infrastructure/sweeper/chores/end-over-batches.js';
import { openReservedDispatch, type ReservedDispatch } from '../../support/dispatch-fixture.js';
import { claim, enqueue, failed, item, succeeded } from '../../support/events.js';

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

  describe('that is to report although its task runs again', () => {
    let success: AppendItem;
    let report: AppendItem;

    beforeEach(async () => {
      await stored(ending());
      await stored(repair('TaskRetried'));
      const again = claim(task, { expected: 4 });
      await stored(again.item);
      await stored(ofBatch(2, 'BatchReportRequested', { by: 'ann' }));
      success = item(task.stream, 5, [succeeded(queue, again.token)]);
      const counts = { ...COUNTS, failed: 0 };
      const conditions = { batch: { id: batch, ...counts } };
      report = { ...ofBatch(3, 'BatchFailed', { counts, at: AT }), conditions };
    });

    it('a plain success waits for the report that was reserved before, so the report tells what the log says', async () => {
      expect(await dispatch.reservations.reserve(report)).toMatchObject(RESERVED);
      expect(await dispatch.reservations.reserve(success)).toEqual(BUSY);
      await dispatch.reservations.release([report.events[0]!.id]);
      expect(await dispatch.reservations.reserve(success)).toMatchObject(RESERVED);
    });

    it('the report waits for a plain success that was reserved before', async () => {
      expect(await dispatch.reservations.reserve(success)).toMatchObject(RESERVED);
      expect(await dispatch.reservations.reserve(report)).toEqual(BUSY);
    });
  });

  it('has nothing more to end after its task was retried and failed again', async () => {
    const over = new EndOverBatches({} as CommandBus, dispatch.pool);
    expect(await over.find(100)).toContainEqual({ id: batch, counts: COUNTS });
    await stored(ending());
    await stored(repair('TaskRetried'));
    const again = claim(task, { expected: 4 });
    await stored(again.item);
    await stored(item(task.stream, 5, failed(queue, again.token)));
    expect((await over.find(100)).filter(({ id }) => id === batch)).toEqual([]);
  });
});
