import { eventsOf } from './clients/readings.js';
import type { ReadPosition, ResolvedEvent, StoreClient } from './clients/store-client.port.js';
import { keptEvents, keptText } from './kept-islands.js';
import type { RecognisedLog } from './recognised-log.js';
import { searchForwards, searchOnwards } from './searches.js';
import type { Semaphore } from './semaphore.js';
import { type Stretch, Stretches, WORTH_BYTES } from './stretches.js';
import { isNoPosition } from './store-errors.js';

/**
 * How many islands are read at once. A server of two cores that was idle before stands still for one to seven seconds if it
 * gets four reads at once, because it starts its threads one by one; with two it does not.
 */
const AHEAD = 2;

export interface OwnEventsParts {
  readonly client: StoreClient;
  readonly prefixes: readonly string[];
  readonly silenceMs: number;
  /** Limits the calls besides the one that the reader of these events may have. */
  readonly islandReads: Semaphore;
  readonly recognised: RecognisedLog;
  /** From where on the client reads to get all our events after the position. */
  startAfter(position: bigint): ReadPosition;
}

/** A part of the log that begins with an event of ours, after a stretch. */
class Island {
  constructor(
    readonly stretch: Stretch,
    /** The position up to which one call reads it. */
    readonly upTo: bigint,
  ) {}

  /** Its events, if Postgres has all of them. */
  kept(): ResolvedEvent[] | null {
    const events = this.stretch.island === undefined ? [] : keptEvents(this.stretch.island);
    return this.beginsWith(events[0]) && events.at(-1)!.commitPosition! >= this.upTo ? events : null;
  }

  beginsWith(first: ResolvedEvent | undefined): boolean {
    return first?.event?.id === this.stretch.id && first.commitPosition === this.stretch.upTo;
  }
}

/**
 * Our events after a position. Leaves out known stretches, so that the server looks only through the islands between
 * them, and only if Postgres has not kept these; learns new ones. As in `searchForwards`, elements without an event tell
 * how far the server has looked.
 */
export class OwnEvents implements AsyncIterable<ResolvedEvent> {
  /** Stretches, or islands after them, that were not known before. */
  readonly learned: Stretch[] = [];
  /** A stretch after which the log has something else than it had. Neither it nor those after it were left out. */
  wrong: Stretch | null = null;
  private readonly islands: readonly Island[];
  private readonly begun = new Map<Island, Promise<ResolvedEvent[]>>();
  private readonly found: Stretches;
  private ahead = 1;
  private sameLog: Promise<boolean> | null = null;

  constructor(
    private readonly parts: OwnEventsParts,
    /** The events up to this position are behind. */
    private at: bigint,
    known: readonly Stretch[],
  ) {
    this.found = new Stretches(at);
    this.islands = known.map((stretch, nth) => {
      const end = known[nth + 1]?.after ?? stretch.upTo;
      return new Island(stretch, Number(end - stretch.upTo) < WORTH_BYTES ? end : stretch.upTo);
    });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ResolvedEvent> {
    for (const [nth, { stretch }] of this.islands.entries()) {
      if (this.at < stretch.after) yield* this.search(stretch.after);
      if (this.at < stretch.after) return; // the log ends
      if (this.at >= stretch.upTo) continue;
      const island = await this.read(nth);
      if (!island) break;
      for (const resolved of island) yield this.passed(resolved, resolved === island[0]);
    }
    yield* this.search(null);
  }

  /** Up to the end of the log, or to the position. */
  private async *search(upTo: bigint | null): AsyncGenerator<ResolvedEvent> {
    const { client, prefixes, silenceMs } = this.parts;
    const search = { prefixes, silenceMs, fromPosition: this.parts.startAfter(this.at) };
    for await (const resolved of searchForwards(client, search)) {
      yield this.passed(resolved);
      if (upTo !== null && this.at >= upTo) return;
    }
  }

  private passed(resolved: ResolvedEvent, isKnown = false): ResolvedEvent {
    const { event } = resolved;
    const position = resolved.commitPosition!;
    if (position > this.at) this.at = position;
    const stretch = event && this.found.before({ position, id: event.id, data: event.data });
    if (stretch && !isKnown) this.learned.push({ ...stretch, ...islandOf([resolved]) });
    return resolved;
  }

  /** The events of an island; null if it does not begin with the event that was there. */
  private async read(nth: number): Promise<ResolvedEvent[] | null> {
    const island = this.islands[nth]!;
    const kept = island.kept();
    if (kept && (await this.isSameLog())) return kept;
    for (const next of this.islands.slice(nth, nth + this.ahead)) void this.begin(next);
    this.ahead = Math.min(2 * this.ahead, AHEAD);
    const events = await unlessNoPosition(this.begin(island));
    this.begun.delete(island);
    if (island.beginsWith(events[0])) return this.keep(island, events);
    this.wrong = island.stretch;
    return null;
  }

  private keep({ stretch }: Island, events: ResolvedEvent[]): ResolvedEvent[] {
    const learned = islandOf(events);
    if (learned && learned.island !== stretch.island) this.learned.push({ ...stretch, ...learned });
    return events;
  }

  /**
   * Whether the log has the last event that Postgres has kept for this search. Then it has all those before it, too,
   * because records never change.
   */
  private isSameLog(): Promise<boolean> {
    const last = this.islands.findLast(({ stretch }) => stretch.island !== undefined)!;
    return (this.sameLog ??= this.has(last));
  }

  private async has(island: Island): Promise<boolean> {
    const { recognised } = this.parts;
    const { upTo } = island.stretch;
    if (recognised.includes(upTo)) return true;
    const isSame = island.beginsWith(await this.firstOf(island));
    if (isSame) recognised.upTo(upTo);
    return isSame;
  }

  private async firstOf({ stretch }: Island): Promise<ResolvedEvent | undefined> {
    const [first] = await unlessNoPosition(
      this.parts.islandReads.pass(() => this.eventsIn(new Island(stretch, stretch.upTo))),
    );
    return first;
  }

  private begin(island: Island): Promise<ResolvedEvent[]> {
    const begun = this.begun.get(island) ?? this.parts.islandReads.pass(() => this.eventsIn(island));
    this.begun.set(island, begun);
    begun.catch(() => undefined); // whoever leaves early does not await it
    return begun;
  }

  private async eventsIn({ stretch, upTo }: Island): Promise<ResolvedEvent[]> {
    const { client, prefixes, silenceMs } = this.parts;
    const fromPosition = { commit: stretch.upTo, prepare: stretch.upTo };
    const reading =
      upTo === stretch.upTo
        ? eventsOf(client.readAll({ direction: 'forwards', fromPosition, maxCount: 1 }), silenceMs)
        : searchOnwards(client, { prefixes, fromPosition, silenceMs });
    const events: ResolvedEvent[] = [];
    for await (const resolved of reading) {
      events.push(resolved);
      if (resolved.commitPosition! >= upTo) break;
    }
    return events;
  }
}

/** Null if Postgres does not keep them. */
function islandOf(events: readonly ResolvedEvent[]): Required<Pick<Stretch, 'island'>> | null {
  const island = keptText(events);
  return island === null ? null : { island };
}

async function unlessNoPosition(read: Promise<ResolvedEvent[]>): Promise<ResolvedEvent[]> {
  try {
    return await read;
  } catch (error) {
    if (isNoPosition(error)) return [];
    throw error;
  }
}
