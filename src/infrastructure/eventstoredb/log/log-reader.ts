import {
  BACKWARDS,
  END,
  FORWARDS,
  type ReadPosition,
  type ResolvedEvent,
  START,
  type StreamingRead,
} from '@eventstore/db-client';
import type { IsoTime } from '../../../domain/kernel/json.js';
import type { EventFilter, RecordedEvent } from '../../../application/kernel/event-store.port.js';
import { passes } from '../../event-codec/event-filter.js';
import type { Connections } from './connections.js';
import { eventsOf } from './readings.js';
import { loggedEvent, streamEvent } from './stored-events.js';
import type { StreamNames } from './stream-names.js';
import { isNoPosition, unreachable, verdictOn } from './trouble.js';
import { Semaphore } from './semaphore.js';

/** Leaves calls of the connection to appends; more at once are not faster either. */
const READS_AT_ONCE = 40;
const HEAD_PAGE = 64;
/** Of two neighbours in the log the later one may have been recorded earlier: their processes waited for something between. */
const SLACK_MS = 60_000;
/** As the store calls it. */
const WHOLE_LOG = '$all';

/** Reads of streams and of the whole log. */
export class LogReader {
  private readonly semaphore = new Semaphore(READS_AT_ONCE);
  /** The newest event of ours that is known of. */
  private known = 0n;
  /** Up to here nothing of ours is newer than that. */
  private scanned: bigint;

  constructor(
    private readonly connections: Connections,
    private readonly names: StreamNames,
    private readonly silenceMs: number,
    /** Nothing of ours is before this: others' events are spared that a store may be full of. */
    private readonly since: bigint,
  ) {
    this.scanned = since;
  }

  /** An event of ours is in the log at this position. */
  saw(position: bigint): void {
    if (position > this.known) this.known = position;
  }

  get newestKnown(): bigint {
    return this.known;
  }

  /** From a revision on; an unknown or deleted stream has no events. */
  readStream(stream: string, fromRevision = 0n): Promise<RecordedEvent[]> {
    return this.read(stream, async () => {
      return this.take(this.connections.main.readStream(this.names.stored(stream), { fromRevision }), stream);
    });
  }

  /** Null for an unknown or deleted stream. */
  readLast(stream: string): Promise<RecordedEvent | null> {
    return this.read(stream, async () => {
      const options = { direction: BACKWARDS, fromRevision: END, maxCount: 1 } as const;
      const reading = this.connections.main.readStream(this.names.stored(stream), options);
      const [last] = await this.take(reading, stream);
      return last ?? null;
    });
  }

  /** Up to `limit` events of ours after the position. */
  async readAll(after: bigint, limit: number, filter: EventFilter): Promise<RecordedEvent[]> {
    if (filter.stream !== undefined) return this.readOf(filter.stream, after, limit, filter);
    return this.scan(after, limit, (resolved) => {
      const recorded = this.own(resolved);
      return recorded && passes(recorded, filter) ? recorded : null;
    });
  }

  /** Up to `limit` of what `take` makes of the log's events after the position, in their order; null passes over one. */
  scan<T>(after: bigint, limit: number, take: (resolved: ResolvedEvent) => T | null): Promise<T[]> {
    return this.read(WHOLE_LOG, async () => {
      const found: T[] = [];
      if (limit <= 0) return found;
      const fromPosition = this.startAfter(after);
      const reading = this.connections.main.readAll({ direction: FORWARDS, fromPosition });
      for await (const resolved of eventsOf(reading, this.silenceMs)) {
        const taken = resolved.commitPosition! <= after ? null : take(resolved);
        if (taken !== null && found.push(taken) === limit) break;
      }
      return found;
    });
  }

  /** The event at a position where there is one. */
  at(position: bigint): Promise<ResolvedEvent> {
    return this.read(WHOLE_LOG, async () => {
      const options = { direction: FORWARDS, fromPosition: positionOf(position), maxCount: 1 } as const;
      for await (const resolved of eventsOf(this.connections.main.readAll(options), this.silenceMs)) return resolved;
      throw new Error(`Expected an event at position ${position}, but the log ends before`);
    });
  }

  /** The position of our newest event; others' events may come after it. */
  async head(): Promise<bigint> {
    let page = await this.pageBefore(END);
    const newest = page[0]?.commitPosition ?? 0n;
    while (!this.isEnough(page)) page = await this.pageBefore(positionOf(page.at(-1)!.commitPosition!));
    if (newest > this.scanned) this.scanned = newest;
    return this.known;
  }

  /** False where no record begins at the position. */
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
   * The store knows no event by its time, and no position between events: this reads back from the end, and so costs what
   * lies after `time`, whatever lies before.
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

  /** Where to begin to find everything of ours after the position. */
  startAfter(position: bigint): ReadPosition {
    return positionOf(position > this.since ? position : this.since);
  }

  /** Null for an event that is not ours. */
  own(resolved: ResolvedEvent): RecordedEvent | null {
    const stream = resolved.event ? this.names.own(resolved.event.streamId) : null;
    return stream === null ? null : loggedEvent(resolved, stream);
  }

  /** Of one stream, whose events need not be looked for in the whole log. */
  private async readOf(stream: string, after: bigint, limit: number, filter: EventFilter): Promise<RecordedEvent[]> {
    const events = await this.readStream(stream);
    return events.filter((recorded) => recorded.position > after && passes(recorded, filter)).slice(0, limit);
  }

  private async take(reading: StreamingRead<ResolvedEvent>, stream: string): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    try {
      for await (const resolved of eventsOf(reading, this.silenceMs)) events.push(streamEvent(resolved, stream));
    } catch (error) {
      if (verdictOn(error) !== 'absent') throw error;
    }
    return events;
  }

  /** Whether what comes before the page cannot hold anything newer of ours. */
  private isEnough(page: readonly ResolvedEvent[]): boolean {
    const own = page.find((resolved) => this.own(resolved));
    if (own) this.saw(own.commitPosition!);
    const { commitPosition: last = 0n } = page.at(-1) ?? {};
    return own !== undefined || page.length < HEAD_PAGE || last <= this.known || last <= this.scanned;
  }

  private pageBefore(fromPosition: ReadPosition): Promise<ResolvedEvent[]> {
    return this.read(WHOLE_LOG, async () => {
      const page: ResolvedEvent[] = [];
      const reading = this.connections.main.readAll({ direction: BACKWARDS, fromPosition, maxCount: HEAD_PAGE });
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

/** Of ordinary events commit and prepare are the same. */
const positionOf = (position: bigint): ReadPosition =>
  position === 0n ? START : { commit: position, prepare: position };
