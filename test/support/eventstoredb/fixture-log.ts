import { randomUUID } from 'node:crypto';
import {
  DELETED_BEFORE,
  isMetastream,
  isSoftDeleted,
  isSystemStream,
  metastreamOf,
  type StoredEvent,
  TOMBSTONE_REVISION,
  truncationOf,
  visibleOf,
} from './stored-stream.js';

export type Expected = bigint | 'any' | 'no_stream' | 'stream_exists';

export type NewEvent = Pick<StoredEvent, 'id' | 'type' | 'contentType' | 'metadata' | 'data'>;

/** `revision` is that of the stream's last event, null without one. The answer to an empty append has no position. */
export type Written =
  | { readonly kind: 'written'; readonly revision: bigint | null; readonly position: bigint | null }
  | { readonly kind: 'wrong'; readonly current: bigint | null }
  | { readonly kind: 'deleted' };

/**
 * What becomes of appends to several streams that are stored together. `at`: the first that is refused. `mixed`: some
 * were stored before, and others were not.
 */
export type WrittenTogether =
  | { readonly kind: 'written'; readonly revisions: readonly bigint[]; readonly position: bigint }
  | { readonly kind: 'wrong'; readonly at: number; readonly current: bigint | null }
  | { readonly kind: 'deleted'; readonly at: number }
  | { readonly kind: 'mixed' };

/** An append to a stream. */
export interface Append {
  readonly stream: string;
  readonly expected: Expected;
  readonly events: readonly NewEvent[];
}

/** The bytes of an event in the log besides its content, so that positions have gaps like the server's. */
const RECORD_BYTES = 140n;
const TICKS_PER_MS = 10_000n;

/** What a server writes by itself before it answers anybody, in this order. */
const OF_A_NEW_SERVER: readonly (readonly [stream: string, type: string, data: string])[] = [
  ['$$$stats-127.0.0.1:2113', '$metadata', '{"$maxAge":86400,"$acl":{"$r":"$all","$mr":"$all"}}'],
  ['$user-admin', '$UserCreated', '{"loginName":"admin","fullName":"Event Store Administrator","groups":["$admins"]}'],
  ['$$$user-admin', '$metadata', '{"$acl":{"$r":"$admins","$w":"$admins"}}'],
  ['$users', '$User', 'admin'],
  ['$user-ops', '$UserCreated', '{"loginName":"ops","fullName":"Event Store Operations","groups":["$ops"]}'],
  ['$users', '$User', 'ops'],
];

/** The server's rules for revisions, idempotent repetitions and deletion, in memory. Write order is commit order. */
export class FixtureLog {
  /** In commit order, including the server's own. */
  readonly all: StoredEvent[] = [];
  /** How many appends came again after they were stored. */
  repeated = 0;
  private readonly streams = new Map<string, StoredEvent[]>();
  private readonly tombstoned = new Set<string>();
  private readonly committed = new Map<string, StoredEvent>();
  private readonly listeners = new Set<() => void>();
  /** The position of the next record. The first record is no event: it marks the start of the log's first leader. */
  private end = RECORD_BYTES;

  constructor() {
    for (const [stream, type, data] of OF_A_NEW_SERVER) this.write(stream, newEvent(type, data));
  }

  /** The events of clients, without the server's own. */
  get ordinary(): StoredEvent[] {
    return this.all.filter(({ stream }) => !isSystemStream(stream));
  }

  /** Writes the statistics that a server writes every half minute, between the events of its clients. */
  writeStatistics(): void {
    this.write('$stats-127.0.0.1:2113', newEvent('$statsCollected', '{"proc-id":1}'));
    this.tell();
  }

  append(stream: string, expected: Expected, events: readonly NewEvent[]): Written {
    if (this.isTombstoned(stream)) return { kind: 'deleted' };
    const answer = this.check(stream, expected, events);
    if (answer !== 'write') return answer;
    this.writeAll([{ stream, events }]);
    const last = this.streams.get(stream)?.at(-1);
    return { kind: 'written', revision: this.currentOf(stream), position: events.length > 0 ? last!.position : null };
  }

  /** Stores all appends or none. None is empty, and each has another stream. */
  appendTogether(appends: readonly Append[]): WrittenTogether {
    const answers = appends.map(({ stream, expected, events }) =>
      this.isTombstoned(stream) ? ({ kind: 'deleted' } as const) : this.check(stream, expected, events),
    );
    const gone = answers.findIndex((answer) => answer !== 'write' && answer.kind === 'deleted');
    if (gone !== -1) return { kind: 'deleted', at: gone };
    const repeated = answers.filter((answer) => answer !== 'write' && answer.kind === 'written') as Repeated[];
    if (repeated.length === appends.length) return togetherAs(repeated);
    if (repeated.length > 0) return { kind: 'mixed' };
    const at = answers.findIndex((answer) => answer !== 'write');
    if (at !== -1) return { kind: 'wrong', at, current: this.currentOf(appends[at]!.stream) };
    this.writeAll(appends);
    return togetherAs(appends.map(({ stream }) => writtenAs(this.streams.get(stream)!.at(-1)!)));
  }

  /** The position of the deletion's own event, or why it was refused. */
  delete(stream: string, expected: Expected): Written {
    if (this.isTombstoned(stream)) return { kind: 'deleted' };
    const current = this.currentOf(stream);
    const isThere = current !== null || this.streams.has(metastreamOf(stream));
    if (!isThere || !this.matches(expected, current)) return { kind: 'wrong', current };
    const event = this.writeMetadata(stream, `{"$tb":${DELETED_BEFORE}}`);
    this.tell();
    return { kind: 'written', revision: current, position: event.position };
  }

  tombstone(stream: string, expected: Expected): Written {
    if (this.isTombstoned(stream)) return { kind: 'deleted' };
    const current = this.currentOf(stream);
    if (!this.matches(expected, current)) return { kind: 'wrong', current };
    this.tombstoned.add(stream);
    const event = this.store(stream, TOMBSTONE_REVISION, newEvent('$streamDeleted', '{}'));
    this.tell();
    return { kind: 'written', revision: current, position: event.position };
  }

  isTombstoned(stream: string): boolean {
    return this.tombstoned.has(stream) || (isMetastream(stream) && this.tombstoned.has(stream.slice(2)));
  }

  /** The events that a read of the stream returns; null if the stream is not found. */
  visible(stream: string): readonly StoredEvent[] | null {
    const events = this.streams.get(stream);
    if (!events || this.isSoftDeleted(stream)) return null;
    return visibleOf(events, isMetastream(stream) ? { maxCount: 1 } : this.truncation(stream));
  }

  /** The index in `all` of the first event at or after the position. */
  indexOf(position: bigint): number {
    let [from, to] = [0, this.all.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.all[middle]!.position < position) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /**
   * Whether a record begins at the position, or the log ends before it. The server cannot read from any other position,
   * because positions are byte offsets.
   */
  isRecord(position: bigint): boolean {
    const found = this.all[this.indexOf(position)];
    return position === 0n || (found ? found.position === position : position >= this.end);
  }

  /** The event at a revision of a stream, even if a read would not return it. */
  at(stream: string, revision: bigint): StoredEvent | null {
    return this.streams.get(stream)?.[Number(revision)] ?? null;
  }

  /** Calls the listener after each write. Returns a function that stops this. */
  onWritten(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private writeAll(appends: readonly Pick<Append, 'stream' | 'events'>[]): void {
    const recreated = appends.filter(({ stream, events }) => events.length > 0 && this.isSoftDeleted(stream));
    const from = recreated.map(({ stream }) => (this.currentOf(stream) ?? -1n) + 1n);
    for (const { stream, events } of appends) for (const event of events) this.write(stream, event);
    recreated.forEach(({ stream }, at) => this.writeMetadata(stream, `{"$tb":${from[at]!}}`));
    this.tell();
  }

  private check(stream: string, expected: Expected, events: readonly NewEvent[]): Written | 'write' {
    const current = this.currentOf(stream);
    if (expected === 'stream_exists') {
      if (this.isSoftDeleted(stream)) return { kind: 'deleted' };
      if (current === null && !this.streams.has(metastreamOf(stream))) return { kind: 'wrong', current };
    }
    if (typeof expected === 'string' && expected !== 'no_stream') return this.repeatedAnywhere(stream, events);
    const at = expected === 'no_stream' ? -1n : expected;
    if (at === (current ?? -1n)) return 'write';
    if (at > (current ?? -1n)) return { kind: 'wrong', current };
    return this.repeatedAt(stream, at, events, expected === 'no_stream');
  }

  /** Without an exact revision, recognises a repetition by the ids of recent events. */
  private repeatedAnywhere(stream: string, events: readonly NewEvent[]): Written | 'write' {
    const first = events[0] && this.committed.get(events[0].id);
    if (first?.stream !== stream) return 'write';
    const known = events.map(({ id }) => this.committed.get(id));
    if (known.some((event) => event?.stream !== stream)) return { kind: 'wrong', current: this.currentOf(stream) };
    return this.again(known.at(-1)!);
  }

  private repeatedAt(stream: string, at: bigint, events: readonly NewEvent[], mayRecreate: boolean): Written | 'write' {
    const stored = this.streams.get(stream)!.slice(Number(at) + 1);
    const same = events.findIndex(({ id }, index) => stored[index]?.id !== id);
    if (same === -1 && events.length > 0) return this.again(stored[events.length - 1]!);
    if (same === 0 && mayRecreate && this.isSoftDeleted(stream)) return 'write';
    return { kind: 'wrong', current: this.currentOf(stream) };
  }

  private again(last: StoredEvent): Written {
    this.repeated += 1;
    return writtenAs(last);
  }

  private matches(expected: Expected, current: bigint | null): boolean {
    if (expected === 'any') return true;
    if (expected === 'stream_exists') return current !== null;
    return expected === 'no_stream' ? current === null : expected === current;
  }

  private currentOf(stream: string): bigint | null {
    const events = this.streams.get(stream);
    return events ? BigInt(events.length - 1) : null;
  }

  private truncation(stream: string) {
    return isMetastream(stream) ? {} : truncationOf(this.streams.get(metastreamOf(stream))?.at(-1));
  }

  private isSoftDeleted(stream: string): boolean {
    return isSoftDeleted(this.truncation(stream));
  }

  private writeMetadata(stream: string, data: string): StoredEvent {
    return this.write(metastreamOf(stream), newEvent('$metadata', data));
  }

  private write(stream: string, event: NewEvent): StoredEvent {
    const events = this.streams.get(stream) ?? [];
    this.streams.set(stream, events);
    const stored = this.store(stream, BigInt(events.length), event);
    events.push(stored);
    return stored;
  }

  private store(stream: string, revision: bigint, event: NewEvent): StoredEvent {
    const created = (BigInt(Date.now()) * TICKS_PER_MS).toString();
    const stored = { ...event, stream, revision, position: this.end, created };
    this.end += RECORD_BYTES + BigInt(event.data.length + event.metadata.length + stream.length);
    this.all.push(stored);
    this.committed.set(event.id, stored);
    return stored;
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

interface Repeated {
  readonly kind: 'written';
  readonly revision: bigint;
  readonly position: bigint;
}

const writtenAs = ({ revision, position }: StoredEvent): Repeated => ({ kind: 'written', revision, position });

const togetherAs = (written: readonly Repeated[]): WrittenTogether => ({
  kind: 'written',
  revisions: written.map(({ revision }) => revision),
  position: written.reduce((last, { position }) => (position > last ? position : last), 0n),
});

const newEvent = (type: string, data: string): NewEvent => ({
  id: randomUUID(),
  type,
  contentType: 'application/json',
  metadata: new Uint8Array(),
  data: Buffer.from(data),
});
