import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CreateBatch } from '../../../src/application/batches/create-batch.handler.js';
import { FailPlans } from '../../../src/application/batches/fail-plans.handler.js';
import { OperateBatch } from '../../../src/application/batches/operate-batch.handler.js';
import { newId } from '../../../src/application/kernel/new-id.js';
import { batchStream } from '../../../src/domain/batch/batch.stream.js';
import { PostgresApplication } from '../../infrastructure/reactions/postgres-application.js';

const BY = { actor: 'ann', correlationId: 'test' };

let app: PostgresApplication;
beforeAll(async () => {
  app = await PostgresApplication.start();
});
afterAll(() => app.stop());

it.each([
  ['planned', false, 1, 'BatchPlanFailed'],
  ['opened after the sweeper had found it', true, 0, 'BatchOpened'],
] as const)(
  'S2-04 the plan of a batch that is %s fails if its planner has failed, unless it is opened',
  async (_, isOpen, count, last) => {
    const batch = newId();
    await app.commands.execute(new CreateBatch(batch, { name: 'ingest' }, BY));
    if (isOpen) await app.commands.execute(new OperateBatch(batch, { type: 'OpenBatch', tasks: 0 }, BY));
    expect(await app.commands.execute(new FailPlans([{ id: batch, error: 'no manifest' }], BY))).toBe(count);
    const [history] = await app.db.store.readStreams([batchStream(batch)]);
    expect(history!.at(-1)!.event.type).toBe(last);
  },
);
