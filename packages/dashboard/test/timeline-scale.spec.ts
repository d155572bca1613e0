import { describe, expect, it } from '@jest/globals';
import type { Span } from '../src/tasks/spans.js';
import { placed, roundTicks, ticksOf } from '../src/tasks/timeline-scale.js';

const span = (kind: Span['kind'], fromMs: number, toMs: number): Span => ({ kind, fromMs, toMs });

describe('the timeline of a task', () => {
  it('draws 16 ms and 143 ms as nine times different', () => {
    const [short, long] = placed([span('running', 0, 16), span('running', 16, 159)], 159);
    expect(long!.width / short!.width).toBeCloseTo(143 / 16);
  });

  it('folds a wait that is longer than a tenth of the whole', () => {
    const night = 8 * 3_600_000;
    const [wait, run] = placed([span('waiting', 0, night), span('running', night, night + 1_000)], night + 1_000);
    expect([wait!.isFolded, wait!.ms, run!.isFolded]).toEqual([true, night, false]);
    expect(run!.width).toBeGreaterThan(0.9);
  });

  it('fills the line', () => {
    const places = placed(
      [
        span('waiting', 0, 5_000),
        span('running', 5_000, 5_100),
        span('waiting', 5_100, 5_105),
        span('running', 5_105, 5_300),
      ],
      5_300,
    );
    const last = places.at(-1)!;
    expect(last.x + last.width).toBeCloseTo(1);
  });

  it('marks round times of what is drawn to scale, none within a folded wait', () => {
    const places = placed([span('waiting', 0, 5_000), span('running', 5_000, 5_100)], 5_100);
    const ticks = ticksOf(places);
    expect(ticks.map(({ ms }) => ms)).toEqual([0, 20, 40, 60, 80, 100]);
    expect(Math.min(...ticks.map(({ x }) => x))).toBeCloseTo(places[1]!.x);
  });

  it('marks times in which people count', () => {
    expect(roundTicks(345_000)).toEqual([0, 120_000, 240_000]);
    expect(roundTicks(3_000_000).map((ms) => ms / 60_000)).toEqual([0, 10, 20, 30, 40, 50]);
    expect(roundTicks(5 * 86_400_000).map((ms) => ms / 86_400_000)).toEqual([0, 1, 2, 3, 4, 5]);
  });
});
