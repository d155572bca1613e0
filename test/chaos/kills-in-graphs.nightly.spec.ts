import type { BatchHandle, Worker } from '@waybill/client';
import { until } from '../support/until.js';
import { violationsOf } from '../support/history-checker.js';
import { type Crash, lastWords } from './crash-points.js';
import { doom, endOtherwise, fanOut, MEMBERS, openLarge, shortenTurns } from './graphs.js';
import { defineQueues, startWorker } from './load.js';
import { Run } from './run.js';

describe('kill -9 of the service in a graph of tasks', () => {
  let run: Run;
  let worker: Worker;
  beforeAll(async () => {
    run = await Run.open();
    await shortenTurns(run.pool);
  });
  afterAll(async () => {
    await worker.stop();
    await run.close();
  });

  const killed = async (crash: Crash, act: () => Promise<unknown>): Promise<unknown> => {
    const service = run.service({ crash });
    const done = act();
    expect([await service.ended, service.errors]).toEqual([{ code: null, signal: 'SIGKILL' }, '']);
    expect(service.lines).toContain(lastWords(crash));
    return done;
  };

  const ended = (batch: BatchHandle, state: string): Promise<unknown> =>
    until(`the batch to be ${state}`, async () => ((await batch.get()).state === state ? true : null), 120_000);

  it('leaves nothing blocked for ever, and runs nothing too early or twice', async () => {
    const waybill = run.client();
    worker = await startWorker(waybill, { name: 'w', leaseMs: 5_000 });
    const acts: Promise<unknown>[] = [];
    const begin = (act: () => Promise<unknown>) => async (): Promise<void> => void acts.push(act());

    let large: BatchHandle;
    await killed(
      { point: 'before-chunk', passage: 1 },
      begin(async () => {
        await defineQueues(waybill);
        large = await openLarge(waybill);
      }),
    );
    await killed(
      { point: 'after-chunk', passage: 1 },
      begin(() => Promise.resolve()),
    );
    // The rest of the batch is let go first.
    await killed(
      { point: 'before-chunk', passage: 2 },
      begin(() => fanOut(waybill)),
    );
    await killed(
      { point: 'within-cascade', passage: 2 },
      begin(() => doom(waybill)),
    );
    await run.service().ready();
    await Promise.all(acts);
    const [failing, aborted] = await endOtherwise(waybill);
    await run.settled(300_000);
    await ended(large!, 'completed');
    await ended(failing!, 'failed');
    await ended(aborted!, 'aborted');
    await worker.stop();
    await run.caughtUp();

    const history = await run.history();
    expect(violationsOf(history)).toEqual([]);
    expect(await large!.get()).toMatchObject({ total: MEMBERS, succeeded: MEMBERS });
  }, 600_000);
});
