import {
  BACKWARDS,
  END,
  FORWARDS,
  type ReadPosition,
  type ResolvedEvent,
  START,
  type StreamingRead,
} from '@eventstore/db-client';
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
import type { Connections } from './connections.js';
import { eventsOf } from './readings.js';
import { loggedEvent, shownEvent, streamEvent } from './stored-events.js';
import { SharedCall } from './shared-call.js';
import type { StreamNames } from './stream-names.js';
import { isNoPosition, unreachable, verdictOn } from './trouble.js';
import { Semaphore } from './semaphore.js';

/** Leaves calls of the connection to appends. More reads at once are not faster. */
const READS_AT_ONCE = 40;
/** Most logs end with one of our events. Further pages are larger. */
const FIRST_HEAD_PAGE = 4;
const HEAD_PAGE = 64;
/** The most records of the log that one slice looks through. */
const SCANNED = 2_000;
/**
 * Of two neighbours in the log, the later one may have an earlier time, because its process waited between reading the
 * clock and appending.
 */
const SLACK_MS = 60_000;
/** EventStoreDB's name for the whole log. */
const WHOLE_LOG = '$all';

/** Reads of streams and of the whole log. */
export class LogReader {
  private readonly semaphore = new Semaphore(READS_AT_ONCE);
  /** The newest position known to hold one of our events. */
  private known = 0n;
  /** Up to this position, none of our events is newer than `known`. */
  private scanned: bigint;
  private readonly sharedHead = new SharedCall(() => this.findHead());

  constructor(
    private readonly connections: Connections,
    private readonly names: StreamNames,
    private readonly silenceMs: number,
    /** Our log begins after this position. Reads skip the events of other programs before it. */
    private readonly since: bigint,
  ) {
    this.scanned = since;
  }

  /** Records that one of our events is in the log at this position. */
  saw(position: bigint): void {
    if (position > this.known) this.known = position;
  }

  get newestKnown(): bigint {
    return this.known;
  }

  /** Reads a stream from a revision on. An unknown or deleted stream has no events. */
  readStream(
    stream: string,
    fromRevision = 0n,
    maxCount?: number,
    made: typeof streamEvent = streamEvent,
  ): Promise<RecordedEvent[]> {
    return this.read(stream, async () => {
      const options = { fromRevision, ...(maxCount !== undefined && { maxCount }) };
      return this.take(this.connections.main.readStream(this.names.stored(stream), options), stream, made);
    });
  }

  /** The newest event of a stream; null if the stream is unknown or deleted. */
  readLast(stream: string): Promise<RecordedEvent | null> {
    return this.read(stream, async () => {
      const options = { direction: BACKWARDS, fromRevision: END, maxCount: 1 } as const;
      const reading = this.connections.main.readStream(this.names.stored(stream), options);
      const [last] = await this.take(reading, stream);
      return last ?? null;
    });
  }

  /** Reads up to `limit` of our events after the position, as many as have `STEP_BYTES`. */
  readAll(after: bigint, limit: number): Promise<RecordedEvent[]> {
    return this.scan(after, limit, (resolved) => this.own(resolved));
  }

  /** Our event at a position. Throws if it cannot be read. */
  async readAt(position: bigint): Promise<RecordedEvent> {
    const recorded = this.own(await this.at(position));
    if (recorded?.position === position) return recorded;
    throw new Error(`Expected an event at position ${position}, but there is none`);
  }

  /** Looks through part of the range for events that pass the filter. */
  slice(range: LogRange, limit: number, filter: EventFilter): Promise<LogSlice> {
    return filter.stream === undefined
      ? this.read(WHOLE_LOG, () => this.sliceOfLog(range, limit, filter))
      : this.read(filter.stream, () => this.sliceOfStream(range, filter.stream!, limit, filter));
  }

  /**
   * Returns up to `limit` results of `take` for the log's events after the position, in order, and ends with the event
   * with which they have `STEP_BYTES`. `take` returns null to skip an event.
   */
  scan<T>(after: bigint, limit: number, take: (resolved: ResolvedEvent) => T | null): Promise<T[]> {
    return this.read(WHOLE_LOG, async () => {
      const [found, budget]: [T[], ByteBudget] = [[], new ByteBudget()];
      if (limit <= 0) return found;
      const fromPosition = this.startAfter(after);
      const reading = this.connections.main.readAll({ direction: FORWARDS, fromPosition });
      for await (const resolved of eventsOf(reading, this.silenceMs)) {
        const taken = resolved.commitPosition! <= after ? null : take(resolved);
        if (taken === null) continue;
        budget.spend(roughBytes(resolved.event?.data));
        if (found.push(taken) === limit || budget.isSpent) break;
      }
      return found;
    });
  }

  /** The event at a position, if the log has one there. */
  at(position: bigint): Promise<ResolvedEvent> {
    return this.read(WHOLE_LOG, async () => {
      const options = { direction: FORWARDS, fromPosition: positionOf(position), maxCount: 1 } as const;
      for await (const resolved of eventsOf(this.connections.main.readAll(options), this.silenceMs)) return resolved;
      throw new Error(`Expected an event at position ${position}, but the log ends before`);
    });
  }

  /** The position of our newest event. Events of other programs may follow it. */
  head(): Promise<bigint> {
    return this.sharedHead.ask();
  }

  /** False if no record begins at the position. */
  async canStartAfter(position: bigint): Promise<boolean> {
    if (position <= this.since) return true;
    try {
      await this.scan(position, 1, (resolved) => resolved);
      return true;
    } catch (error) {
      if (isNoPosition(error)) return false;
      throw error;
    }
  }

  /**
   * EventStoreDB cannot find an event by its time or by a position between events. This reads backwards from the end,
   * so its cost grows with the number of events after `time`.
   */
  async positionBefore(time: IsoTime): Promise<bigint> {
    const ms = Date.parse(time);
    const found = await this.read(WHOLE_LOG, async () => {
      let position: bigint | null = null;
      let isFirst = false;
      const reading = this.connections.main.readAll({ direction: BACKWARDS, fromPosition: END });
      for await (const resolved of eventsOf(reading, this.silenceMs)) {
        if (isFirst) position = resolved.commitPosition!;
        const recorded = this.own(resolved);
        isFirst = recorded !== null && Date.parse(recorded.recordedAt) >= ms;
        if (isFirst) position = 0n;
        if (resolved.event && resolved.event.created.getTime() < ms - SLACK_MS) break;
      }
      return position;
    });
    return found ?? this.head();
  }

  /** The position from which a read finds all our events after `after`. */
  startAfter(position: bigint): ReadPosition {
    return positionOf(position > this.since ? position : this.since);
  }

  /** Decodes an event; null if it is not ours. */
  own(resolved: ResolvedEvent): RecordedEvent | null {
    return this.ownAs(loggedEvent, resolved);
  }

  private ownAs<T>(made: (resolved: ResolvedEvent, stream: string) => T, resolved: ResolvedEvent): T | null {
    const stream = resolved.event ? this.names.own(resolved.event.streamId) : null;
    return stream === null ? null : made(resolved, stream);
  }

  private async sliceOfLog({ after, upTo }: LogRange, limit: number, filter: EventFilter): Promise<LogSlice> {
    const [events, budget]: [ShownEvent[], ByteBudget] = [[], new ByteBudget()];
    const options = { direction: FORWARDS, fromPosition: this.startAfter(after), maxCount: SCANNED } as const;
    let [looked, reached] = [0, after];
    for await (const resolved of eventsOf(this.connections.main.readAll(options), this.silenceMs)) {
      const position = resolved.commitPosition!;
      if (position > upTo) return { events, reached: upTo };
      looked += 1;
      if (position <= after) continue;
      reached = position;
      const shown = this.ownAs(shownEvent, resolved);
      if (!shown || !passes(shown, filter)) continue;
      budget.spend(roughBytes(shown.event.data));
      if (events.push(shown) === limit || budget.isSpent) return { events, reached };
    }
    return { events, reached: looked < SCANNED ? upTo : reached };
  }

  /** Reads from one stream, which avoids a search of the whole log. */
  private async sliceOfStream(
    { after, upTo }: LogRange,
    stream: string,
    limit: number,
    filter: EventFilter,
  ): Promise<LogSlice> {
    const [events, budget]: [ShownEvent[], ByteBudget] = [[], new ByteBudget()];
    const reading = this.connections.main.readStream(this.names.stored(stream));
    for await (const resolved of whatIsThere(eventsOf(reading, this.silenceMs))) {
      const shown = shownEvent(resolved, stream);
      if (shown.position > upTo) break;
      if (shown.position <= after || !passes(shown, filter)) continue;
      budget.spend(roughBytes(shown.event.data));
      if (events.push(shown) === limit || budget.isSpent) return { events, reached: shown.position };
    }
    return { events, reached: upTo };
  }

  private async take(
    reading: StreamingRead<ResolvedEvent>,
    stream: string,
    made = streamEvent,
  ): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for await (const resolved of whatIsThere(eventsOf(reading, this.silenceMs))) events.push(made(resolved, stream));
    return events;
  }

  private async findHead(): Promise<bigint> {
    let [page, size] = [await this.pageBefore(END, FIRST_HEAD_PAGE), FIRST_HEAD_PAGE];
    const newest = page[0]?.commitPosition ?? 0n;
    while (!this.isEnough(page, size)) {
      size = HEAD_PAGE;
      page = await this.pageBefore(positionOf(page.at(-1)!.commitPosition!), size);
    }
    if (newest > this.scanned) this.scanned = newest;
    return this.known;
  }

  /** Whether no page before this one, of `size` records if there are as many, can hold one of our events that is newer. */
  private isEnough(page: readonly ResolvedEvent[], size: number): boolean {
    const own = page.find((resolved) => this.own(resolved));
    if (own) this.saw(own.commitPosition!);
    const { commitPosition: last = 0n } = page.at(-1) ?? {};
    return own !== undefined || page.length < size || last <= this.known || last <= this.scanned;
  }

  private pageBefore(fromPosition: ReadPosition, maxCount: number): Promise<ResolvedEvent[]> {
    return this.read(WHOLE_LOG, async () => {
      const page: ResolvedEvent[] = [];
      const reading = this.connections.main.readAll({ direction: BACKWARDS, fromPosition, maxCount });
      for await (const resolved of eventsOf(reading, this.silenceMs)) page.push(resolved);
      return page;
    });
  }

  private async read<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.semaphore.pass(work);
    } catch (error) {
      const verdict = verdictOn(error);
      if (verdict === 'denied') throw this.connections.denied(`read '${what}'`, error);
      throw verdict === 'unavailable' ? unreachable(error) : error;
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

/** For ordinary events, the commit position equals the prepare position. */
const positionOf = (position: bigint): ReadPosition =>
  position === 0n ? START : { commit: position, prepare: position };
