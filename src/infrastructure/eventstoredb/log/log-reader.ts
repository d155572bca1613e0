import { Logger } from '@nestjs/common';
import { ByteBudget, roughBytes } from '../../../domain/kernel/byte-budget.js';
import type { IsoTime } from '../../../domain/kernel/json.js';
import type {
  EventFilter,
  LogRange,
  LogSlice,
  RecordedEvent,
  ShownEvent,
} from '../../../application/kernel/event-store.port.js';
import { passes } from '../../../application/kernel/event-filter.js';
import { UnreadableStream } from '../../../application/kernel/unreadable-stream.js';
import { type EventHalves, LostHalf, type OwnEvent, WHOLE_EVENTS } from './halves/event-halves.js';
import { eventsOf } from './clients/readings.js';
import type {
  Direction,
  EventPlace,
  LogRead,
  Reading,
  ReadPosition,
  ResolvedEvent,
  StreamRead,
} from './clients/store-client.port.js';
import type { Connections } from './connections.js';
import { type LogMark, type LogMarks, type LogRecord, NO_MARKS } from './log-marks.js';
import { OwnEvents } from './own-events.js';
import { RecognisedLog } from './recognised-log.js';
import { loggedEvent, shownEvent, streamEvent } from './stored-events.js';
import { SharedCall } from '../../../application/kernel/shared-call.js';
import { searchBackwards, searchForwards } from './searches.js';
import { STORE_STREAM, type StreamNames } from './stream-names.js';
import { isNoPosition, verdictOn } from './store-errors.js';
import { Semaphore } from './semaphore.js';

/** Leaves calls of the connection to appends. More reads at once are not faster. */
const READS_AT_ONCE = 40;
/** Besides those, for parts of reads that go over long stretches without an event of ours. */
const ISLANDS_AT_ONCE = 20;
/** The most records of the whole log that one read gets of events that are next to one another. */
const NEIGHBOURS = 100;
/** Most logs end with one of our events. */
const LAST = 4;
/** The most of our events that one slice looks through. Each `SEARCH_WINDOW` events of others count as one of them. */
const SCANNED = 2_000;
/** How much longer than another read one may be silent that looks backwards through the events of others. */
const SEARCHING = 6;
/**
 * Of two neighbours in the log, the later one may have an earlier time, because its process waited between reading the
 * clock and appending.
 */
const SLACK_MS = 60_000;
/** The largest position that the database can hold. */
const END_OF_LOG = 2n ** 63n - 1n;
/** EventStoreDB's name for the whole log. */
const WHOLE_LOG = '$all';

/** An event of ours, and what can be read of it before its private half is opened. */
export interface FoundEvent extends OwnEvent {
  readonly recorded: RecordedEvent;
}

/** A slice as it is stored. */
interface StoredSlice {
  readonly events: readonly OwnEvent[];
  readonly reached: bigint;
}

/** An event that the server sent again. */
export interface RepeatedEvent {
  readonly stream: string;
  readonly revision: number;
  readonly position: bigint;
}

/** Reads of streams and of the whole log. */
export class LogReader {
  private readonly logger = new Logger('EventStoreDB');
  private readonly semaphore = new Semaphore(READS_AT_ONCE);
  private readonly islandReads = new Semaphore(ISLANDS_AT_ONCE);
  /** The newest position known to hold one of our events. */
  private known = 0n;
  /** Up to this position, none of our events is newer than `known`. */
  private scanned: bigint;
  /** Goes on where another process, or this one before its restart, has looked. Null: not yet. */
  private resumed: Promise<void> | null = null;
  private looked: Promise<void> | null = null;
  private readonly recognised = new RecognisedLog();
  private readonly sharedHead = new SharedCall(() => this.findHead());

  constructor(
    private readonly connections: Connections,
    private readonly names: StreamNames,
    private readonly silenceMs: number,
    /** Our log begins after this position. Reads skip the events of other programs before it. */
    private readonly since: bigint,
    private readonly marks: LogMarks = NO_MARKS,
    private readonly onRepeated: (event: RepeatedEvent) => void = () => undefined,
    private readonly halves: EventHalves = WHOLE_EVENTS,
  ) {
    this.scanned = since;
  }

  /** Records that one of our events is in the log at this position. */
  saw(position: bigint): void {
    if (position > this.known) this.known = position;
  }

  /** Logs and counts an event that the server sent again, unless it is another program's. */
  tellRepeated(resolved: ResolvedEvent): void {
    const stream = resolved.event ? this.names.own(resolved.event.streamId) : null;
    if (stream === null) return;
    const [revision, position] = [Number(resolved.event!.revision), resolved.commitPosition!];
    this.logger.warn(
      `Expected each event once, but revision ${revision} of '${stream}' at position ${position} came again; left out`,
    );
    this.onRepeated({ stream, revision, position });
  }

  get newestKnown(): bigint {
    return this.known;
  }

  /** Reads a stream from a revision on. An unknown or deleted stream has no events. */
  async readStream(stream: string, fromRevision = 0n, maxCount?: number): Promise<RecordedEvent[]> {
    const options = { fromRevision, ...(maxCount !== undefined && { maxCount }) };
    return this.decoded(stream, await this.storedStream(stream, options));
  }

  /** The newest event of a stream; null if the stream is unknown or deleted. */
  async readLast(stream: string): Promise<RecordedEvent | null> {
    const options = { direction: 'backwards', fromRevision: 'end', maxCount: 1 } as const;
    const [last] = await this.decoded(stream, await this.storedStream(stream, options));
    return last ?? null;
  }

  /** The events of a stream as they are stored. */
  storedStream(stream: string, options: StreamRead = {}): Promise<OwnEvent[]> {
    return this.read(stream, async () => {
      const reading = this.connections.main.readStream(this.names.stored(stream), options);
      const events = await allOf(whatIsThere(eventsOf(reading, this.silenceMs)));
      return events.map((resolved) => ({ resolved, stream }));
    });
  }

  private async decoded(stream: string, events: readonly OwnEvent[]): Promise<RecordedEvent[]> {
    try {
      return (await this.halves.open(events)).map((resolved) => streamEvent(resolved, stream));
    } catch (error) {
      throw error instanceof LostHalf ? new UnreadableStream(stream, error.position, error) : error;
    }
  }

  /** Reads up to `limit` of our events after the position, as many as have `STEP_BYTES`. */
  readAll(after: bigint, limit: number): Promise<RecordedEvent[]> {
    return this.readAllBy(this.marks, after, limit);
  }

  /** As `readAll`, but trusts no stretches, and keeps none. */
  readAllAnew(after: bigint, limit: number): Promise<RecordedEvent[]> {
    return this.readAllBy(NO_MARKS, after, limit);
  }

  private async readAllBy(marks: LogMarks, after: bigint, limit: number): Promise<RecordedEvent[]> {
    return this.opened(await this.scan(after, limit, (resolved) => this.find(resolved), marks));
  }

  /** The events with their private halves. */
  async opened(found: readonly FoundEvent[]): Promise<RecordedEvent[]> {
    const opened = await this.halves.open(found);
    return found.map(({ resolved, recorded, stream }, at) =>
      opened[at] === resolved ? recorded : loggedEvent(opened[at]!, stream),
    );
  }

  /** Our event at a position, as it is stored. Throws if it cannot be read. */
  async storedAt(position: bigint): Promise<FoundEvent> {
    const found = this.find(await this.at(position));
    if (found?.recorded.position === position) return found;
    throw new Error(`Expected an event at position ${position}, but there is none`);
  }

  /** Our event at a position. Throws if it cannot be read. */
  async readAt(position: bigint): Promise<RecordedEvent> {
    const [event] = await this.opened([await this.storedAt(position)]);
    return event!;
  }

  /** The positions of the last events of the whole log before a position, by their ids. Only of a store that has sessions. */
  async positionsBefore(position: bigint, count: number): Promise<Map<string, bigint>> {
    if (count === 0) return new Map();
    const reading = (): Reading => this.connections.main.sessions!.readPlaces(position, count);
    const found = await this.read(WHOLE_LOG, () => allOf(eventsOf<EventPlace>(reading(), this.silenceMs)));
    return new Map(found.map((place) => [place.id, place.position]));
  }

  /** The position of the event so many records of the whole log before a position; 0n where our log begins. */
  async recordsBefore(position: bigint, records: number): Promise<bigint> {
    const found = await this.some({ direction: 'backwards', fromPosition: positionOf(position), maxCount: records });
    const oldest = found.at(-1)?.commitPosition;
    return found.length < records || oldest === undefined || oldest <= this.since ? 0n : oldest;
  }

  /** The event at a position and those before and after it that belong to it, without a gap in the whole log. */
  async around(position: bigint, belongs: (event: RecordedEvent) => boolean): Promise<RecordedEvent[]> {
    const before = await this.neighbours('backwards', position, belongs);
    const after = await this.neighbours('forwards', position, belongs);
    return this.opened([...before.reverse(), ...after]);
  }

  /** Forwards, a read begins with the event at its position. */
  private async neighbours(
    direction: Direction,
    from: bigint,
    belongs: (event: RecordedEvent) => boolean,
  ): Promise<FoundEvent[]> {
    const found: FoundEvent[] = [];
    for (;;) {
      const last = found.at(-1)?.recorded.position;
      const fromPosition = positionOf(last ?? from);
      const records = await this.some({ direction, fromPosition, maxCount: NEIGHBOURS });
      const next = records.filter(({ commitPosition }) => commitPosition !== last).map((record) => this.find(record));
      const end = next.findIndex((event) => event === null || !belongs(event.recorded));
      found.push(...(next.slice(0, end < 0 ? next.length : end) as FoundEvent[]));
      if (end >= 0 || next.length === 0) return found;
    }
  }

  /**
   * Lets `startAfter` leave out what others wrote around the newest mark, with one look for all who are about to follow the
   * log. Never rejects: whoever follows meets the same trouble.
   */
  lookOnce(): Promise<void> {
    return (this.looked ??= this.lookFromMark().catch(() => undefined));
  }

  private async lookFromMark(): Promise<void> {
    await this.resume();
    if (this.scanned > this.since) await this.head();
  }

  /** Looks through part of the range for events that pass the filter. */
  async slice(range: LogRange, limit: number, filter: EventFilter): Promise<LogSlice> {
    const { events, reached } = await (filter.stream === undefined
      ? this.search(range, (found) => this.sliceOfLog(found, range, limit, filter))
      : this.read(filter.stream, () => this.sliceOfStream(range, filter.stream!, limit, filter)));
    return { events: await Promise.all(events.map((event) => this.shown(event))), reached };
  }

  private async shown(event: OwnEvent): Promise<ShownEvent> {
    try {
      const [opened] = await this.halves.open([event]);
      return shownEvent(opened!, event.stream);
    } catch (error) {
      if (!(error instanceof LostHalf)) throw error;
      const { event: stored, ...shown } = shownEvent(event.resolved, event.stream);
      return { ...shown, event: { ...stored, data: {} }, unreadable: error.message };
    }
  }

  /**
   * Returns up to `limit` results of `take` for the log's events after the position, in order, and ends with the event
   * with which they have `STEP_BYTES`. `take` returns null to skip an event.
   */
  async scan<T>(
    after: bigint,
    limit: number,
    take: (resolved: ResolvedEvent) => T | null,
    marks = this.marks,
  ): Promise<T[]> {
    const [found, budget]: [T[], ByteBudget] = [[], new ByteBudget()];
    if (limit <= 0) return found;
    const work = async (events: AsyncIterable<ResolvedEvent>): Promise<T[]> => {
      for await (const resolved of events) {
        const taken = take(resolved);
        if (taken === null) continue;
        budget.spend(roughBytes(resolved.event?.data));
        if (found.push(taken) === limit || budget.isSpent) break;
      }
      return found;
    };
    return this.search({ after, upTo: END_OF_LOG }, work, { marks, most: limit + 1 });
  }

  /** The event at a position, if the log has one there. */
  async at(position: bigint): Promise<ResolvedEvent> {
    const [found] = await this.some({ direction: 'forwards', fromPosition: positionOf(position), maxCount: 1 });
    if (found) return found;
    throw new Error(`Expected an event at position ${position}, but the log ends before`);
  }

  /** The position of our newest event. Events of other programs may follow it. */
  head(): Promise<bigint> {
    return this.sharedHead.ask();
  }

  /** False if no record begins at the position. */
  async canStartAfter(position: bigint): Promise<boolean> {
    if (position <= this.since) return true;
    try {
      await this.some({ direction: 'forwards', fromPosition: positionOf(position), maxCount: 1 });
      return true;
    } catch (error) {
      if (isNoPosition(error)) return false;
      throw error;
    }
  }

  /** EventStoreDB cannot find an event by its time or by a position between events. */
  async positionBefore(time: IsoTime): Promise<bigint> {
    const ms = Date.parse(time);
    const [head, before] = await Promise.all([this.head(), this.placeBefore(ms - SLACK_MS)]);
    if (head === 0n) return head;
    if (before !== null) return head <= before ? head : this.onwardsTo(ms, before, head);
    const { newest } = (await this.marks.oldestSince(ms + SLACK_MS)) ?? {};
    return this.backTo(ms, newest && (await this.believes(newest)) ? newest.position : head);
  }

  /** A place in the log before the time, and not far from it: that of a mark, or where our log begins. */
  private async placeBefore(ms: number): Promise<bigint | null> {
    const mark = await this.marks.newest(ms);
    if (mark && (await this.holds(mark.last))) return mark.last.position;
    if (mark?.newest && (await this.believes(mark.newest))) return mark.newest.position;
    if (this.since === 0n) return null;
    const { event } = await this.at(this.since);
    return event && event.created.getTime() >= ms ? 0n : null;
  }

  /** Its cost grows with the number of our events between the place and the time. */
  private onwardsTo(ms: number, after: bigint, head: bigint): Promise<bigint> {
    return this.search({ after, upTo: head }, async (events) => {
      let position = after;
      for await (const resolved of events) {
        const recorded = this.own(resolved);
        if (recorded && Date.parse(recorded.recordedAt) >= ms) return position;
        position = resolved.commitPosition!;
        if (position >= head) break;
      }
      return head;
    });
  }

  /** Its cost grows with the number of events after the time. */
  private async backTo(ms: number, head: bigint): Promise<bigint> {
    const newest = await this.at(head);
    return this.read(WHOLE_LOG, async () => {
      let [position, isFirst] = [head, false];
      for await (const resolved of followedBy(newest, this.ownBefore(head))) {
        if (isFirst) position = resolved.commitPosition!;
        isFirst = Date.parse(this.own(resolved)!.recordedAt) >= ms;
        if (isFirst) position = 0n;
        if (resolved.event!.created.getTime() < ms - SLACK_MS) break;
      }
      return position;
    });
  }

  /** How the log ends now, for those who look for the end or for this time later; null if it is empty. */
  async mark(): Promise<LogMark | null> {
    await this.head();
    const [newest, last] = [this.known, max(this.known, this.scanned)];
    if (last === 0n) return null;
    const { event } = await this.at(last);
    return {
      last: { position: last, id: event!.id },
      ms: event!.created.getTime(),
      newest: newest === 0n ? null : { position: newest, id: (await this.at(newest)).event!.id },
    };
  }

  /** The position from which a read finds all our events after `after`. Leaves out where others wrote since our newest. */
  startAfter(position: bigint): ReadPosition {
    return positionOf(position >= this.known ? max(position, this.scanned) : max(position, this.since));
  }

  /** Decodes an event, but for its private half if that is encrypted; null if it is not ours. */
  own(resolved: ResolvedEvent): RecordedEvent | null {
    return this.ownAs(loggedEvent, resolved);
  }

  find(resolved: ResolvedEvent): FoundEvent | null {
    const found = this.findStored(resolved);
    return found && { ...found, recorded: loggedEvent(resolved, found.stream) };
  }

  findStored(resolved: ResolvedEvent): OwnEvent | null {
    return this.ownAs((_, stream) => ({ resolved, stream }), resolved);
  }

  private ownAs<T>(made: (resolved: ResolvedEvent, stream: string) => T, resolved: ResolvedEvent): T | null {
    const stream = resolved.event ? this.names.own(resolved.event.streamId) : null;
    return stream === null ? null : made(resolved, stream);
  }

  private async sliceOfLog(
    found: AsyncIterable<ResolvedEvent>,
    { after, upTo }: LogRange,
    limit: number,
    filter: EventFilter,
  ): Promise<StoredSlice> {
    const [events, budget]: [OwnEvent[], ByteBudget] = [[], new ByteBudget()];
    let [looked, reached] = [0, after];
    for await (const resolved of found) {
      if (resolved.commitPosition! > upTo) break;
      reached = resolved.commitPosition!;
      const shown = this.ownAs(shownEvent, resolved);
      const isFound = shown !== null && passes(shown, filter);
      if (isFound) budget.spend(roughBytes(shown.event.data));
      if (isFound) events.push({ resolved, stream: shown.stream });
      if (++looked === SCANNED || events.length === limit || budget.isSpent) return { events, reached };
      if (reached === upTo) break;
    }
    return { events, reached: upTo };
  }

  /** Reads from one stream, which avoids a search of the whole log. */
  private async sliceOfStream(
    { after, upTo }: LogRange,
    stream: string,
    limit: number,
    filter: EventFilter,
  ): Promise<StoredSlice> {
    const [events, budget]: [OwnEvent[], ByteBudget] = [[], new ByteBudget()];
    const reading = this.connections.main.readStream(this.names.stored(stream));
    for await (const resolved of whatIsThere(eventsOf(reading, this.silenceMs))) {
      const shown = shownEvent(resolved, stream);
      if (shown.position > upTo) break;
      if (shown.position <= after || !passes(shown, filter)) continue;
      budget.spend(roughBytes(shown.event.data));
      if (events.push({ resolved, stream }) === limit || budget.isSpent) return { events, reached: shown.position };
    }
    return { events, reached: upTo };
  }

  private async findHead(): Promise<bigint> {
    await this.resume();
    const last = await this.some({ direction: 'backwards', fromPosition: 'end', maxCount: LAST });
    const [newest, oldest] = [last[0]?.commitPosition ?? 0n, last.at(-1)?.commitPosition ?? 0n];
    const own = last.find((resolved) => this.own(resolved));
    if (own) this.saw(own.commitPosition!);
    else if (last.length === LAST && oldest > max(this.known, this.scanned)) await this.findNewest(newest);
    this.scanned = max(this.scanned, newest);
    return this.known;
  }

  private async resume(): Promise<void> {
    this.resumed ??= this.goOn();
    try {
      await this.resumed;
    } catch (error) {
      this.resumed = null;
      throw error;
    }
  }

  private async goOn(): Promise<void> {
    const mark = await this.marks.newest();
    if (mark && mark.last.position > this.scanned && (await this.holds(mark.last))) {
      this.saw(mark.newest?.position ?? 0n);
      this.scanned = max(this.scanned, mark.last.position);
    }
  }

  /** Whether the log still has our event. It never loses one, unless it is another log. */
  private async believes(event: LogRecord): Promise<boolean> {
    const isThere = await this.holds(event);
    if (!isThere) await this.disbelieve(event.position);
    return isThere;
  }

  /** Whether the log has this event at its position, and in a stream of ours. */
  async hasOwn(event: LogRecord): Promise<boolean> {
    return (await this.holds(event)) && this.names.own((await this.at(event.position)).event!.streamId) !== null;
  }

  /** Whether the log has the record at its position. That of another program may be gone. */
  private async holds({ position, id }: LogRecord): Promise<boolean> {
    try {
      const [found] = await this.some({ direction: 'forwards', fromPosition: positionOf(position), maxCount: 1 });
      const isSame = found?.commitPosition === position && found.event?.id === id;
      if (isSame) this.recognised.upTo(position);
      return isSame;
    } catch (error) {
      if (isNoPosition(error)) return false;
      throw error;
    }
  }

  private async disbelieve(position: bigint): Promise<void> {
    this.logger.warn(
      `Expected the log to have the event at position ${position} that it had before, but it has not; searching from there on anew`,
    );
    await this.marks.forget(position);
  }

  /** Looks onwards if the log is known up to a place after our newest event, otherwise back to that event. */
  private async findNewest(end: bigint): Promise<void> {
    if (this.scanned <= this.since || this.scanned < this.known) return this.findNewestBackwards();
    await this.read(WHOLE_LOG, async () => {
      const { silenceMs, names } = this;
      const search = { silenceMs, prefixes: names.prefixes, fromPosition: this.startAfter(this.scanned) };
      for await (const resolved of searchForwards(this.connections.main, search)) {
        if (this.own(resolved)) this.saw(resolved.commitPosition!);
        if (resolved.commitPosition! >= end) break;
      }
    });
  }

  private async findNewestBackwards(): Promise<void> {
    let found: ResolvedEvent | undefined;
    do {
      const from = found ? positionOf(found.commitPosition!) : 'end';
      [found] = await this.read(WHOLE_LOG, () => allOf(this.searchBefore(from, 1)));
    } while (found && found.commitPosition! > this.since && !this.own(found));
    if (found && this.own(found)) this.saw(found.commitPosition!);
  }

  /**
   * The result of the work with our events in the range. Those after it may follow. `most`: of the stretches that it may
   * use.
   */
  private async search<T>(
    range: LogRange,
    work: (events: AsyncIterable<ResolvedEvent>) => Promise<T>,
    { marks = this.marks, most }: { readonly marks?: LogMarks; readonly most?: number } = {},
  ): Promise<T> {
    const { silenceMs, islandReads, names, recognised } = this;
    const startAfter = (position: bigint): ReadPosition => this.startAfter(position);
    const { main: client } = this.connections;
    const parts = { client, prefixes: names.prefixes, silenceMs, islandReads, startAfter, recognised };
    const events = new OwnEvents(parts, range.after, await marks.stretches(range, most));
    const result = await this.read(WHOLE_LOG, () => work(this.once(events, range.after)));
    if (events.wrong) await this.disbelieve(events.wrong.upTo);
    await marks.add(events.learned);
    return result;
  }

  /** Without what the server sends again. */
  private async *once(events: AsyncIterable<ResolvedEvent>, after: bigint): AsyncGenerator<ResolvedEvent> {
    let last = after;
    for await (const resolved of events) {
      if (resolved.event && resolved.commitPosition! <= last) {
        this.tellRepeated(resolved);
        continue;
      }
      if (resolved.event) last = resolved.commitPosition!;
      yield resolved;
    }
  }

  /** Our events before a position, newest first. */
  private async *ownBefore(position: bigint): AsyncGenerator<ResolvedEvent> {
    for await (const resolved of this.searchBefore(positionOf(position))) {
      if (resolved.commitPosition! <= this.since) return;
      if (this.own(resolved)) yield resolved;
    }
  }

  /**
   * Finds the event that named the store, too, before which there is nothing of ours. The stream of another program may
   * begin with the name of that event's stream.
   */
  private searchBefore(fromPosition: ReadPosition, maxCount?: number): AsyncGenerator<ResolvedEvent> {
    const prefixes = [...this.names.prefixes, this.names.stored(STORE_STREAM)];
    const silenceMs = SEARCHING * this.silenceMs;
    return searchBackwards(this.connections.main, { prefixes, fromPosition, silenceMs }, maxCount);
  }

  private some(options: LogRead): Promise<ResolvedEvent[]> {
    return this.read(WHOLE_LOG, () => allOf(eventsOf(this.connections.main.readAll(options), this.silenceMs)));
  }

  private async read<T>(what: string, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      const read = await this.semaphore.pass(work);
      this.connections.outage.reached(began);
      return read;
    } catch (error) {
      const verdict = verdictOn(error);
      if (verdict === 'denied') throw this.connections.denied(`read '${what}'`, error, { call: 'any', began });
      throw verdict === 'unavailable' ? this.connections.unavailable(error, { call: 'any', began }) : error;
    }
  }
}

/** The events of a stream, none if it is unknown or deleted. */
async function* whatIsThere(events: AsyncIterable<ResolvedEvent>): AsyncGenerator<ResolvedEvent> {
  try {
    yield* events;
  } catch (error) {
    if (verdictOn(error) !== 'absent') throw error;
  }
}

async function allOf<T>(found: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of found) all.push(one);
  return all;
}

async function* followedBy<T>(first: T, others: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* others;
}

const max = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/** For ordinary events, the commit position equals the prepare position. */
const positionOf = (position: bigint): ReadPosition =>
  position === 0n ? 'start' : { commit: position, prepare: position };
