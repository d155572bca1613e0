import type { AppendItem, AppendResult, RecordedEvent } from '../../application/kernel/event-store.port.js';

/** How far a reader has come. */
export interface Place {
  after: bigint;
}

/** One commit: its events come after `head`, and nothing is between that and the first of them. */
interface Commit {
  readonly head: bigint;
  readonly events: readonly RecordedEvent[];
}

/** Some rounds of a follower under full load; one that is slower reads from the database. */
const MOST_EVENTS = 4_000;

/**
 * The newest commits of this process, kept until its own readers of the log have passed them: they need not read back from the
 * database what has just been written from here. What other processes wrote in between is not here, and is seen to be missing.
 */
export class LogTail {
  private readonly places = new Set<Place>();
  private commits: Commit[] = [];
  private count = 0;

  enter(place: Place): void {
    this.places.add(place);
  }

  leave(place: Place): void {
    this.places.delete(place);
    if (this.places.size === 0) this.drop(this.commits.length);
  }

  /** Receives every append after its commit. */
  add(items: readonly AppendItem[], results: readonly AppendResult[]): void {
    if (this.places.size === 0) return;
    const commit = commitOf(items, results);
    if (!commit) return;
    // Two commits may be in flight, and be answered the other way round.
    const after = this.commits.findLastIndex(({ head }) => head < commit.head);
    this.commits.splice(after + 1, 0, commit);
    this.count += commit.events.length;
    while (this.count > MOST_EVENTS) this.drop(1);
  }

  /** The next events of the log after the place, `limit` at most; none where the database must be asked for the next one. */
  next(place: Place, limit: number): readonly RecordedEvent[] {
    this.release();
    const events: RecordedEvent[] = [];
    let end = place.after;
    for (const commit of this.commits) {
      if (commit.head > end || events.length >= limit) break;
      for (const event of commit.events) if (event.position > end) events.push(event);
      end = events.at(-1)?.position ?? end;
    }
    return events.length > limit ? events.slice(0, limit) : events;
  }

  private release(): void {
    let slowest: bigint | null = null;
    for (const { after } of this.places) if (slowest === null || after < slowest) slowest = after;
    const open = this.commits.findIndex(({ events }) => events.at(-1)!.position > slowest!);
    this.drop(open < 0 ? this.commits.length : open);
  }

  private drop(commits: number): void {
    for (const { events } of this.commits.splice(0, commits)) this.count -= events.length;
  }
}

function commitOf(items: readonly AppendItem[], results: readonly AppendResult[]): Commit | null {
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
  return events.length > 0 ? { head: head!, events } : null;
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
