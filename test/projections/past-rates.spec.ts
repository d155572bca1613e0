import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_POLICY, type QueuePolicy, type Rate } from '../../src/domain/queue/queue.policy.js';
import type { Recorded } from '../../src/projections/kernel/event-log.port.js';
import {
  BeforeTheLog,
  type AsOf,
  type EventsAsked,
  type Moment,
  Past,
  type SomeEvents,
} from '../../src/projections/kernel/past.port.js';
import type { TaskThen } from '../../src/projections/kernel/tasks-then.port.js';
import { ratesThen } from '../../src/projections/task-why/past-rates.js';

const QUEUE = 'calls';
/** Of the database, in milliseconds. */
const BEGINNING = Date.parse('2026-11-28T08:00:00Z');

/** Events in the order of the log, each with its time. */
class Written extends Past {
  readonly events: Recorded[] = [];
  reads = 0;

  add(at: number, stream: string, type: string, data: object): void {
    const recordedAt = new Date(at).toISOString();
    const event = { type, version: 1, data: { queue: QUEUE, ...data } };
    const position = BigInt(this.events.length + 1);
    this.events.push({ position, stream, recordedAt, event } as unknown as Recorded);
  }

  policy(at: number, rate: Rate | null): void {
    this.add(at, QUEUE, 'QueuePolicyChanged', { policy: { ...DEFAULT_POLICY, rate } satisfies QueuePolicy });
  }

  start(at: number): void {
    this.add(at, `task-${this.events.length}`, 'TaskClaimed', { claimedAt: new Date(at).toISOString() });
  }

  async momentOf(asked: AsOf): Promise<Moment> {
    const at = (asked as { readonly at: Date }).at.toISOString();
    const before = this.events.filter(({ recordedAt }) => recordedAt <= at);
    if (before.length === 0) throw new BeforeTheLog('Expected events before, but there are none');
    return { position: before.at(-1)!.position, at, alternative: null, settled: true };
  }

  async eventsOf({ after, upTo, most, types }: EventsAsked): Promise<SomeEvents> {
    this.reads += 1;
    const found = this.events.filter(
      ({ position, event }) => position > after && position <= upTo && types!.includes(event.type),
    );
    return { events: found.slice(0, most), isWhole: found.length <= most, reached: upTo };
  }

  now = (): never => this.none();
  canBeginAt = (): never => this.none();
  historiesAt = (): never => this.none();
  beginningOf = (): never => this.none();

  private none(): never {
    throw new Error('Expected no such look at the past');
  }
}

const task = { row: { queue: QUEUE, labels: null } } as unknown as TaskThen;

async function then(past: Written, at: number) {
  const moment = {
    position: BigInt(past.events.length),
    at: new Date(at).toISOString(),
    alternative: null,
    settled: true,
  };
  const queue = past.events.filter(({ event }) => event.type === 'QueuePolicyChanged');
  return ratesThen(past, task, queue, moment);
}

const rates = fc.record({
  starts: fc.integer({ min: 1, max: 5 }),
  perMs: fc.integer({ min: 1_000, max: 10_000 }),
  burst: fc.integer({ min: 1, max: 5 }),
});

describe('rates as of a moment', () => {
  it('are as they were counted, or untold: whenever tasks started, and whatever was used up before', async () => {
    let [limited, free, untold] = [0, 0, 0];
    const tries = fc.array(fc.integer({ min: 0, max: 4_000 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        rates,
        tries,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.boolean(),
        async (rate, waits, used, isFirst) => {
          const past = new Written();
          if (!isFirst) past.policy(BEGINNING - 1_000, { ...rate, burst: rate.burst + 1 });
          past.policy(BEGINNING, rate);
          const time = Math.ceil((rate.perMs * 1_000) / rate.starts) / 1_000;
          let until = BEGINNING + (isFirst ? 0 : used * rate.burst * time);
          let at = BEGINNING;
          for (const wait of waits) {
            at += wait;
            if (Math.max(until, at) + time > at + rate.burst * time + 1e-6) continue;
            until = Math.max(until, at) + time;
            past.start(at);
          }
          const { paced, isUntold } = await then(past, at);
          const next = until - (rate.burst - 1) * time;
          if (isUntold) untold += 1;
          else if (next > at) limited += 1;
          else free += 1;
          if (isFirst) expect(isUntold).toBe(false);
          if (isUntold) return;
          expect(paced.length).toBe(next > at ? 1 : 0);
          // A time is a whole millisecond, and may be late by a hundredth of what the rate gives one start.
          for (const { until: told } of paced)
            expect(Math.abs(Date.parse(told) - next)).toBeLessThanOrEqual(1 + time / 100);
        },
      ),
      { numRuns: 300 },
    );
    expect(Math.min(limited, free, untold)).toBeGreaterThan(5);
  });

  it('are told from a few looks at what came after a quiet time, however long the log is', async () => {
    const past = new Written();
    const rate = { starts: 1, perMs: 1_000, burst: 4 };
    past.policy(BEGINNING, { ...rate, burst: 1 });
    past.policy(BEGINNING, rate);
    const day = 86_400_000;
    for (let n = 0; n < 6_000; n++) past.start(BEGINNING + n * 1_000);
    for (let n = 0; n < 12; n++) past.start(BEGINNING + day + Math.max(0, n - 3) * 1_000);
    const last = BEGINNING + day + 8_000;
    expect(await then(past, last + 100)).toEqual({
      paced: [{ until: new Date(last + 1_000).toISOString() }],
      isUntold: false,
    });
    expect(past.reads).toBeLessThanOrEqual(2);
    expect(await then(past, last + 1_000)).toEqual({ paced: [], isUntold: false });
  });

  it('are untold if the rate was used up for so long that too many starts would have to be read', async () => {
    const past = new Written();
    past.policy(BEGINNING, { starts: 1, perMs: 1_000, burst: 4 });
    for (let n = 0; n < 6_000; n++) past.start(BEGINNING + Math.max(0, n - 3) * 1_000);
    expect(await then(past, BEGINNING + 5_996_500)).toEqual({ paced: [], isUntold: true });
  });
});
