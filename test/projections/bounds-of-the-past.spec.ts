import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { EventFilter, LogRange } from '../../src/application/kernel/event-store.port.js';
import { parseSearch } from '../../src/domain/search/parse-search.js';
import { LogPast } from '../../src/infrastructure/past/log-past.js';
import { type Moment, TooMuchToFold } from '../../src/projections/kernel/past.port.js';
import { PastGraph } from '../../src/projections/task-graph/past-graph.js';
import { PastWaiters } from '../../src/projections/task-graph/past-waiters.js';
import { DecidedTasks } from '../../src/projections/tasks/decided-tasks.js';

const START: Moment = { position: 0n, at: '2026-11-23T03:12:00.000Z', alternative: null, settled: true };
const SUBJECT = '00000000-0000-7000-8000-000000000000';

let now: number;
let asked: EventFilter | null;
beforeEach(() => {
  [now, asked] = [0, null];
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** A log of so many events, each of another task. Reading a slice of them takes `ms` by the clock. */
function pastOf(count: number, ms: number): LogPast {
  const eventAt = (position: number) => ({
    position: BigInt(position),
    stream: `task-${position}`,
    event: { type: 'TaskPrerequisitesChanged', version: 1, data: { waived: [SUBJECT] } },
  });
  const scan = ({ after, upTo }: LogRange, limit: number, filter: EventFilter) => {
    [now, asked] = [now + ms, filter];
    const length = Math.min(limit, Number(upTo - after));
    const events = Array.from({ length }, (_, at) => eventAt(Number(after) + at + 1));
    return Promise.resolve({ events, reached: after + BigInt(length) });
  };
  const log = { scan, head: () => Promise.resolve(BigInt(count)) };
  return new LogPast(log as never, {} as never, {} as never, { now: () => new Date(START.at) } as never);
}

describe('a graph as of a moment', () => {
  const node = {
    queue: 'mail',
    batch: null,
    kind: 'mail',
    reference: null,
    description: null,
    step: null,
    begun: false,
  };

  /** How many tasks it finds that had waited for one until its prerequisites were changed, and whether it says that some may lack. */
  async function around(changes: number, ms: number) {
    const past = pastOf(changes, ms);
    const waiters = new PastWaiters({ query: () => Promise.resolve([]) } as never, past);
    const after = [{ task: SUBJECT }];
    const tasks = {
      at: (ids: readonly string[]) => Promise.resolve(ids.map(() => ({ ...node, state: 'pending', after }))),
    };
    const { waivedSince } = await waiters.waivedSince(START);
    const { truncated } = await new PastGraph(past, tasks as never, waiters).around(SUBJECT, 0, START);
    return { looked: waivedSince.get(SUBJECT)!.length, truncated };
  }

  it.each([
    ['up to 10,000', 10_000, 0, { looked: 10_000, truncated: false }],
    ['no more than 10,000', 10_001, 0, { looked: 10_000, truncated: true }],
    ['within 2 s', 1_500, 1_000, { looked: 1_500, truncated: false }],
    ['no longer than 2 s', 1_500, 1_001, { looked: 1_000, truncated: true }],
  ])('looks through later changes: %s', async (_, changes, ms, expected) => {
    expect(await around(changes, ms)).toEqual(expected);
    expect(asked).toMatchObject({ types: ['TaskPrerequisitesChanged'] });
  });
});

describe('tasks by the version of the policy that decided about them', () => {
  const decided = (events: number, ms: number) => new DecidedTasks(pastOf(events, ms)).of({ policyVersion: 7 });

  it.each([
    ['50,000 events', 50_000, 0],
    ['10 seconds', 1_000, 10_000],
  ])('are found in %s', async (_, events, ms) => {
    expect(await decided(events, ms)).toHaveLength(events);
    expect(asked).toMatchObject({ policyVersion: 7 });
  });

  it.each([
    ['more than 50,000 events', 50_001, 0],
    ['more than 10 seconds', 1_001, 10_001],
  ])('are refused in %s, with a shorter range', async (_, events, ms) => {
    const refused = await decided(events, ms).catch((error: unknown) => error as Error);
    expect(refused).toBeInstanceOf(TooMuchToFold);
    expect((refused as Error).message).toMatch(
      /50000 events that the version decided, within 10 seconds.*shorter range/,
    );
  });
});

describe('tasks by a term of a search that the log answers', () => {
  const found = (text: string, events: number, ms: number) =>
    new DecidedTasks(pastOf(events, ms)).of({}, parseSearch(text));

  it.each([
    ['10,000 events', 'actor:ann', 10_000, 0, { actor: 'ann' }],
    ['0.15 seconds', 'actor:ann', 1_000, 150, { actor: 'ann' }],
    ['the events of one queue', 'actor:ann queue:mail', 1_000, 0, { actor: 'ann', queue: 'mail' }],
    ['0.15 seconds', 'build:b1', 1_000, 150, { build: 'b1', types: ['TaskClaimed'] }],
  ])('are found in %s: %s', async (_, text, events, ms, filter) => {
    expect(await found(text, events, ms)).toHaveLength(events);
    expect(asked).toMatchObject(filter);
  });

  it.each([
    ['more than 10,000 events', 'actor:ann', 10_001, 0],
    ['more than 0.15 seconds', 'build:b1', 1_001, 151],
  ])('are refused in %s: %s', async (_, text, events, ms) => {
    const refused = await found(text, events, ms).catch((error: unknown) => error as Error);
    expect(refused).toBeInstanceOf(TooMuchToFold);
    expect((refused as Error).message).toMatch(
      /10000 events of the actor or the build, within 0.15 seconds.*with since:, or for one queue/,
    );
  });
});

describe('tasks that were enqueued in a range', () => {
  const enqueued = (events: number, ms: number, isWalked: boolean) => {
    const past = Object.assign(pastOf(events, ms), { momentOf: () => Promise.resolve(START) });
    return new DecidedTasks(past).enqueued(parseSearch('since:1h'), 'mail', isWalked);
  };

  it.each([
    ['10,000 tasks', 10_000, 0, false],
    ['0.15 seconds', 1_000, 150, false],
    ['0.1 seconds beside a list', 1_000, 100, true],
  ])('are found in %s', async (_, events, ms, isWalked) => {
    expect(await enqueued(events, ms, isWalked)).toHaveLength(events);
    expect(asked).toMatchObject({ queue: 'mail' });
  });

  it.each([
    ['more than 10,000 tasks', 10_001, 0, false],
    ['more than 0.15 seconds', 1_001, 151, false],
    ['more than 0.1 seconds beside a list', 1_001, 101, true],
  ])('are not listed in %s', async (_, events, ms, isWalked) => {
    expect(await enqueued(events, ms, isWalked)).toBeNull();
  });
});
