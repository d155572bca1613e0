import {
  type AppendToStreamOptions,
  type EventData,
  type EventStoreDBClient,
  type MaxAppendSizeExceededError,
  NO_STREAM as NO_STREAM_YET,
} from '@eventstore/db-client';
import { type AppendResult, EventStoreUnavailable, NO_STREAM } from '../../../application/kernel/event-store.port.js';
import { Backoff } from '../../projection-engine/backoff.js';
import type { Connections } from './connections.js';
import type { LogReader } from './log-reader.js';
import type { StreamNames } from './stream-names.js';
import { Semaphore } from './semaphore.js';
import { isLasting, unreachable, verdictOn } from './trouble.js';

export interface AppendTimes {
  /** The client waits for an answer for ever; after this its outcome is unknown. */
  readonly attemptMs: number;
  /** An append is retried for this long before the caller learns that its outcome is unknown. */
  readonly retryMs: number;
}

/** An append by what it is recognised by. */
export interface Announced {
  readonly stream: string;
  readonly expected: number;
  readonly events: readonly { readonly id: string }[];
}

/**
 * More wait their turn here, so that each one's time begins when it is sent. Many share a write to the connection: with 200 an append
 * of a burst cost this process 318 to 374 microseconds, with 500 it is 282 to 321.
 */
const APPENDS_AT_ONCE = 500;

/**
 * No server takes more than 16 MiB less 10,000 bytes as one message, with what is around the events: it ends the call, which all appends
 * share, and says nothing of the one.
 */
const MESSAGE_BYTES = 16_700_000;

/** A mebibyte: what a server takes as one append, unless it is told otherwise. */
const APPEND_BYTES = 1_048_576;

/** The server is told a time of this machine's clock: one that is an hour wrong must not make it refuse everything. */
const DEADLINE_MS = 24 * 3_600_000;

/**
 * Appends to single streams. An answer that does not come leaves the outcome unknown: the stream is read, and where the
 * events are not there the same ones are sent again, which the server recognises by their ids.
 */
export class Appender {
  private readonly semaphore = new Semaphore(APPENDS_AT_ONCE);

  constructor(
    private readonly connections: Connections,
    private readonly reader: LogReader,
    private readonly names: StreamNames,
    private readonly times: AppendTimes,
  ) {}

  /** `events`: the item's, as they are stored. */
  async append(item: Announced, events: EventData[], recordedAt: string): Promise<AppendResult> {
    const bytes = bytesOf(events);
    if (bytes > MESSAGE_BYTES) return { kind: 'refused', constraint: 'too-large', bytes, limit: APPEND_BYTES };
    return this.semaphore.pass(() => this.appendNow(item, events, recordedAt));
  }

  /** What the stream itself says about an append: it is there (`duplicate`), or another one is. Null: the stream is as expected. */
  async seenIn({ stream, expected, events }: Announced): Promise<AppendResult | null> {
    const stored = await this.reader.readStream(stream, BigInt(expected + 1));
    if (stored.length === 0) return null;
    const last = stored[events.length - 1];
    if (stored[0]!.id === events[0]!.id && last)
      return { kind: 'duplicate', position: last.position, revision: last.revision };
    return { kind: 'conflict', actual: stored.at(-1)!.revision };
  }

  private async appendNow(item: Announced, events: EventData[], recordedAt: string): Promise<AppendResult> {
    // What the log had before this append was sent cannot be its doing.
    const before = this.reader.newestKnown;
    const until = performance.now() + this.times.retryMs;
    const backoff = new Backoff({ firstMs: 20, capMs: 500 });
    for (;;) {
      const client = this.connections.main;
      try {
        return await this.send(client, item, events, { recordedAt, before });
      } catch (error) {
        const verdict = verdictOn(error);
        if (verdict === 'denied') throw this.connections.denied(`append to '${item.stream}'`, error);
        if (verdict !== 'unavailable') throw error;
        if (isLasting(error)) this.connections.replaceMain(client);
        const found = await this.lookUp(item, recordedAt);
        if (found) return found;
        if (performance.now() > until) throw unreachable(error);
        await backoff.wait();
      }
    }
  }

  private async send(
    client: EventStoreDBClient,
    { stream, expected, events }: Announced,
    data: EventData[],
    { recordedAt, before }: { readonly recordedAt: string; readonly before: bigint },
  ): Promise<AppendResult> {
    try {
      const expectedRevision = expected === NO_STREAM ? NO_STREAM_YET : BigInt(expected);
      const options: AppendToStreamOptions = { expectedRevision, deadline: DEADLINE_MS };
      const answer = await this.inTime(client.appendToStream(this.names.stored(stream), data, options));
      // Known by its ids, but not yet to be read: the store has it no sooner than its stream shows it.
      if (!answer.position) throw unreachable();
      const position = answer.position.commit;
      const revision = expected + events.length;
      if (position <= before) return { kind: 'duplicate', position, revision };
      this.reader.saw(position);
      return { kind: 'appended', position, revision, recordedAt };
    } catch (error) {
      const verdict = verdictOn(error);
      if (verdict === 'refused')
        return {
          kind: 'refused',
          constraint: 'too-large',
          bytes: bytesOf(data),
          limit: (error as MaxAppendSizeExceededError).maxAppendSize,
        };
      if (verdict !== 'conflict') throw error;
      const { actualVersion } = error as { actualVersion: bigint | string };
      return { kind: 'conflict', actual: typeof actualVersion === 'bigint' ? Number(actualVersion) : NO_STREAM };
    }
  }

  /** The outcome as the stream shows it; null while it shows none, or cannot be read. */
  private async lookUp(item: Announced, recordedAt: string): Promise<AppendResult | null> {
    try {
      const seen = await this.seenIn(item);
      return seen?.kind === 'duplicate' ? { ...seen, kind: 'appended', recordedAt } : seen;
    } catch (error) {
      if (error instanceof EventStoreUnavailable) return null;
      throw error;
    }
  }

  private async inTime<T>(answer: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(unreachable()), this.times.attemptMs);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
      answer.catch(() => undefined); // one that is rejected when nobody waits any more
    }
  }
}

const bytesOf = (events: readonly EventData[]): number =>
  events.reduce((sum, { data, metadata }) => sum + Buffer.byteLength(JSON.stringify([data, metadata])), 0);
