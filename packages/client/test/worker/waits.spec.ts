import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { SettleItem, Settlement } from '@waybill/contracts';
import { type Duration, type Handler, inChild, type Run, Stopped, steps, type Worker } from '../../src/index.js';
import { built } from '../support/built.js';
import type { Received, Reply } from '../support/stub-service.js';
import { claimedTask, SETTLE, StubWork } from '../support/stub-work.js';
import { until } from '../support/until.js';

let work: StubWork;
let worker: Worker;
let told: unknown[];

beforeEach(async () => {
  work = await StubWork.start();
  told = [];
});
afterEach(async () => {
  await worker.stop();
  await work.service.close();
});

const RECEIPT = { id: 't1', position: '1', revision: 1, recorded: true };

/** Answers a wait with its end, or with none; everything else is accepted. */
const answering =
  (waited?: Settlement['waited']): Reply =>
  ({ body }: Received) => ({
    body: { results: body.items.map(({ verdict }: SettleItem) => answerTo(verdict.type, waited)) },
  });

function answerTo(type: string, waited: Settlement['waited']): Settlement {
  if (type === 'completeStep') return { ...RECEIPT, state: 'running', step: 'b', lastSuccessfulStep: 'a' };
  if (type !== 'wait') return { ...RECEIPT, state: 'succeeded' };
  return waited ? { ...RECEIPT, state: 'running', waited } : { ...RECEIPT, state: 'pending' };
}

const reports = (): any[] => work.verdicts.map((each) => (each as [string, unknown])[1]);

async function run(handler: Handler, more: object = {}): Promise<void> {
  worker = work.worker().handle('mail', handler);
  for (const name of ['failed', 'lost', 'refused'] as const) worker.on(name, ({ error }: any) => told.push(error));
  work.offer(claimedTask('t1', more));
  await worker.start();
}

/** What the handler makes of its run, once the task is settled. */
async function settledBy(handler: (run: Run) => Promise<unknown>, waited?: Settlement['waited']): Promise<any> {
  work.service.on(SETTLE, answering(waited));
  await run((_, given) => handler(given));
  await until(() => reports().some(({ type }) => type === 'succeed' || type === 'fail'));
  return reports().at(-1);
}

describe('a handler whose signal has not come', () => {
  it('is stopped, reports nothing more, and frees its slot', async () => {
    work.service.on(SETTLE, answering());
    const ended: unknown[] = [];
    await run(async (_, given) => {
      const thrown = await given.waitFor('approved', { timeout: '90m' }).catch((error: unknown) => error);
      ended.push(thrown instanceof Stopped && thrown.reason, given.stopReason);
      throw thrown;
    });
    work.offer(claimedTask('t2'));
    await until(() => ended.length === 4);
    expect(reports()).toEqual(
      ['t1', 't2'].map(() => ({ type: 'wait', signal: 'approved', number: 1, timeoutMs: 5_400_000 })),
    );
    expect(ended.slice(0, 2)).toEqual(['waiting', 'waiting']);
    expect(told).toEqual([]);
  });

  it('is stopped with its process', async () => {
    work.service.on(SETTLE, answering());
    await run(inChild(built('test/support/waiting-child.ts')));
    await until(() => reports().length === 1);
    await worker.stop();
    expect(reports()).toEqual([{ type: 'wait', signal: 'approved', number: 1, timeoutMs: 3_600_000 }]);
    expect(told).toEqual([]);
  });
});

describe('a wait that has ended', () => {
  it('is the data of the signal, and null if it had none', async () => {
    const [data, none] = [
      { by: 'signal' as const, data: { limit: 5 } },
      { by: 'signal' as const, data: null },
    ];
    const wait = (given: Run) => given.waitFor('approved', { timeout: 1 });
    expect(await settledBy(wait, data)).toEqual({ type: 'succeed', result: { limit: 5 } });
    await worker.stop();
    work.offer(claimedTask('t2'));
    expect(await settledBy(wait, none)).toMatchObject({ type: 'succeed' });
  });

  it('fails the task for good if its time is over, or is null', async () => {
    const over = { by: 'time' as const };
    expect(await settledBy((given) => given.waitFor('approved', { timeout: '1d' }), over)).toEqual({
      type: 'fail',
      final: true,
      error: expect.objectContaining({
        class: 'business',
        message: "Expected the signal 'approved' within 1d, but it did not come",
      }),
    });
    await worker.stop();
    work.service.on(SETTLE, answering(over));
    await run((_, given) => given.waitFor('approved', { timeout: 1_000, onTimeout: 'continue' }));
    await until(() => reports().at(-1).type === 'succeed');
    expect(reports().at(-1)).toEqual({ type: 'succeed', result: null });
  });

  it('is numbered among the waits for its signal, and sleeps by themselves', async () => {
    await settledBy(
      async (given) => {
        await given.waitFor('a', { timeout: 1 });
        await given.sleep('2s');
        await given.waitFor('b', { timeout: 1 });
        await given.waitFor('a', { timeout: 1 });
        await given.sleep(5);
      },
      { by: 'signal', data: 1 },
    );
    const waits = reports().filter(({ type }) => type === 'wait');
    expect(waits.map(({ signal, number, timeoutMs }) => [signal, number, timeoutMs])).toEqual([
      ['a', 1, 1],
      [undefined, 1, 2_000],
      ['b', 1, 1],
      ['a', 2, 1],
      [undefined, 2, 5],
    ]);
  });

  it.each<[string, Handler]>([
    [
      'a handler of steps',
      steps({
        a: (_, given) => given.waitFor('a', { timeout: 1 }),
        b: (_, given) => given.waitFor('a', { timeout: 1 }),
      }),
    ],
    [
      'a handler that completes steps itself',
      async (_, given) => {
        await given.waitFor('a', { timeout: 1 });
        await given.completeStep('a');
        await given.waitFor('a', { timeout: 1 });
      },
    ],
  ])('is numbered anew in the next step of %s', async (_, handler) => {
    work.service.on(SETTLE, answering({ by: 'signal', data: 1 }));
    await run(handler, { step: 'a', steps: ['a', 'b'] });
    await until(() => reports().filter(({ type }) => type === 'wait').length === 2);
    expect(reports().flatMap(({ number = [] }) => number)).toEqual([1, 1]);
  });
});

it.each<Duration>([0, -1, 1.5, 366 * 86_400_000 + 1, '0s', '1 h', '1w', 'h', '', NaN])(
  'a wait for %p is a bug of the handler',
  async (duration) => {
    expect(await settledBy((given) => given.sleep(duration))).toMatchObject({ error: { class: 'bug' } });
    expect(reports()).toHaveLength(1);
  },
);
