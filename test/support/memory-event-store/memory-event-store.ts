import { Injectable } from '@nestjs/common';
import {
  type AppendItem,
  type AppendOptions,
  type AppendResult,
  type EventFilter,
  EventStore,
  type LogRange,
  type LogSlice,
  NO_STREAM,
  type RecordedEvent,
  type SubscribeOptions,
} from '../../../src/application/kernel/event-store.port.js';
import type { IsoTime } from '../../../src/domain/kernel/json.js';
import { WakeUps } from '../../../src/application/kernel/wake-ups.port.js';
import { wakeAfterCommit } from '../../../src/infrastructure/dispatch-index/wake-after-commit.js';
import { passes } from '../../../src/application/kernel/event-filter.js';
import { eventCodec } from '../../../src/infrastructure/event-codec/event-codec.js';
import { followLog } from '../../../src/infrastructure/notify/follow-log.js';
import { MemoryConstraints } from './memory-constraints.js';

/** The most events that one scan looks through. */
const SCANNED = 10_000n;

/** Events in memory, for tests and trials. Keeps every promise of the port except durability. */
@Injectable()
export class MemoryEventStore extends EventStore {
  private readonly log: RecordedEvent[] = [];
  private readonly streams = new Map<string, RecordedEvent[]>();
  private constraints = new MemoryConstraints();

  constructor(private readonly wakeUps: WakeUps) {
    super();
  }

  async append(items: readonly AppendItem[], options: AppendOptions = {}): Promise<readonly AppendResult[]> {
    await Promise.resolve(); // like the other stores, never answers in the same turn of the event loop
    const results = options.atomic ? this.appendAll(items) : items.map((item) => this.appendOne(item));
    wakeAfterCommit(this.wakeUps, items, results);
    return results;
  }

  async readStreams(streams: readonly string[]): Promise<readonly (readonly RecordedEvent[])[]> {
    await Promise.resolve();
    return streams.map((stream) => [...(this.streams.get(stream) ?? [])]);
  }

  async readAll(after: bigint, limit: number): Promise<readonly RecordedEvent[]> {
    await Promise.resolve();
    return this.log.slice(Number(after), Number(after) + limit);
  }

  async scan({ after, upTo }: LogRange, limit: number, filter: EventFilter): Promise<LogSlice> {
    await Promise.resolve();
    const end = upTo - after > SCANNED ? after + SCANNED : upTo;
    const passing = this.log.slice(Number(after), Number(end)).filter((event) => passes(event, filter));
    const events = passing.slice(0, limit);
    return { events, reached: events.length === limit ? events[limit - 1]!.position : end };
  }

  canReadAfter(): Promise<boolean> {
    return Promise.resolve(true);
  }

  countBetween(after: bigint, upTo: bigint): number {
    return upTo > after ? Number(upTo - after) : 0;
  }

  async head(): Promise<bigint> {
    return Promise.resolve(BigInt(this.log.length));
  }

  async positionBefore(time: IsoTime): Promise<bigint> {
    await Promise.resolve();
    const first = this.log.findIndex(({ recordedAt }) => Date.parse(recordedAt) >= Date.parse(time));
    return BigInt(first < 0 ? this.log.length : first);
  }

  subscribe(after: bigint, options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]> {
    return followLog((position, limit) => this.readAll(position, limit), this.wakeUps, after, options);
  }

  private appendAll(items: readonly AppendItem[]): AppendResult[] {
    const before = { length: this.log.length, constraints: this.constraints.copy() };
    const results = items.map((item) => this.appendOne(item));
    const failed = results.findIndex(({ kind }) => kind !== 'appended');
    if (failed < 0) return results;
    for (const { stream } of this.log.splice(before.length)) this.streams.get(stream)!.pop();
    this.constraints = before.constraints;
    // An item before this one was not stored, so whether a queue is empty or awaited cannot be decided here.
    const saysNothing = (result: AppendResult, index: number): boolean =>
      result.kind === 'appended' || (index > failed && isOfQueue(result));
    return results.map((result, index) =>
      saysNothing(result, index) ? { kind: 'conflict', actual: items[index]!.expected } : result,
    );
  }

  private appendOne(item: AppendItem): AppendResult {
    const stream = this.streams.get(item.stream) ?? [];
    const actual = stream.at(-1)?.revision ?? NO_STREAM;
    if (actual !== item.expected) return this.repeated(item, stream) ?? { kind: 'conflict', actual };
    const refused = this.constraints.check(item, (name) => this.streams.get(name)?.at(-1)?.revision ?? NO_STREAM);
    if (refused) return refused;
    const recordedAt = new Date().toISOString();
    if (item.events.length === 0)
      return { kind: 'appended', position: BigInt(this.log.length), revision: actual, recordedAt };
    for (const { id, event, envelope } of item.events) {
      const stored = eventCodec.decode(event.type, event.version, eventCodec.encode(event));
      const position = BigInt(this.log.length + 1);
      const recorded = {
        position,
        stream: item.stream,
        revision: stream.length,
        id,
        recordedAt,
        event: stored,
        envelope,
      };
      stream.push(recorded);
      this.log.push(recorded);
    }
    this.streams.set(item.stream, stream);
    const { position, revision } = stream.at(-1)!;
    this.constraints.apply(item, position);
    return { kind: 'appended', position, revision, recordedAt };
  }

  private repeated({ events, expected }: AppendItem, stream: readonly RecordedEvent[]): AppendResult | null {
    if (events.length === 0 || stream[expected + 1]?.id !== events[0]!.id) return null;
    const last = stream[expected + events.length]!;
    return { kind: 'duplicate', position: last.position, revision: last.revision };
  }
}

const isOfQueue = (result: AppendResult): boolean =>
  result.kind === 'refused' && (result.constraint === 'queue-not-empty' || result.constraint === 'queue-awaited');
