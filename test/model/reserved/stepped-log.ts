import type { Clock } from '../../../src/application/kernel/clock.port.js';
import {
  type AppendItem,
  type AppendResult,
  EventStoreUnavailable,
  type RecordedEvent,
} from '../../../src/application/kernel/event-store.port.js';
import type { AtOnce } from '../../../src/infrastructure/eventstoredb/log/appends-at-once.js';
import { EventStoreDbLog } from '../../../src/infrastructure/eventstoredb/log/eventstoredb-log.js';
import type { Stamp } from '../../../src/infrastructure/eventstoredb/log/stored-events.js';
import type { Stage } from './stage.js';

/** Positions of EventStoreDB are not consecutive, so no tasks share an extent. */
const GAP = 10;

/** A log in memory whose appends are made when a step says so. */
export class SteppedLog extends EventStoreDbLog {
  readonly events: RecordedEvent[] = [];
  private readonly streams = new Map<string, RecordedEvent[]>();

  constructor(
    private readonly stage: Stage,
    private readonly time: Clock,
    /** Whether it takes appends to several streams at once. */
    private readonly knowsSessions: boolean,
  ) {
    super({ url: 'esdb://127.0.0.1:1?tls=false', clock: time });
  }

  override async append(items: readonly AppendItem[], stamp?: Stamp): Promise<AppendResult[]> {
    const fate = await this.stage.pass('append');
    if (fate === 'lost') throw new EventStoreUnavailable('lost on purpose');
    const results = items.map((item) => this.store(item, stamp ?? { recordedAt: this.time.iso() }));
    if (fate === 'unanswered') throw new EventStoreUnavailable('unanswered on purpose');
    return results;
  }

  override takesAtOnce(): Promise<boolean> {
    return Promise.resolve(this.knowsSessions);
  }

  override async appendAtOnce(items: readonly AppendItem[], id: string, recordedAt: string): Promise<AtOnce> {
    const fate = await this.stage.pass('append');
    if (fate === 'lost') throw new EventStoreUnavailable('lost on purpose');
    if (items.some(({ stream, expected }) => this.of(stream).length !== expected + 1)) return { kind: 'moved' };
    const stampOf = (item: number): Stamp => ({
      recordedAt,
      transaction: { id, item, of: items.length, atOnce: true },
    });
    const results = items.map((item, at) => this.store(item, stampOf(at)));
    if (fate === 'unanswered') throw new EventStoreUnavailable('unanswered on purpose');
    return { kind: 'appended', position: (results.at(-1) as Extract<AppendResult, { kind: 'appended' }>).position };
  }

  override async readAtOnce({ transaction }: RecordedEvent): Promise<readonly RecordedEvent[]> {
    return this.events.filter((event) => event.transaction?.id === transaction!.id);
  }

  override async seenIn({ stream, expected, events }: AppendItem): Promise<AppendResult | null> {
    const stored = this.of(stream).slice(expected + 1);
    if (stored.length === 0) return null;
    const last = stored[events.length - 1];
    if (stored[0]!.id !== events[0]!.id || !last) return { kind: 'conflict', actual: stored.at(-1)!.revision };
    return { kind: 'duplicate', position: last.position, revision: last.revision };
  }

  override async readStreams(streams: readonly string[]): Promise<readonly (readonly RecordedEvent[])[]> {
    return streams.map((stream) => [...this.of(stream)]);
  }

  override readFirst(streams: readonly string[]): Promise<readonly (readonly RecordedEvent[])[]> {
    return this.readStreams(streams);
  }

  override async readStream(stream: string, fromRevision: number): Promise<readonly RecordedEvent[]> {
    return this.of(stream).slice(fromRevision);
  }

  override async readLast(stream: string): Promise<RecordedEvent | null> {
    return this.of(stream).at(-1) ?? null;
  }

  override async readAll(after: bigint, limit: number): Promise<readonly RecordedEvent[]> {
    return this.events
      .slice(Number(after) / GAP)
      .filter(isShown)
      .slice(0, limit);
  }

  override readAllAnew(after: bigint, limit: number): Promise<readonly RecordedEvent[]> {
    return this.readAll(after, limit);
  }

  override async head(): Promise<bigint> {
    return this.events.findLast(isShown)?.position ?? 0n;
  }

  private of(stream: string): RecordedEvent[] {
    if (!this.streams.has(stream)) this.streams.set(stream, []);
    return this.streams.get(stream)!;
  }

  private store(item: AppendItem, { recordedAt, transaction }: Stamp): AppendResult {
    const { stream, expected, events } = item;
    const before = this.of(stream);
    const known = before.findIndex(({ id }) => id === events[0]!.id);
    if (known === expected + 1) {
      const { position, revision } = before[known + events.length - 1]!;
      return { kind: 'duplicate', position, revision };
    }
    if (before.length !== expected + 1) return { kind: 'conflict', actual: before.length - 1 };
    events.forEach(({ id, event, envelope }, at) => {
      const recorded: RecordedEvent = {
        position: BigInt((this.events.length + 1) * GAP),
        stream,
        revision: before.length,
        id,
        recordedAt,
        event: structuredClone(event),
        envelope,
        ...(at < events.length - 1 && { more: true as const }),
        ...(transaction && { transaction }),
      };
      before.push(recorded);
      this.events.push(recorded);
    });
    const { position, revision } = before.at(-1)!;
    return { kind: 'appended', position, revision, recordedAt };
  }
}

/** Readers of the log do not see a transaction's own stream. */
const isShown = ({ stream }: RecordedEvent): boolean => !stream.startsWith('transaction-');
