import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ClaimedTask } from '@waybill/client';
import { type RunningService, startService } from '../../support/running-service.js';
import { type FileQueue, makeIngest } from './file-queues.js';

const FILE = 'm31.fits';

let service: RunningService;
let ingest: FileQueue;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  ingest = await makeIngest(service.waybill);
});
afterAll(() => service.stop());

/** The ids that a claim of every eligible entry gets. */
async function selected(): Promise<string[]> {
  const claimedTasks = await ingest.handle.claim({ worker: 'w2', max: 1000 });
  return claimedTasks.map(({ taskId }) => taskId);
}

async function errorReported(claimedTask: ClaimedTask): Promise<void> {
  await ingest.report(claimedTask, 'checksum differs');
  expect(await ingest.flags(claimedTask.taskId)).toBe('(T,T)');
}

const flagsOfAll = async (): Promise<string[]> => Object.values(await ingest.entriesOf(FILE)).sort();

describe('a file is selected or not by its entries', () => {
  it('S0-31 (T,F) and (F,F): not selected', async () => {
    await ingest.addRunning(FILE);
    await ingest.add(FILE);
    expect(await flagsOfAll()).toEqual(['(F,F)', '(T,F)']);
    expect(await selected()).toEqual([]);
  });

  it('S0-32 (T,T) and (F,F): not selected', async () => {
    await errorReported(await ingest.addRunning(FILE));
    await ingest.add(FILE);
    expect(await flagsOfAll()).toEqual(['(F,F)', '(T,T)']);
    expect(await selected()).toEqual([]);
  });

  it('S0-33 (F,T) and (F,F): the (F,F) entry is selected', async () => {
    await ingest.addFailed(FILE);
    const { id } = await ingest.add(FILE);
    expect(await flagsOfAll()).toEqual(['(F,F)', '(F,T)']);
    expect(await selected()).toEqual([id]);
  });

  it('S0-34 (F,T) only: not selected', async () => {
    await ingest.addFailed(FILE);
    expect(await flagsOfAll()).toEqual(['(F,T)']);
    expect(await selected()).toEqual([]);
  });

  it('S0-35 (T,F) and (F,T): not selected', async () => {
    await ingest.addFailed(FILE);
    await ingest.addRunning(FILE);
    expect(await flagsOfAll()).toEqual(['(F,T)', '(T,F)']);
    expect(await selected()).toEqual([]);
  });

  it('S0-35 (T,T) and (F,T): not selected', async () => {
    await ingest.addFailed(FILE);
    await errorReported(await ingest.addRunning(FILE));
    expect(await flagsOfAll()).toEqual(['(F,T)', '(T,T)']);
    expect(await selected()).toEqual([]);
  });

  it('S0-36 (F,F) only: selected', async () => {
    const { id } = await ingest.add(FILE);
    expect(await flagsOfAll()).toEqual(['(F,F)']);
    expect(await selected()).toEqual([id]);
  });

  it.each(['success', 'failure'] as const)(
    'S0-44 (T,F), (F,T) and (F,F): not selected; after the %s of the run the (F,F) entry is',
    async (ending) => {
      await ingest.addFailed(FILE);
      const running = await ingest.addRunning(FILE);
      const { id } = await ingest.add(FILE);
      expect(await flagsOfAll()).toEqual(['(F,F)', '(F,T)', '(T,F)']);
      expect(await selected()).toEqual([]);
      await (ending === 'success' ? ingest.succeed(running) : ingest.fail(running, 'disk full'));
      expect(await selected()).toEqual([id]);
    },
  );

  it.each(['success', 'failure'] as const)(
    'S0-44 (T,T), (F,T) and (F,F): not selected; after the %s of the run the (F,F) entry is',
    async (ending) => {
      await ingest.addFailed(FILE);
      const running = await ingest.addRunning(FILE);
      await errorReported(running);
      const { id } = await ingest.add(FILE);
      expect(await flagsOfAll()).toEqual(['(F,F)', '(F,T)', '(T,T)']);
      expect(await selected()).toEqual([]);
      await (ending === 'success' ? ingest.succeed(running) : ingest.fail(running, 'disk full'));
      expect(await selected()).toEqual([id]);
    },
  );
});
