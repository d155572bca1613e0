import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AppendItem, AppendResult } from '../../../src/application/kernel/event-store.port.js';
import { queueStream } from '../../../src/domain/queue/queue.stream.js';
import { enqueue, item, policyChanged, queueDefined } from '../../support/events.js';
import { EventStoreDbFixture, type FixtureOptions } from '../../support/eventstoredb/fixture.js';
import { type LogFixture, openLog, type LogFixtureOptions } from '../../support/eventstoredb/open-log.js';

let server: EventStoreDbFixture;
let fixture: LogFixture;

const open = async (options: FixtureOptions & LogFixtureOptions = {}): Promise<void> => {
  server = await EventStoreDbFixture.start({ scheme: 'kurrentdb', release: '25.1.4', ...options });
  fixture = await openLog({ ...options, on: server });
};
const append = (items: readonly AppendItem[]): Promise<AppendResult[]> => fixture.log.append(items);
const tasks = (count: number): AppendItem[] => Array.from({ length: count }, () => enqueue('q'));
const kindsOf = (results: readonly AppendResult[]): string[] => results.map(({ kind }) => kind);
const stored = (): string[] => server.log.ordinary.map(({ id }) => id);
const idsOf = (items: readonly AppendItem[]): string[] => items.flatMap(({ events }) => events.map(({ id }) => id));

afterEach(async () => {
  await fixture.close();
  await server.stop();
});

describe('appends to many streams, on a server that knows append sessions', () => {
  beforeEach(() => open());

  it('go together, in their order', async () => {
    const items = tasks(250);
    const results = await append(items);
    expect(new Set(kindsOf(results))).toEqual(new Set(['appended']));
    expect(stored()).toEqual(idsOf(items));
    expect(server.sessions).toBe(3);
  });

  it('go by the call for single appends if they come alone', async () => {
    await append(tasks(1));
    expect(server.sessions).toBe(0);
    expect(stored()).toHaveLength(1);
  });

  it('each have the position of their own last event', async () => {
    const [first, ...others] = tasks(5);
    const two = { ...first!, events: [...first!.events, ...enqueue('q').events] };
    const results = await append([two, ...others]);
    const events = await fixture.log.readStreams([two, ...others].map(({ stream }) => stream));
    expect(results.map((result) => 'position' in result && result.position)).toEqual(
      events.map((history) => history.at(-1)!.position),
    );
  });

  it('are read as those that were stored alone, by both clients', async () => {
    const envelope = { actor: 'ada', correlationId: 'c', causationId: 'e', reason: '7', policyVersion: 3 };
    const [one, other] = tasks(2);
    const two = {
      ...other!,
      events: [...other!.events, ...enqueue('q').events].map((event) => ({ ...event, envelope })),
    };
    await append([one!, two]);
    const old = await openLog({ on: server, url: server.url.replace('kurrentdb:', 'esdb:'), prefix: fixture.prefix });
    for (const log of [fixture.log, old.log]) {
      const [first, second] = await log.readStreams([one!.stream, two.stream]);
      expect(first![0]).toMatchObject({ id: one!.events[0]!.id, event: one!.events[0]!.event });
      expect(second!.map((event) => event.envelope)).toEqual([envelope, envelope]);
      expect(second!.map(({ more, event }) => [more, event.version])).toEqual([
        [true, 1],
        [undefined, 1],
      ]);
    }
    await old.close();
  });

  it('are stored by themselves if one of them is at another revision', async () => {
    const before = tasks(1)[0]!;
    await append([before]);
    const [first, last] = [tasks(2), tasks(2)];
    const results = await append([...first, item(before.stream, -1, [queueDefined('x')]), ...last]);
    expect(kindsOf(results)).toEqual(['appended', 'appended', 'conflict', 'appended', 'appended']);
    expect(results[2]).toMatchObject({ actual: 0 });
    expect(stored()).toEqual(expect.arrayContaining(idsOf([...first, ...last])));
    expect(stored()).toHaveLength(5);
  });

  it('each have an outcome of their own if some were stored before', async () => {
    const [known, moved, fresh] = [tasks(1)[0]!, tasks(1)[0]!, tasks(2)];
    await append([known, moved]);
    const results = await append([...fresh, known, item(moved.stream, -1, [queueDefined('x')])]);
    expect(kindsOf(results)).toEqual(['appended', 'appended', 'duplicate', 'conflict']);
    expect(stored()).toHaveLength(4);
  });

  it('go apart if they are to one stream, or to streams whose names differ by case only', async () => {
    const define = (name: string): AppendItem => item(queueStream(name), -1, [queueDefined(name)]);
    expect(kindsOf(await append([define('a'), define('A')]))).toEqual(['appended', 'appended']);
    expect(kindsOf(await append([define('b'), policyChanged('b', { maxAttempts: 7 } as never)]))).toEqual([
      'appended',
      'appended',
    ]);
  });
});

describe('appends to many streams that get no answer', () => {
  beforeEach(() => open({ attemptMs: 500 }));

  it('are found if the answer is lost, and are stored once', async () => {
    const items = tasks(5);
    server.faults.planAppend({ kind: 'drop' });
    expect(kindsOf(await append(items))).toEqual(items.map(() => 'appended'));
    expect(stored()).toEqual(idsOf(items));
  });

  it('are stored by themselves if they were lost, or refused with a time-out', async () => {
    for (const kind of ['lose', 'timeout'] as const) {
      const items = tasks(5);
      server.faults.planAppend({ kind });
      expect(kindsOf(await append(items))).toEqual(items.map(() => 'appended'));
      expect(stored().slice(-5).sort()).toEqual(idsOf(items).sort());
    }
  });
});

it('appends beyond what the server takes together are stored by themselves', async () => {
  await open({ sessionLimits: { record: 2_000, session: 2_000 } });
  const items = tasks(20);
  expect(kindsOf(await append(items))).toEqual(items.map(() => 'appended'));
  expect(stored().sort()).toEqual(idsOf(items).sort());
});

it('on a server without append sessions, appends to many streams are stored by themselves', async () => {
  await open({ release: '24.6.0' });
  const items = tasks(20);
  expect(kindsOf(await append(items))).toEqual(items.map(() => 'appended'));
  expect(stored().sort()).toEqual(idsOf(items).sort());
  expect(server.sessions).toBe(0);
});
