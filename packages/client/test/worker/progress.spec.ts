import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Handler, Run, Worker } from '../../src/index.js';
import { deferred, type Deferred } from '../support/deferred.js';
import { EXTEND, extended, heartbeat, SETTLE, StubWork } from '../support/stub-work.js';
import { until } from '../support/until.js';

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

const sent = (): unknown[] => work.service.of(EXTEND).flatMap(({ body }) => body.items);
const bar = (title: string, position: number) => ({ title, start: 0, end: 9, position });

describe('progress', () => {
  it('is sent a second later, all that changed by then together', async () => {
    const run = await begun();
    run.progress('links', { end: 9, position: 1 });
    run.progress('links', { end: 9, position: 2 });
    run.progress('files', { start: 0, end: 9, position: 3 });
    await work.clock.fire(1_000);
    await work.service.received(EXTEND);
    expect(sent()).toEqual([{ taskId: 'a', token: '1.x', progress: [bar('links', 2), bar('files', 3)] }]);
  });

  it('is sent before the outcome, which does not wait for the second', async () => {
    await begun((_, run) => run.progress('links', { end: 9, position: 9 }));
    await work.service.received(SETTLE);
    expect(sent()).toEqual([{ taskId: 'a', token: '1.x', progress: [bar('links', 9)] }]);
  });

  it('is sent again if it was not answered, and holds no outcome back', async () => {
    work.service.on(EXTEND, 'cut', extended);
    const run = await begun();
    run.progress('links', { end: 9, position: 1 });
    await work.clock.fire(1_000);
    await work.clock.fire(1_000);
    await work.service.received(EXTEND, 2);
    expect(sent()).toHaveLength(2);
    work.service.on(EXTEND, 'cut');
    run.progress('links', { end: 9, position: 2 });
    end.resolve('done');
    await work.service.received(SETTLE);
    expect(work.verdicts).toEqual([['a', { type: 'succeed', result: 'done' }]]);
  });

  it('tells of a cancellation, like any heartbeat', async () => {
    work.service.on(EXTEND, heartbeat({ a: 'cancel' }));
    const run = await begun();
    run.progress('links', { end: 9, position: 1 });
    await work.clock.fire(1_000);
    await until(() => run.stopReason === 'cancel');
  });

  it('is refused in the handler if the service would refuse it', async () => {
    const run = await begun();
    for (let at = 0; at < 50; at++) run.progress(`bar ${at}`, { end: 1, position: 0 });
    expect(() => run.progress('bar 0', { end: 1, position: 1 })).not.toThrow();
    expect(() => run.progress('one more', { end: 1, position: 0 })).toThrow(/at most 50 progress bars per task/);
    expect(() => run.progress('bar 1', { end: 1, position: NaN })).toThrow(/the position of a progress bar .* NaN/);
    expect(() => run.progress('x'.repeat(201), { end: 1, position: 0 })).toThrow(/1 to 200 characters/);
    expect(() => run.progress('', { end: 1, position: 0 })).toThrow(RangeError);
  });
});
