import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Moment, TooMuchToFold } from '../../src/projections/kernel/past.port.js';
import { SumWaits, SumWaitsHandler } from '../../src/projections/task-why/wait/sum-waits.query.js';
import { type RunningService, startService } from '../support/running-service.js';

const NIGHT: Moment = { position: 9n, at: '2026-11-23T06:00:00.000Z', alternative: null, settled: true };
const EVENING: Moment = { ...NIGHT, position: 1n, at: '2026-11-22T20:00:00.000Z' };
const WAIT = { task: {}, spans: [], pieces: [] };

/** Sums the waits of so many tasks, each of which takes `ms` by the clock. Nothing of them is read. */
function sumsOf(tasks: number, ms: number): Promise<unknown> {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const ids = Array.from({ length: tasks }, (_, at) => ({ id: `t${at}` }));
  const past = {
    historiesAt: (streams: readonly string[]) => Promise.resolve(streams.map(() => [{}])),
  };
  const waits = { upTo: () => past, of: () => Promise.resolve(((now += ms), WAIT)) };
  const activity = {
    of: (_: string, __: object, range: object) => ({ ...range, running: [], steps: [], absences: [] }),
  };
  const db = { query: () => Promise.resolve(ids) };
  const handler = new SumWaitsHandler(db as never, past as never, waits as never, activity as never);
  return handler.execute(new SumWaits('mail', { since: EVENING, until: NIGHT }));
}

describe('the waits of a queue', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each([
    ['10,000 tasks', 10_000, 1],
    ['10 seconds', 100, 100],
  ])('are summed of %s', async (_, tasks, ms) => {
    expect(await sumsOf(tasks, ms)).toMatchObject({ queue: 'mail', tasks: 0, unreadable: 0 });
  });

  it.each([
    ['more tasks than 10,000', 10_001, 0, '10000 tasks that'],
    ['what takes longer than 10 seconds', 101, 100, 'tasks within 10 seconds'],
  ])('are refused of %s, with a shorter range', async (_, tasks, ms, what) => {
    const refused = await sumsOf(tasks, ms).catch((error: unknown) => error as Error);
    expect(refused).toBeInstanceOf(TooMuchToFold);
    const { message } = refused as Error;
    expect(message).toContain(what);
    expect(message).toContain('ask for a shorter range, such as from 2026-11-23T01:00:00.000Z');
  });
});

describe('the waits of a queue with 10,001 tasks', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('are refused as READ_TOO_LONG', async () => {
    const queue = service.waybill.queue('mail');
    await queue.define();
    for (let at = 0; at < 10; at++) await queue.enqueueMany(Array.from({ length: 1_000 }, () => ({ payload: null })));
    await queue.enqueue('last');
    const answer = await fetch(`${service.url}/v1/queues/mail/waits?from=1h`);
    const { code, detail } = (await answer.json()) as { code: string; detail: string };
    expect([code, answer.status]).toEqual(['READ_TOO_LONG', 503]);
    expect(detail).toMatch(/at most 10000 tasks that may have waited in the range.*shorter range, such as from/);
  });
});
