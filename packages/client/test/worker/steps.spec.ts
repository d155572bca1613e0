import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ClaimedTask } from '@waybill/contracts';
import { inChild, steps, type StepHandlers, type Worker } from '../../src/index.js';
import { built } from '../support/built.js';
import type { Received, Reply } from '../support/stub-service.js';
import { accepted, CLAIMS, claimedTask, refused, SETTLE, StubWork } from '../support/stub-work.js';
import { until } from '../support/until.js';

let work: StubWork;
let worker: Worker;
let failed: unknown[];

beforeEach(async () => {
  work = await StubWork.start();
  failed = [];
});
afterEach(async () => {
  await worker.stop();
  await work.service.close();
});

const task = (more: Partial<ClaimedTask> = {}): ClaimedTask =>
  claimedTask('t1', { step: 'a', steps: ['a', 'b', 'c'], ...more });

/** Goes on with `step`, as the service says. */
const goesOn =
  (step: string, lastSuccessfulStep: string | null): Reply =>
  ({ body }: Received) => ({
    body: { results: body.items.map(() => ({ ...RECEIPT, state: 'running', step, lastSuccessfulStep })) },
  });

const RECEIPT = { id: 't1', position: '1', revision: 1, recorded: true };

/** The reports on one task at step `a` of three. */
async function reportsOf(handlers: StepHandlers, reports: number, more: Partial<ClaimedTask> = {}): Promise<unknown[]> {
  worker = work.worker().handle('mail', steps(handlers));
  worker.on('failed', ({ error }) => failed.push(error));
  work.offer(task(more));
  await worker.start();
  await until(() => work.verdicts.length >= reports);
  return work.verdicts.map((each) => (each as [string, unknown])[1]);
}

describe('a worker of steps', () => {
  it('claims only tasks that are at its steps', async () => {
    await reportsOf({ a: () => 1, c: () => 2 }, 1);
    expect((await work.service.received(CLAIMS)).body).toMatchObject({ steps: ['a', 'c'] });
  });

  it('needs a handler of a step', () => {
    worker = work.worker();
    expect(() => steps({})).toThrow('Expected a handler of at least one step, but got none');
  });
});

describe('a worker that runs each task with steps in a process of its own', () => {
  const inProcessOfItsOwn = inChild(built('test/support/steps-child.ts'), { steps: ['a', 'b'] });
  const reports = (): any[] => work.verdicts.map((each) => (each as [string, unknown])[1]);

  async function begin(payload: object): Promise<void> {
    work.service.on(SETTLE, accepted, goesOn('b', 'a'), accepted);
    worker = work.worker().handle('mail', inProcessOfItsOwn);
    work.offer(task({ payload }));
    await worker.start();
  }

  it('claims only tasks at its steps, and hands the task on before the next step', async () => {
    await begin({});
    await until(() => reports().length === 3);
    expect((await work.service.received(CLAIMS)).body).toMatchObject({ steps: ['a', 'b'] });
    expect(reports()).toEqual([
      { type: 'record', data: { begun: true } },
      { type: 'completeStep', step: 'a', then: 'continue', result: { pid: expect.any(Number) } },
      { type: 'completeStep', step: 'b', then: 'offer', result: { data: { begun: true } } },
    ]);
    expect(reports()[1].result.pid).not.toBe(process.pid);
  });

  it('hands the task on after the step in which it is told to stop', async () => {
    await begin({ waits: true });
    await until(() => reports().length === 1);
    await worker.stop();
    expect(reports().slice(1)).toMatchObject([{ type: 'completeStep', step: 'a', then: 'offer' }]);
  });

  it('needs the name of a step', async () => {
    worker = work.worker();
    expect(() => inChild('steps-child.js', { steps: [] })).toThrow('Expected the name of at least one step');
  });
});

describe('the outcome of a step', () => {
  it.each<[string, StepHandlers[string], object]>([
    ['nothing', () => undefined, {}],
    ['a value', () => ({ n: 1 }), { result: { n: 1 } }],
    ['succeed', (_, run) => run.succeed(7), { result: 7 }],
    ['noChange', (_, run) => run.noChange(), {}],
    [
      'done',
      (_, run) => run.done({ result: 7, data: { n: 1 }, priority: 3, mark: false }),
      { result: 7, data: { n: 1 }, priority: 3, mark: false },
    ],
  ])('given %s, completes it, and hands the task on if the next step is not its own', async (_, handler, recorded) => {
    const [report] = await reportsOf({ a: handler }, 1);
    expect(report).toEqual({ type: 'completeStep', step: 'a', then: 'offer', ...recorded });
  });

  it('given a failure, fails the task there, and no other step runs', async () => {
    const reports = await reportsOf({ a: (_, run) => run.fail('business', 'no'), b: () => failed.push('b') }, 1);
    expect(reports).toEqual([{ type: 'fail', error: { class: 'business', message: 'no' } }]);
    expect(failed).toEqual([]);
  });

  it('passes on to the next handler what the service and the step before recorded', async () => {
    work.service.on(SETTLE, accepted, goesOn('b', null), accepted);
    const seen: unknown[] = [];
    const when = new Date(0);
    const reports = await reportsOf(
      {
        a: async (_, run) => {
          await run.record({ kept: 1, dropped: 2 });
          return run.done({ data: { dropped: null, when: when as never }, priority: 9 });
        },
        b: ({ step, lastSuccessfulStep, data, priority }, run) => {
          seen.push({ step, lastSuccessfulStep, data, priority, at: run.step });
        },
      },
      3,
      { data: { old: true } },
    );
    expect(reports.map((each: any) => [each.type, each.then])).toEqual([
      ['record', undefined],
      ['completeStep', 'continue'],
      ['completeStep', 'offer'],
    ]);
    const data = { old: true, kept: 1, when: when.toJSON() };
    expect(seen).toEqual([{ step: 'b', lastSuccessfulStep: null, data, priority: 9, at: 'b' }]);
  });

  it('is that of the task after the last step', async () => {
    const [report] = await reportsOf({ c: (_, run) => run.noChange() }, 1, { step: 'c' });
    expect(report).toEqual({ type: 'succeed', noChange: true });
  });

  it('may be left to any worker: the handler of a plain worker returns done, too', async () => {
    worker = work.worker().handle('mail', (_, run) => run.done({ data: { n: 1 } }));
    work.offer(task());
    await worker.start();
    await until(() => work.verdicts.length === 1);
    expect(work.verdicts).toEqual([['t1', { type: 'completeStep', step: 'a', then: 'offer', data: { n: 1 } }]]);
  });
});

describe('a handler of a step that breaks the rules', () => {
  it.each<[string, StepHandlers, Partial<ClaimedTask>, string]>([
    ['completes a step by itself', { a: (_, run) => run.completeStep('a') }, {}, 'to return run.done()'],
    ['records what is not JSON', { a: (_, run) => run.done({ data: { n: 1n as never } }) }, {}, 'but: '],
  ])('%s, fails as a bug', async (_, handlers, more, message) => {
    const [report] = await reportsOf(handlers, 1, more);
    expect(report).toMatchObject({ type: 'fail', error: { class: 'bug', message: expect.stringContaining(message) } });
  });

  it('returns done for a task without steps, which is a bug', async () => {
    worker = work.worker({ logger: null }).handle('mail', (_, run) => run.done());
    work.offer(claimedTask('t1'));
    await worker.start();
    await until(() => work.verdicts.length === 1);
    expect(work.verdicts).toMatchObject([['t1', { type: 'fail', error: { class: 'bug' } }]]);
  });
});

describe('a step whose report is refused', () => {
  it('fails the task, and the next step does not begin', async () => {
    work.service.on(SETTLE, refused('DATA_TOO_LARGE', 413), accepted);
    const reports = await reportsOf({ a: () => 1, b: () => failed.push('b') }, 2);
    const message = "Expected to settle as 'completeStep', but DATA_TOO_LARGE: refused: DATA_TOO_LARGE";
    expect(reports).toEqual([
      expect.objectContaining({ type: 'completeStep' }),
      { type: 'fail', final: true, error: { class: 'business', message } },
    ]);
    expect(failed).toMatchObject([{ code: 'DATA_TOO_LARGE' }]);
  });

  it('because the lease is lost ends the attempt without a report', async () => {
    work.service.on(SETTLE, refused('LEASE_LOST'));
    let lost = 0;
    worker = work.worker().handle('mail', steps({ a: () => 1, b: () => failed.push('b') }));
    worker.on('lost', () => lost++);
    work.offer(task());
    await worker.start();
    await until(() => lost === 1);
    await worker.stop();
    expect([work.verdicts.length, failed]).toEqual([1, []]);
  });
});
