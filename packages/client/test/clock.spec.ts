import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { systemClock } from '../src/clock.js';
import { createWaybill, HttpTransport, type Transport, type WorkerOptions } from '../src/index.js';
import { Watch } from '../src/watch.js';

/** One more than a timer of Node can wait. */
const TOO_LONG = 2 ** 31;
const DAYS_30 = 30 * 86_400_000;

describe('a time that is longer than any timer', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it.each([1, 1_000, TOO_LONG - 1, TOO_LONG, DAYS_30, 3 * TOO_LONG])('passes in full: %d ms', (ms) => {
    const action = jest.fn();
    systemClock.after(ms, action);
    jest.advanceTimersByTime(ms - 1);
    expect(action).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(action).toHaveBeenCalledTimes(1);
  });

  it('can be cancelled until it has passed', () => {
    const action = jest.fn();
    const cancel = systemClock.after(DAYS_30, action);
    jest.advanceTimersByTime(TOO_LONG);
    cancel();
    jest.advanceTimersByTime(DAYS_30);
    expect(action).not.toHaveBeenCalled();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is no silence of the service before', () => {
    const watch = new Watch(undefined, DAYS_30);
    jest.advanceTimersByTime(DAYS_30 - 1);
    expect(watch.signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(watch.signal.aborted).toBe(true);
  });
});

describe('the signal of a request', () => {
  const signalOf = async (answer: Response): Promise<AbortSignal> => {
    let signal!: AbortSignal;
    const fetch = async (_: unknown, request: RequestInit) => ((signal = request.signal!), answer);
    const transport = new HttpTransport({ url: 'http://waybill', fetch: fetch as typeof globalThis.fetch });
    await transport.call('listQueues', {}).catch(() => undefined);
    return signal;
  };

  it('does not abort what has arrived whole, which would take an error with its stack', async () => {
    expect((await signalOf(Response.json({ queues: [] }))).aborted).toBe(false);
  });

  it('aborts what no answer came of', async () => {
    expect((await signalOf(new Response('{', { headers: { 'content-type': 'application/json' } }))).aborted).toBe(true);
  });
});

describe('what is no time', () => {
  const calls: unknown[] = [];
  const transport: Transport = {
    call: async (...call) => (calls.push(call), { status: 200, headers: {}, body: {} }),
    open: async function* () {},
  };
  const waybill = createWaybill({ transport });

  it.each([NaN, Infinity, -1, '10' as never])('is refused with one sentence, and nothing is sent: %s', async (ms) => {
    const refused = (name: string): string | RegExp =>
      new RegExp(`^Expected ${name} to be a number of milliseconds, .*, but it is ${ms}$`);
    for (const name of ['graceMs', 'waitMs', 'leaseMs'] as (keyof WorkerOptions)[])
      expect(() => waybill.worker({ [name]: ms })).toThrow(refused(name));
    expect(() => waybill.worker().watch('disk', () => 1, { everyMs: ms })).toThrow(refused('everyMs'));
    expect(() => createWaybill({ transport, timeoutMs: ms })).toThrow(refused('timeoutMs'));
    for (const name of ['deadlineMs', 'baseMs', 'capMs'])
      expect(() => createWaybill({ transport, retry: { [name]: ms } })).toThrow(refused(`retry.${name}`));
    await expect(waybill.queue('mail').get({ timeoutMs: ms })).rejects.toThrow(refused('timeoutMs'));
    await expect(waybill.queue('mail').get({ retry: { capMs: ms } })).rejects.toThrow(refused('retry.capMs'));
    await expect(waybill.queue('mail').claim({ worker: 'w', waitMs: ms })).rejects.toThrow(refused('waitMs'));
    await expect(waybill.queue('mail').claim({ worker: 'w', leaseMs: ms })).rejects.toThrow(refused('leaseMs'));
    expect(calls).toEqual([]);
  });

  it('is refused if the service would refuse it for ever', () => {
    expect(() => waybill.worker({ waitMs: 60_001 })).toThrow('from 0 to 60000, but it is 60001');
    expect(() => waybill.worker({ leaseMs: TOO_LONG })).toThrow('from 1000 to 43200000, but it is 2147483648');
    expect(() => createWaybill({ transport, retry: { attempts: NaN } })).toThrow('Expected retry.attempts to be');
    expect(() => waybill.worker({ graceMs: DAYS_30, waitMs: 0, leaseMs: 1_000 })).not.toThrow();
  });
});
