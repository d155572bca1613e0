import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import { LogPast } from '../../../src/infrastructure/past/log-past.js';
import { PostgresTimeMarks } from '../../../src/infrastructure/past/postgres-time-marks.js';
import { ScannedLogTimes } from '../../../src/infrastructure/past/scanned-log-times.js';
import { outsideTransactions } from '../../../src/infrastructure/past/outside-transactions.js';
import type { Moment } from '../../../src/projections/kernel/past.port.js';
import { openStore, type StoreFixture } from '../../support/eventstoredb/open-store.js';
import { defineQueue, enqueue } from '../../support/events.js';

describe('H-09 as of a time, with the events in EventStoreDB', () => {
  let fixture: StoreFixture;
  let past: LogPast;
  beforeEach(async () => {
    fixture = await openStore();
    const { log, store, pool, clock } = fixture;
    past = new LogPast(store, new ScannedLogTimes(log), new PostgresTimeMarks(pool), clock);
    await store.append([defineQueue('mail')]);
  });
  afterEach(() => fixture.close());

  const at = (time: number): Promise<Moment> => past.momentOf({ at: new Date(time) });
  const timeOf = ({ recordedAt }: RecordedEvent): number => Date.parse(recordedAt);

  /** Another writer's event of a later time, between the appends of a transaction. Returns the streams of the transaction. */
  async function disturbed(whileOpen: (streams: readonly string[]) => Promise<void>): Promise<readonly string[]> {
    const { server, store } = fixture;
    const items = [enqueue('mail'), enqueue('mail')];
    const streams = items.map(({ stream }) => stream);
    let release!: () => void;
    let reached!: () => void;
    const [held, until] = [
      new Promise<void>((resolve) => (reached = resolve)),
      new Promise<void>((resolve) => (release = resolve)),
    ];
    server!.faults.planAppend({ kind: 'hold', until }, (name) => name.endsWith(items[1]!.stream) && (reached(), true));
    const transaction = store.append(items, { atomic: true });
    await held;
    const [first] = await store.readStreams([streams[0]!]);
    for (let later = 0; later <= timeOf(first![0]!);) {
      const other = enqueue('mail');
      await store.append([other]);
      later = timeOf((await store.readStreams([other.stream]))[0]![0]!);
    }
    await whileOpen(streams);
    release();
    expect((await transaction).map(({ kind }) => kind)).toEqual(['appended', 'appended']);
    return streams;
  }

  it('a transaction is there whole or not at all, with another writer between its appends', async () => {
    const streams = await disturbed(async ([first]) => {
      const [history] = await fixture.store.readStreams([first!]);
      const now = await past.momentOf({ ago: 0 });
      expect(now.position).toBeLessThan(history![0]!.position);
    });
    const parts = (await fixture.store.readStreams(streams)).map(([part]) => part!);
    const events = await fixture.store.readAll(0n, 100);
    expect(events.filter(({ position }) => position > parts[0]!.position && position < parts[1]!.position)).not.toEqual(
      [],
    );
    let last = 0n;
    for (const time of [...new Set(events.map(timeOf))].sort((one, other) => one - other)) {
      const { position, alternative } = await at(time);
      const shown = parts.filter((part) => part.position <= position);
      expect([time, shown.length]).toEqual([time, shown.length === 0 ? 0 : 2]);
      if (time === timeOf(parts[0]!)) expect([shown, alternative]).toEqual([[], parts[1]!.position]);
      expect(position).toBeGreaterThanOrEqual(last);
      last = position;
    }
    expect(last).toBe(events.at(-1)!.position);
  });
});

describe('outside of transactions', () => {
  const part = (position: bigint, id: string, item: number, of = 2) => ({ position, transaction: { id, item, of } });
  const other = (position: bigint) => ({ position });

  it.each([
    ['nothing but whole ones', [other(3n), part(4n, 'a', 0), part(5n, 'a', 1)], 5n],
    ['one whose end is not there', [other(3n), part(4n, 'a', 0), other(5n)], 3n],
    ['one within another', [other(3n), part(4n, 'a', 0), part(5n, 'b', 0), part(6n, 'a', 1)], 3n],
    ['one that begins the events', [part(4n, 'a', 0), other(5n)], 2n],
    ['none', [], 2n],
  ])('with %s', (_, events, expected) => {
    expect(outsideTransactions(events, 2n)).toBe(expected);
  });
});
