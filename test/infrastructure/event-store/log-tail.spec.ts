import type { AppendItem, AppendResult } from '../../../src/application/kernel/event-store.port.js';
import { eventsOf, type LogSegment, sizeOf } from '../../../src/application/kernel/log-segment.js';
import { LogTail, type ReaderPosition } from '../../../src/infrastructure/postgres-event-store/log-tail.js';
import { enqueue } from '../../support/events.js';

const REFUSED: AppendResult = { kind: 'refused', constraint: 'lease' };

describe('the log tail', () => {
  let tail: LogTail;
  let place: ReaderPosition;

  beforeEach(() => {
    tail = new LogTail();
    place = { after: 10n };
    tail.enter(place);
  });

  let bytes = 100;
  afterEach(() => void (bytes = 100));

  /** A commit after `head` with one item per result, which says whether it was stored. */
  function commit(head: bigint, ...stored: readonly boolean[]): void {
    const items: AppendItem[] = stored.map(() => enqueue('q'));
    const results = stored.map((is, at): AppendResult =>
      is ? { kind: 'appended', position: head + BigInt(at + 1), revision: 0, recordedAt: 'now' } : REFUSED,
    );
    tail.add(items, results, bytes);
  }

  const positions = (segments: readonly LogSegment[]): number[] =>
    eventsOf(segments).map(({ position }) => Number(position));
  const next = (limit = 100): number[] => positions(tail.next(place, limit));

  it('returns the events after a position', () => {
    commit(10n, true, true);
    commit(12n, true);
    expect(next()).toEqual([11, 12, 13]);
  });

  it('returns as many events as requested, then the rest', () => {
    commit(10n, true, true, true);
    expect(next(2)).toEqual([11, 12]);
    place.after = 12n;
    expect(next(2)).toEqual([13]);
  });

  it('keeps the newest 16 MiB', () => {
    bytes = 6 * 1024 * 1024;
    for (const head of [10n, 11n, 12n]) commit(head, true);
    expect(next()).toEqual([]);
    place.after = 11n;
    expect(next()).toEqual([12, 13]);
  });

  it('returns nothing if it does not have the next event', () => {
    commit(12n, true);
    expect(next()).toEqual([]);
  });

  it('stops at a gap that another process wrote', () => {
    commit(10n, true);
    commit(14n, true);
    expect(next()).toEqual([11]);
  });

  it('has no gap where items were refused', () => {
    commit(10n, false, true, false, true, false);
    commit(14n, true);
    expect(next()).toEqual([12, 14, 15]);
  });

  it('orders commits that were answered in reverse order', () => {
    commit(12n, true);
    commit(10n, true, true);
    expect(next()).toEqual([11, 12, 13]);
  });

  it('keeps nothing of a commit that stored nothing', () => {
    commit(10n, false);
    commit(10n, true);
    expect(next()).toEqual([11]);
  });

  it('keeps what the slowest reader has not read, and drops the rest', () => {
    const slow = { after: 10n };
    tail.enter(slow);
    commit(10n, true);
    place.after = 11n;
    expect(next()).toEqual([]);
    expect(positions(tail.next(slow, 100))).toEqual([11]);
    tail.leave(slow);
    expect(next()).toEqual([]);
    expect(positions(tail.next({ after: 10n }, 100))).toEqual([]);
  });

  it('stays bounded if a reader does not move', () => {
    const batch = Array.from({ length: 1_000 }, () => true);
    for (let head = 10; head < 10_010; head += 1_000) commit(BigInt(head), ...batch);
    expect(next(10_000)).toEqual([]);
    expect(sizeOf(tail.next({ after: 6_010n }, 10_000))).toBe(4_000);
  });

  it('keeps nothing without a reader', () => {
    tail.leave(place);
    commit(10n, true);
    tail.enter(place);
    expect(next()).toEqual([]);
  });
});
