import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { NO_STREAM, type RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import type { DomainEvent } from '../../../src/domain/kernel/decider.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { TransactionLog } from '../../../src/infrastructure/eventstoredb/log/transaction-log.js';
import { transactionStream } from '../../../src/infrastructure/eventstoredb/log/transaction.events.js';
import type { Step } from '../../../src/infrastructure/eventstoredb/reservations/apply-request.js';
import { LogGaps, type MendedGaps } from '../../../src/infrastructure/eventstoredb/reservations/log-gaps.js';
import { type FollowedLog, LogInMemory, openFollowedLog } from '../../support/eventstoredb/followed-log.js';
import { ENVELOPE, enqueued } from '../../support/events.js';

const RANKED: DomainEvent = {
  type: 'TaskReprioritised',
  version: 1,
  data: { queue: 'mail', priority: 7, previous: 0 },
} as DomainEvent;

describe('what the index lacks of a log', () => {
  const transaction = uuidv7();
  let followed: FollowedLog;
  let one: string;
  let other: string;
  beforeAll(async () => {
    followed = await openFollowedLog();
  });
  afterAll(() => followed.close());
  beforeEach(() => {
    [one, other] = [taskStream(uuidv7()), taskStream(uuidv7())];
  });

  /** Appends of one event each to the streams, at the positions 1, 2 and so on: an enqueue, and then changes of its priority. */
  const logOf = (...streams: readonly string[]): RecordedEvent[] =>
    streams.map((stream, at) => {
      const revision = streams.slice(0, at).filter((earlier) => earlier === stream).length;
      const event = revision === 0 ? enqueued('mail') : RANKED;
      const [id, position] = [uuidv7(), BigInt(at + 1)];
      return { id, stream, revision, position, recordedAt: '2026-01-01T00:00:00.000Z', event, envelope: ENVELOPE };
    });

  /** The event at the position commits a transaction of those at the other positions. */
  function committedAt(position: number, events: readonly RecordedEvent[], ...parts: readonly number[]) {
    const items = parts.map((part) => {
      const { stream, revision, id, event, envelope } = events[part - 1]!;
      return { stream, expected: revision - 1, events: [{ id, event, envelope }] };
    });
    return events.map((stored, at): RecordedEvent => {
      const item = parts.indexOf(at + 1);
      if (item >= 0) return { ...stored, transaction: { id: transaction, item, of: parts.length } };
      if (at + 1 !== position) return stored;
      return { ...stored, event: { type: 'TransactionCommitted', version: 1, data: { items } } as DomainEvent };
    });
  }

  const gapsOf = (events: readonly RecordedEvent[]): LogGaps => {
    const log = new LogInMemory(events);
    return new LogGaps(followed.pool, log, new TransactionLog(log));
  };

  const stepAt = (events: readonly RecordedEvent[], ...positions: readonly number[]): Step => ({
    position: BigInt(positions.at(-1)!),
    appends: positions.map((position) => [events[position - 1]!]),
  });

  const positions = ({ steps }: MendedGaps): number[] => steps.map(({ position }) => Number(position));

  const counted = ({ gaps }: MendedGaps): readonly unknown[] =>
    gaps.map(({ kind, stream, first, last }) => [kind, stream, first, last]);

  it('is given in the order of the log', async () => {
    const found = await gapsOf(logOf(one, other, one, other)).upTo(4n, [one, other]);
    expect(positions(found)).toEqual([1, 2, 3, 4]);
    expect(counted(found)).toEqual([
      ['skipped', one, 0, 1],
      ['skipped', other, 0, 1],
    ]);
  });

  it('ends where its follower is, who gets the rest', async () => {
    const found = await gapsOf(logOf(one, one, one)).upTo(2n, [one]);
    expect(positions(found)).toEqual([1, 2]);
    expect(counted(found)).toEqual([['skipped', one, 0, 1]]);
  });

  describe('with a transaction whose end its follower has still to come to', () => {
    const log = (): readonly RecordedEvent[] =>
      committedAt(2, logOf(one, transactionStream(transaction), one, one, other), 3, 5);

    it('ends before it', async () => {
      const found = await gapsOf(log()).upTo(4n, [one]);
      expect(positions(found)).toEqual([1]);
      expect(counted(found)).toEqual([['skipped', one, 0, 0]]);
    });

    it('has its appends if something is to be applied that follows them, without counting them', async () => {
      const events = log();
      const found = (await gapsOf(events).before(stepAt(events, 4), 3n))!;
      expect(positions(found)).toEqual([1, 3, 4]);
      expect(counted(found)).toEqual([['skipped', one, 0, 0]]);
    });
  });

  it('has what comes before a transaction in its other streams', async () => {
    const events = committedAt(3, logOf(one, other, transactionStream(transaction), one, other), 4, 5);
    const found = await gapsOf(events).upTo(5n, [one]);
    expect(positions(found)).toEqual([1, 2, 5]);
    expect([...found.known]).toEqual([
      [one, NO_STREAM],
      [other, NO_STREAM],
    ]);
  });

  it('is nothing of the streams of a transaction that are where it expects them', async () => {
    const events = committedAt(2, logOf(one, transactionStream(transaction), one, other), 3, 4);
    const step = { ...stepAt(events, 3, 4), transaction: { id: transaction, whole: 4n } };
    const found = (await gapsOf(events).before(step, 2n))!;
    expect(positions(found)).toEqual([1, 4]);
    expect(counted(found)).toEqual([['skipped', one, 0, 0]]);
  });

  it.each([
    ['behind', 1n, [], [['doubled', 0, 0]]],
    ['before', 0n, [1], []],
  ])(
    'given a row that has the event, when it comes %s its follower, then the row is believed only behind it',
    async (...given) => {
      const [, passed, applied, gaps] = given;
      const events = logOf(one);
      await followed.follow(events, events);
      const found = (await gapsOf(events).before(stepAt(events, 1), passed))!;
      expect(positions(found)).toEqual(applied);
      expect(found.gaps.map(({ kind, first, last }) => [kind, first, last])).toEqual(gaps);
    },
  );
});
