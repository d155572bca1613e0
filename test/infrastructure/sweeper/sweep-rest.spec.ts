import { beforeEach, expect, it, jest } from '@jest/globals';
import { Signal } from '../../../src/application/kernel/signal.js';
import { LONGEST_REST_MS, SHORTEST_REST_MS, SweepRest } from '../../../src/infrastructure/sweeper/sweep-rest.js';

const { signal } = new AbortController();
/** Nothing is due that soon. */
const LATER_MS = 5_000;

let changed: Signal;
let rests: number[];
let resting: SweepRest;
/** Whether something changes during each rest. */
let isBusy: boolean;

beforeEach(() => {
  changed = new Signal();
  rests = [];
  isBusy = true;
  resting = new SweepRest(changed, async (ms) => {
    rests.push(ms);
    if (isBusy) changed.emit();
  });
});

async function round(foundSomething = false, dueInMs = LATER_MS): Promise<void> {
  resting.begin();
  if (foundSomething) resting.found();
  await resting.rest(dueInMs, signal);
}

async function rounds(count: number): Promise<void> {
  while (count-- > 0) await round();
}

it('rests twice as long after each round that found nothing while something changed, up to a bound', async () => {
  await rounds(6);
  expect(rests).toEqual([50, 100, 200, 400, 400, 400]);
});

it('rests shortly again after a round that found something', async () => {
  await rounds(5);
  await round(true);
  await round();
  expect(rests.slice(-2)).toEqual([LONGEST_REST_MS, SHORTEST_REST_MS]);
});

it('rests four times as long as a round took, up to a bound, also if that found something', async () => {
  resting.worked(30);
  await round(true);
  resting.worked(1_000);
  await round(true);
  expect(rests).toEqual([120, LONGEST_REST_MS]);
});

it('ends the rest for what its last round knew to be due', async () => {
  await rounds(5);
  await round(false, 120);
  expect(rests.at(-1)).toBe(120);
});

it('never rests less than the shortest rest, even if something is due at once', async () => {
  await round(false, 0);
  expect(rests).toEqual([SHORTEST_REST_MS]);
});

it('rests shortly again after a rest in which nothing changed', async () => {
  await rounds(5);
  isBusy = false;
  await round(false, LONGEST_REST_MS);
  isBusy = true;
  await round();
  expect(rests.slice(-2)).toEqual([LONGEST_REST_MS, SHORTEST_REST_MS]);
});

it('is not ended by what a round changed that could deal with nothing', async () => {
  isBusy = false;
  const waited = jest.spyOn(changed, 'past');
  resting.begin();
  changed.emit();
  await resting.rest(resting.afterStuck(0), signal);
  expect(waited).toHaveBeenCalledWith(changed.count, signal, 0);
});
