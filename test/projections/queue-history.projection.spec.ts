import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TaskEvent } from '../../src/domain/task/task.events.js';
import { rangeOf } from '../../src/projections/queue-history/bucket.js';
import { binOf, BINS, quantile } from '../../src/projections/queue-history/histogram.js';
import { binsOf, queueHistory } from '../../src/projections/queue-history/queue-history.projection.js';
import { ruleFor } from '../../src/projections/kernel/projection.js';
import { foldCounts } from './model-fold.js';
import { attempts, historyOf } from './random-history.js';

const sum = (values: Iterable<number>): number => [...values].reduce((all, value) => all + value, 0);
const binned = (values: readonly number[]): readonly number[] =>
  Array.from({ length: BINS }, (_, bin) => values.filter((value) => binOf(value) === bin).length);

describe('the history of a queue', () => {
  it('adds up to what happened: the same by minutes, by hours and in the states that the deciders came to', () => {
    fc.assert(
      fc.property(attempts(), (attempted) => {
        const { events, states } = historyOf(attempted);
        const rows = [...foldCounts(queueHistory, events, queueHistory.tables).values()];
        for (const queue of ['mail', 'scan']) {
          const mine = rows.filter((row) => row.queue === queue) as unknown as Record<string, number>[];
          const twice = (name: string): number => sum(mine.map((row) => row[name]!)) / 2;
          const pending = states.filter((state) => state.status === 'pending' && state.task.submission.queue === queue);
          expect(twice('backlog')).toBe(pending.length);
          const happened = events.map(({ event }) => event as TaskEvent).filter(({ data }) => data.queue === queue);
          const waited = happened.flatMap((event) => (event.type === 'TaskClaimed' ? [event.data.waitedMs] : []));
          expect(binsOf('waited').map(twice)).toEqual(binned(waited));
          expect(twice('waited_total_ms')).toBe(sum(waited));
          expect(twice('claimed')).toBe(waited.length);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('is written to the minute and to the hour of an event', () => {
    const data = { queue: 'mail', attempt: 1, token: '1', worker: 'w', ranMs: 700 };
    const event = { type: 'TaskSucceeded', version: 1, data } as TaskEvent;
    const changes = ruleFor(queueHistory, event)!({
      event,
      recordedAt: '2026-11-24T20:09:41.123Z',
      stream: 's',
      position: 1n,
    });
    expect(changes.map(({ table, key }) => [table.name, key.at])).toEqual([
      ['queue_minutes', '2026-11-24T20:09Z'],
      ['queue_hours', '2026-11-24T20:00Z'],
    ]);
    const counted = { succeeded: 1, ran_10: 1, ran_total_ms: 700 };
    expect(changes).toMatchObject([{ add: counted, greatest: { ran_max_ms: 700 } }, { add: counted }]);
  });
});

describe('a histogram', () => {
  it.each([
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 3],
    [1023, 10],
    [1024, 11],
    [2 ** 30 - 1, 30],
    [2 ** 30, 31],
    [2 ** 40, 31],
  ])('counts %d ms in bin %d', (ms, bin) => expect(binOf(ms)).toBe(bin));

  it('estimates a quantile within the bin that contains it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 2 ** 30 - 1 }), { minLength: 1, maxLength: 50 }),
        fc.constantFrom(0.5, 0.95),
        (values, share) => {
          const exact = values.sort((a, b) => a - b)[Math.ceil(share * values.length) - 1]!;
          const estimated = quantile(share, binned(values), values.at(-1)!)!;
          expect(estimated).toBeGreaterThanOrEqual(Math.floor(exact / 2));
          expect(estimated).toBeLessThanOrEqual(Math.max(1, exact * 2));
        },
      ),
    );
  });

  it('has no quantile without a value', () => expect(quantile(0.5, binned([]), 0)).toBeNull());
});

describe('a range', () => {
  const now = new Date('2026-11-24T20:09:41Z');
  const ago = (hours: number): Date => new Date(now.getTime() - hours * 3_600_000);

  it.each([
    [1, '1m'],
    [6, '5m'],
    [24, '15m'],
    [167, '1h'],
    [30 * 24, '6h'],
    [365 * 24, '1d'],
  ])('of %d hours has the finest buckets that make a chart', (hours, bucket) => {
    expect(rangeOf(ago(hours), now, null, now).bucket).toBe(bucket);
  });

  it('is made of whole buckets', () => {
    expect(rangeOf(ago(2), now, '1h', now)).toEqual({
      bucket: '1h',
      from: new Date('2026-11-24T18:00:00Z'),
      to: new Date('2026-11-24T21:00:00Z'),
    });
  });

  it.each([
    ['an end before its begin', ago(1), ago(2), null, "Expected an end after the begin .*: swap 'from' and 'to'"],
    ['an end at its begin', ago(1), ago(1), null, 'Expected an end after the begin'],
    ['too many buckets', ago(48), now, '1m', "but there are 2881 of them: ask for '5m', or for a shorter interval"],
    ['minutes that are gone', ago(169), ago(168.5), '1m', "are kept for 7 days: ask for '1h'"],
    ['too many days', ago(24 * 2000), now, null, 'ask for a shorter interval'],
  ] as const)('with %s is refused', (_, from, to, bucket, said) => {
    expect(() => rangeOf(from, to, bucket, now)).toThrow(new RegExp(said));
  });
});
