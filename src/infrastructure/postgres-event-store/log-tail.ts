import { STEP_BYTES } from '../../domain/kernel/byte-budget.js';
import type { AppendItem, AppendResult, RecordedEvent } from '../../application/kernel/event-store.port.js';
import { firstOf, type LogSegment, segmentsAfter, segmentsOf, sizeOf } from '../../application/kernel/log-segment.js';
import type { FlushResult } from './append-results.js';

/** The position that a reader has reached. */
export interface ReaderPosition {
  after: bigint;
}

/** One commit. Its events follow `head` directly. */
interface Commit {
  readonly head: bigint;
  readonly segments: readonly LogSegment[];
  /** The position of its last event. */
  readonly position: bigint;
  readonly size: number;
  readonly bytes: number;
}

/** Enough for several rounds of a follower under full load. A slower follower reads from the database. */
const MOST_EVENTS = 4_000;
const MOST_BYTES = 4 * STEP_BYTES;

/**
 * Keeps the newest commits of this process until its own followers have read them, which saves reading back from the
 * database what was just written. Commits of other processes leave gaps, which readers detect.
 */
export class LogTail {
  private readonly places = new Set<ReaderPosition>();
  private commits: Commit[] = [];
  private count = 0;
  private bytes = 0;

  enter(place: ReaderPosition): void {
    this.places.add(place);
  }

  leave(place: ReaderPosition): void {
    this.places.delete(place);
    if (this.places.size === 0) this.drop(this.commits.length);
  }

  /** Receives every append after its commit. `bytes`: the size of its events. */
  add(items: readonly AppendItem[], results: readonly FlushResult[], bytes: number): void {
    if (this.places.size === 0) return;
    const commit = commitOf(items, results, bytes);
    if (!commit) return;
    // Two commits may be in flight, and their answers may arrive in reverse order.
    const after = this.commits.findLastIndex(({ head }) => head < commit.head);
    this.commits.splice(after + 1, 0, commit);
    this.count += commit.size;
    this.bytes += commit.bytes;
    while (this.count > MOST_EVENTS || this.bytes > MOST_BYTES) this.drop(1);
  }

  /**
   * The next events of the log after the place, at most `limit`. Empty if the next one must be read from the database.
   */
  next(place: ReaderPosition, limit: number): readonly LogSegment[] {
    this.release();
    const found: LogSegment[] = [];
    let end = place.after;
    for (const commit of this.commits) {
      if (commit.head > end || sizeOf(found) >= limit) break;
      if (commit.position <= end) continue;
      found.push(...segmentsAfter(commit.segments, end));
      end = commit.position;
    }
    return firstOf(found, limit);
  }

  private release(): void {
    let slowest: bigint | null = null;
    for (const { after } of this.places) if (slowest === null || after < slowest) slowest = after;
    const open = this.commits.findIndex(({ position }) => position > slowest!);
    this.drop(open < 0 ? this.commits.length : open);
  }

  private drop(commits: number): void {
    for (const { size, bytes } of this.commits.splice(0, commits)) {
      this.count -= size;
      this.bytes -= bytes;
    }
  }
}

function commitOf(items: readonly AppendItem[], results: readonly FlushResult[], bytes: number): Commit | null {
  let head: bigint | null = null;
  let before = 0;
  const events: RecordedEvent[] = [];
  for (let at = 0; at < items.length; at++) {
    const [item, result] = [items[at]!, results[at]!];
    before += item.events.length;
    if (result.kind !== 'appended') continue;
    head ??= result.position - BigInt(before);
    pushRecorded(events, item, result);
  }
  if (events.length === 0) return null;
  const segments = segmentsOf(events, bytes / before);
  return { head: head!, segments, position: events.at(-1)!.position, size: events.length, bytes };
}

function pushRecorded(
  events: RecordedEvent[],
  { stream, expected, events: appended }: AppendItem,
  { position, recordedAt }: Extract<AppendResult, { readonly kind: 'appended' }>,
): void {
  const before = position - BigInt(appended.length);
  appended.forEach(({ id, event, envelope }, at) => {
    const step = at + 1;
    events.push({
      position: before + BigInt(step),
      stream,
      revision: expected + step,
      id,
      recordedAt,
      event,
      envelope,
    });
  });
}
