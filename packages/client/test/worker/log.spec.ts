import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Handler, Run, Worker } from '../../src/index.js';
import { deferred, type Deferred } from '../support/deferred.js';
import { EXTEND, extended, SETTLE, StubWork } from '../support/stub-work.js';

let work: StubWork;
let worker: Worker;
let end: Deferred<unknown>;

beforeEach(async () => {
  work = await StubWork.start();
  end = deferred();
});
afterEach(async () => {
  end.resolve(null);
  await worker.stop();
  await work.service.close();
});

/** Starts the worker, and resolves with the run of its task. */
function begun(handler: Handler = () => end.promise): Promise<Run<any>> {
  worker = work.worker();
  return work.begin(worker, handler);
}

const sent = (): any[] => work.service.of(EXTEND).flatMap(({ body }) => body.items);
const lines = (): any[] => sent().flatMap(({ log }) => log ?? []);

describe('run.log', () => {
  it('is sent a second later, all lines of then together', async () => {
    const run = await begun();
    run.log('begun');
    run.log('charged', { level: 'warn', fields: { order: 7 } });
    await work.clock.fire(1_000);
    await work.service.received(EXTEND);
    const at = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(sent()).toEqual([
      {
        taskId: 'a',
        token: '1.x',
        log: [
          { number: 1, at, level: 'info', text: 'begun' },
          { number: 2, at, level: 'warn', text: 'charged', fields: { order: 7 } },
        ],
      },
    ]);
  });

  it('is sent before the outcome, in as many heartbeats as it needs, and each line once', async () => {
    await begun((_, run) => {
      for (let line = 1; line <= 250; line++) run.log(`line ${line}`);
    });
    await work.service.received(SETTLE);
    expect(sent().map(({ log }) => log.length)).toEqual([100, 100, 50]);
    expect(lines().map(({ number }) => number)).toEqual(Array.from({ length: 250 }, (_, at) => at + 1));
  });

  it('is sent again under the same number if it was not answered, and holds no outcome back', async () => {
    work.service.on(EXTEND, 'cut', extended, 'cut');
    const run = await begun();
    run.log('first');
    await work.clock.fire(1_000);
    await work.clock.fire(1_000);
    await work.service.received(EXTEND, 2);
    expect(lines().map(({ number, text }) => [number, text])).toEqual([
      [1, 'first'],
      [1, 'first'],
    ]);
    run.log('second');
    end.resolve('done');
    await work.service.received(SETTLE);
    expect(work.verdicts).toEqual([['a', { type: 'succeed', result: 'done' }]]);
  });

  it('keeps the newest 1,000 lines while the service does not answer, whose numbers show the gap', async () => {
    work.service.on(EXTEND, 'cut', extended);
    await begun((_, run) => {
      for (let line = 1; line <= 1_200; line++) run.log(`line ${line}`);
      return end.promise;
    });
    await work.clock.fire(1_000);
    await work.clock.fire(1_000);
    await work.service.received(EXTEND, 2);
    expect(sent().map(({ log }) => log[0].number)).toEqual([201, 201]);
  });

  it('cuts what is too long, and says why fields cannot be read, instead of failing the task', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    await begun((_, run) => {
      run.log('x'.repeat(5_000), { fields: { text: 'y'.repeat(5_000) } });
      run.log('again', { fields: circular });
      run.log(new Error('no text') as never);
    });
    await work.service.received(SETTLE);
    const [long, unreadable, error] = lines();
    expect([long.text.length, Object.keys(long.fields)]).toEqual([4_096, ['cut']]);
    expect(unreadable.fields.unreadable).toMatch(/circular/i);
    expect(error.text).toContain('no text');
    expect(work.verdicts).toEqual([['a', { type: 'succeed' }]]);
  });
});
