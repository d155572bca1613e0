import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WaybillUnavailable, type Handler, type Worker, type WorkerOptions } from '../../src/index.js';
import type { Caller } from '../../src/caller.js';
import { NO_TELEMETRY } from '../../src/telemetry.js';
import { MOST_WAITING } from '../../src/waiting.js';
import { Settlements } from '../../src/worker/settlements.js';
import { deferred, type Deferred } from '../support/deferred.js';
import { problem, type Received, type Reply } from '../support/stub-service.js';
import { accepted, CLAIMS, claimedTask, refused, SETTLE, StubWork } from '../support/stub-work.js';

let work: StubWork;
let worker: Worker;

beforeEach(async () => {
  work = await StubWork.start();
});
afterEach(async () => {
  await worker.stop();
  await work.service.close();
});

/** Runs these tasks. Each handler ends when its gate opens. */
async function begin(ids: string[], options: WorkerOptions = {}): Promise<Map<string, Deferred<unknown>>> {
  const gates = new Map(ids.map((id) => [id, deferred<unknown>()]));
  worker = work.worker(options).handle('mail', ({ taskId }) => gates.get(taskId)!.promise);
  work.offer(...ids.map((id) => claimedTask(id)));
  await worker.start();
  return gates;
}

const ids = (): string[][] => work.settlements.map((items) => items.map(({ taskId }) => taskId));

describe('settlements', () => {
  it('that are due while one is in flight are sent together next, without a timer', async () => {
    const answer = deferred();
    work.service.on(SETTLE, async (): Promise<Reply> => (await answer.promise, accepted), accepted);
    const gates = await begin(['a', 'b', 'c', 'd']);
    gates.get('a')!.resolve(1);
    await work.service.received(SETTLE);
    for (const id of ['b', 'c', 'd']) gates.get(id)!.resolve(1);
    answer.resolve();
    await work.service.received(SETTLE, 2);
    expect(ids()).toEqual([['a'], ['b', 'c', 'd']]);
    expect(work.clock.pending.every((ms) => ms >= 10_000)).toBe(true);
  });

  it('are refused as unavailable if too many wait to be sent', async () => {
    await begin([]);
    const caller = {
      call: () => new Promise(() => undefined),
      config: { telemetry: NO_TELEMETRY },
    } as unknown as Caller;
    const settlements = new Settlements(caller, { tell: () => undefined } as never);
    const settle = (n: number) =>
      settlements.settle({ taskId: `t${n}`, token: '1.s', verdict: { type: 'succeed' } } as never);
    for (let n = 0; n < MOST_WAITING; n++) void settle(n).catch(() => undefined);
    await expect(settle(MOST_WAITING)).rejects.toMatchObject({ name: 'WaybillUnavailable', outcome: 'not-done' });
    settlements.end();
  });

  it('have the token of their claim and the worker as actor', async () => {
    const gates = await begin([]);
    gates.set('t1', deferred());
    gates.get('t1')!.resolve('fine');
    work.offer(claimedTask('t1', { token: '42.s' }));
    const { body, headers } = await work.service.received(SETTLE);
    expect(body).toEqual({ items: [{ taskId: 't1', token: '42.s', verdict: { type: 'succeed', result: 'fine' } }] });
    expect(headers['waybill-actor']).toBe('w1');
  });

  it('of unknown outcome are repeated unchanged, and keep their slots meanwhile', async () => {
    const told: unknown[] = [];
    work.service.on(SETTLE, 'cut', problem(503, 'STORE_UNAVAILABLE'), accepted);
    const gates = await begin(['a', 'b'], { concurrency: 1 });
    worker.on('unavailable', ({ doing, retryInMs }) => told.push([doing, retryInMs]));
    gates.get('a')!.resolve(1);
    gates.get('b')!.resolve(1);
    await work.clock.fire(50);
    await work.service.received(SETTLE, 2);
    expect(work.service.of(CLAIMS)).toHaveLength(1);
    await work.clock.fire(100);
    await work.service.received(SETTLE, 4);
    expect(work.service.of(CLAIMS).length).toBeGreaterThan(1);
    expect(ids()).toEqual([['a'], ['a'], ['a'], ['b']]);
    expect(work.settlements[1]).toEqual(work.settlements[0]);
    expect(told).toEqual([
      ['settle', 50],
      ['settle', 100],
    ]);
  });

  it('that are refused as "not now" are repeated, and no others', async () => {
    const busy = problem(503, 'STREAM_CONTENTION').body;
    const half = ({ body }: Received): Reply => ({
      body: { results: [{ problem: busy }, { id: body.items[1].taskId, state: 'succeeded' }] },
    });
    work.service.on(SETTLE, half, accepted);
    const gates = await begin(['a', 'b']);
    for (const gate of gates.values()) gate.resolve(1);
    await work.clock.fire(50);
    await work.service.received(SETTLE, 2);
    expect(ids()).toEqual([['a', 'b'], ['a']]);
  });

  it('on which the service failed are repeated unchanged, and do not become failures', async () => {
    work.service.on(SETTLE, problem(500, 'INTERNAL_ERROR'), accepted);
    const gates = await begin(['a'], { concurrency: 1 });
    gates.get('a')!.resolve('done');
    await work.clock.fire(50);
    await work.service.received(CLAIMS, 2);
    expect(work.verdicts).toEqual([
      ['a', { type: 'succeed', result: 'done' }],
      ['a', { type: 'succeed', result: 'done' }],
    ]);
  });

  it('on which the service always fails delay no other, and are given up in the end', async () => {
    const warned: string[] = [];
    const poison = ({ body }: Received): Reply =>
      body.items.some(({ taskId }: any) => taskId === 'b') ? problem(500, 'INTERNAL_ERROR') : accepted;
    work.service.on(SETTLE, poison);
    const logger = { warn: (_fields: object, message: string) => warned.push(message) };
    const gates = await begin(['a', 'b', 'c'], { logger });
    const givenUp = deferred();
    worker.on('unavailable', ({ retryInMs }) => retryInMs === null && givenUp.resolve());
    for (const gate of gates.values()) gate.resolve(1);
    await work.service.received(SETTLE, 4);
    expect(ids()).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']]);
    for (const ms of [50, 100, 200, 400, 800, 1_600, 3_200]) await work.clock.fire(ms);
    await givenUp.promise;
    expect(ids().slice(4)).toEqual(Array.from({ length: 7 }, () => ['b']));
    expect(work.verdicts).not.toContainEqual(['b', expect.objectContaining({ type: 'fail' })]);
    expect(warned.at(-1)).toBe(
      "Expected to settle task 'b' of queue 'mail' (attempt 1), but: Expected an answer to 'settleTasks', " +
        'but after 8 attempt(s) its outcome is unknown: refused: INTERNAL_ERROR',
    );
  });

  it('are sent one by one if a batch is refused as a whole, so that one invalid item does not affect the others', async () => {
    const picky = ({ body }: Received): Reply =>
      body.items.some(({ taskId, verdict }: any) => taskId === 'b' && verdict.type === 'succeed')
        ? problem(400, 'INVALID_INPUT')
        : accepted;
    work.service.on(SETTLE, picky);
    const gates = await begin(['a', 'b', 'c']);
    for (const gate of gates.values()) gate.resolve(1);
    await work.service.received(SETTLE, 5);
    expect(ids()).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c'], ['b']]);
    expect(work.settlements[4]![0]!.verdict).toEqual({
      type: 'fail',
      final: true,
      error: { class: 'bug', message: "Expected to settle as 'succeed', but INVALID_INPUT: refused: INVALID_INPUT" },
    });
  });

  it('stay below the size limit of a request', async () => {
    const gates = await begin(['a', 'b', 'c']);
    for (const gate of gates.values()) gate.resolve('x'.repeat(400_000));
    await work.service.received(SETTLE, 2);
    expect(ids()).toEqual([['a', 'b'], ['c']]);
  });
});

describe('a report of unknown outcome', () => {
  const failed: unknown[] = [];
  const leftToLease: unknown[] = [];

  /** Runs task 'a'. The service fails on each report, however often it is repeated, and accepts all verdicts. */
  async function report(handler: Handler<any>): Promise<void> {
    const poison = ({ body }: Received): Reply =>
      ['completeStep', 'reportError'].includes(body.items[0].verdict.type) ? problem(500, 'INTERNAL_ERROR') : accepted;
    work.service.on(SETTLE, poison);
    worker = work.worker({ concurrency: 1 }).handle('mail', handler);
    worker.on('failed', ({ error }) => failed.push(error));
    worker.on('unavailable', ({ task, retryInMs }) => retryInMs === null && leftToLease.push(task?.taskId));
    work.offer(claimedTask('a'));
    await worker.start();
    await work.service.received(SETTLE);
    for (const ms of [50, 100, 200, 400, 800, 1_600, 3_200]) await work.clock.fire(ms);
    await work.service.received(CLAIMS, 2);
  }

  const said = (): string[] => work.verdicts.slice(7).map(([, verdict]: any) => verdict.type);

  beforeEach(() => void (failed.length = leftToLease.length = 0));

  it.each<[string, Handler<any>]>([
    ['completeStep', (_, run) => run.completeStep('last')],
    ['reportError', (_, run) => run.reportError(new Error('one page is missing'))],
  ])('%s that ends the handler leaves the task to its lease', async (type, handler) => {
    await report(handler);
    expect(said()).toEqual([type]);
    expect(leftToLease).toEqual(['a']);
    expect(failed).toEqual([]);
  });

  it('that ends the handler is the last report on the task', async () => {
    const late = deferred<unknown>();
    const gate = deferred();
    await report(async (_, run) => {
      void gate.promise.then(() => run.completeStep('late')).catch(late.resolve);
      await run.completeStep('one');
    });
    gate.resolve();
    expect(await late.promise).toMatchObject({ message: "Expected to report on task 'a', but its attempt is over" });
    expect(said()).toEqual(['completeStep']);
  });

  it('that the handler catches does not decide the verdict', async () => {
    await report(async (_, run) => {
      await run.completeStep('one').catch(() => undefined);
      return 'done';
    });
    expect(work.verdicts.at(-1)).toEqual(['a', { type: 'succeed', result: 'done' }]);
    expect(leftToLease).toEqual([]);
  });

  it('that the handler catches does not hide a later error', async () => {
    const own = new Error('mailbox full');
    await report(async (_, run) => {
      await run.completeStep('one').catch(() => undefined);
      throw own;
    });
    expect(said()).toEqual(['completeStep', 'fail']);
    expect(failed).toEqual([own]);
  });

  it('is told apart from the same kind of error from another call', async () => {
    const request = { operation: 'enqueueTask', input: {}, requestId: '', attempts: 5 } as const;
    const elsewhere = new WaybillUnavailable(request, 'unknown', new Error('gone'));
    await report(async (_, run) => {
      await run.completeStep('one').catch(() => undefined);
      throw elsewhere;
    });
    expect(said()).toEqual(['completeStep', 'fail']);
    expect(failed).toEqual([elsewhere]);
    expect(leftToLease).toEqual([]);
  });
});

describe('a refused settlement', () => {
  it('of a lost lease is reported as an event, and nothing more is sent for the task', async () => {
    work.service.on(SETTLE, refused('LEASE_LOST'));
    const lost = deferred<string>();
    const gates = await begin(['a']);
    worker.on('lost', ({ task }) => lost.resolve(task.taskId));
    gates.get('a')!.resolve(1);
    expect(await lost.promise).toBe('a');
    await work.service.received(CLAIMS, 2);
    expect(ids()).toEqual([['a']]);
  });

  it('fails the attempt and, if that is refused too, leaves the task to its lease', async () => {
    work.service.on(SETTLE, refused('STEPS_REMAIN'));
    const told = deferred<unknown>();
    const warned: string[] = [];
    const gates = await begin(['a'], { logger: { warn: (_fields, message) => warned.push(message) } });
    worker.on('refused', ({ error }) => told.resolve(error));
    gates.get('a')!.resolve(1);
    expect(await told.promise).toMatchObject({ code: 'STEPS_REMAIN' });
    expect(work.verdicts.map(([, verdict]: any) => verdict.type)).toEqual(['succeed', 'fail']);
    expect(warned.at(-1)).toBe(
      "Expected to settle task 'a' of queue 'mail' (attempt 1), but the service refuses: refused: STEPS_REMAIN",
    );
    await work.service.received(CLAIMS, 2);
  });

  it.each([
    ['INVALID_INPUT', 400, 'bug'],
    ['PAYLOAD_TOO_LARGE', 413, 'business'],
    ['DATA_TOO_LARGE', 413, 'business'],
    ['STEP_OUT_OF_ORDER', 409, 'bug'],
  ])('as %s fails the attempt for good, because the handler would report the same again', async (code, status, as) => {
    work.service.on(SETTLE, problem(status, code), accepted);
    const gates = await begin(['a']);
    gates.get('a')!.resolve({ some: 'result' });
    const { body } = await work.service.received(SETTLE, 2);
    expect(body.items[0].verdict).toMatchObject({ type: 'fail', final: true, error: { class: as } });
  });

  it('of what was reported before the end does so, too', async () => {
    work.service.on(SETTLE, problem(413, 'DATA_TOO_LARGE'), accepted);
    worker = work.worker().handle('mail', (_, run) => run.record({ some: 'data' }));
    work.offer(claimedTask('a'));
    await worker.start();
    const { body } = await work.service.received(SETTLE, 2);
    expect(body.items[0].verdict).toMatchObject({ type: 'fail', final: true, error: { class: 'business' } });
  });

  it('that was a failure is retried as its policy says, without the refused parts', async () => {
    work.service.on(SETTLE, problem(413, 'PAYLOAD_TOO_LARGE'), accepted);
    worker = work.worker().handle('mail', (_, run) => run.fail('transient', 'full', { details: 'too much' }));
    work.offer(claimedTask('a'));
    await worker.start();
    const { body } = await work.service.received(SETTLE, 2);
    expect(body.items[0].verdict).toEqual({ type: 'fail', error: expect.objectContaining({ class: 'transient' }) });
  });

  it('that was a failure fails the attempt with its own message, without the refused parts', async () => {
    work.service.on(SETTLE, problem(400, 'INVALID_INPUT', { detail: 'no: \0' }), accepted);
    worker = work.worker();
    worker.handle('mail', (_, run) => run.fail('business', 'full', { final: true, details: { sent: '\0' } }));
    work.offer(claimedTask('a'));
    await worker.start();
    const { body } = await work.service.received(SETTLE, 2);
    const message = "full\nExpected to settle as 'fail', but INVALID_INPUT: no: \ufffd";
    expect(body.items[0].verdict).toEqual({ type: 'fail', final: true, error: { message, class: 'business' } });
  });

  it.each<[string, Handler<any>, string]>([
    ['was thrown is reported once, as it was thrown', () => Promise.reject(new Error('full')), 'full'],
    ['was returned is reported once, as it was refused', (_, run) => run.fail('bug', 'full'), 'refused: INVALID_INPUT'],
  ])('of a failure that %s', async (_, handler, message) => {
    const told: unknown[] = [];
    work.service.on(SETTLE, problem(400, 'INVALID_INPUT'), accepted);
    worker = work.worker({ concurrency: 1 }).handle('mail', handler);
    worker.on('failed', ({ error }) => told.push(error));
    work.offer(claimedTask('a'));
    await worker.start();
    await work.service.received(CLAIMS, 2);
    expect(work.verdicts.map(([, verdict]: any) => verdict.type)).toEqual(['fail', 'fail']);
    expect(told).toEqual([expect.objectContaining({ message })]);
  });
});
