import { type AppendResult, EventStoreUnavailable } from '../../../application/kernel/event-store.port.js';
import { Backoff } from '../../projection-engine/backoff.js';
import type { EventToStore, StoreClient } from './clients/store-client.port.js';
import type { Connections } from './connections.js';
import type { LogReader } from './log-reader.js';
import type { StreamNames } from './stream-names.js';
import { Semaphore } from './semaphore.js';
import { isLasting, unreachable, verdictOn } from './store-errors.js';

export interface AppendTimes {
  /** The client has no time-out of its own. After this time, the outcome of an attempt counts as unknown. */
  readonly attemptMs: number;
  /** An append is retried for this long. Then the caller learns that its outcome is unknown. */
  readonly retryMs: number;
}

/** When an append was sent first. */
export interface Sending {
  readonly began: number;
  /** The newest event of then, and so none of the append. */
  readonly before: bigint;
}

/** What an append is recognised by when it is sent again. */
export interface AnnouncedAppend {
  readonly stream: string;
  readonly expected: number;
  readonly events: readonly { readonly id: string }[];
}

/**
 * Appends beyond this number wait here, so that the time-out of each begins when it is sent. Many appends share a write
 * to the connection: with a limit of 200, an append of a burst cost this process 318 to 374 microseconds; with 500, it
 * costs 282 to 321.
 */
const APPENDS_AT_ONCE = 500;

/**
 * A server accepts at most 16 MiB less 10,000 bytes per message, including what surrounds the events. A larger message
 * ends the call that all appends share, and the server does not say which append was too large.
 */
const MESSAGE_BYTES = 16_700_000;

/** The most that a server accepts as one append by default: one mebibyte. */
const APPEND_BYTES = 1_048_576;

/**
 * Appends to single streams. If no answer arrives, the outcome is unknown: the appender reads the stream and, if the
 * events are missing, sends the same ones again. The server recognises them by their ids.
 */
export class Appender {
  private readonly semaphore = new Semaphore(APPENDS_AT_ONCE);

  constructor(
    private readonly connections: Connections,
    private readonly reader: LogReader,
    private readonly names: StreamNames,
    private readonly times: AppendTimes,
  ) {}

  /** `events` are the item's events in stored form. */
  async append(item: AnnouncedAppend, events: EventToStore[], recordedAt: string): Promise<AppendResult> {
    const bytes = bytesOf(events);
    if (bytes > MESSAGE_BYTES) return { kind: 'refused', constraint: 'too-large', bytes, limit: APPEND_BYTES };
    return this.semaphore.pass(() => this.appendNow(item, events, recordedAt, this.sending()));
  }

  sending(): Sending {
    return { began: performance.now(), before: this.reader.newestKnown };
  }

  /** The same for an append that was sent already, together with others. `isUnknown`: it may be stored. */
  appendAgain(
    item: AnnouncedAppend,
    events: EventToStore[],
    recordedAt: string,
    { isUnknown, ...sending }: Sending & { readonly isUnknown: boolean },
  ): Promise<AppendResult> {
    return this.semaphore.pass(async () => {
      const found = isUnknown ? await this.lookUp(item, recordedAt, sending.before) : null;
      return found === null || found === 'unread' ? this.appendNow(item, events, recordedAt, sending) : found;
    });
  }

  /**
   * What the stream says about an append: `duplicate` if its events are stored, `conflict` if others are. Null if the
   * stream is at the expected revision.
   */
  async seenIn({ stream, expected, events }: AnnouncedAppend): Promise<AppendResult | null> {
    const stored = await this.reader.readStream(stream, BigInt(expected + 1));
    if (stored.length === 0) return null;
    const last = stored[events.length - 1];
    if (stored[0]!.id === events[0]!.id && last)
      return { kind: 'duplicate', position: last.position, revision: last.revision };
    return { kind: 'conflict', actual: stored.at(-1)!.revision };
  }

  private async appendNow(
    item: AnnouncedAppend,
    events: EventToStore[],
    recordedAt: string,
    { began, before }: Sending,
  ): Promise<AppendResult> {
    const until = began + this.times.retryMs;
    let backoff: Backoff | null = null;
    for (;;) {
      const client = this.connections.main;
      const sent = performance.now();
      try {
        const result = await this.send(client, item, events, { recordedAt, before });
        this.connections.appended(sent);
        return result;
      } catch (error) {
        const verdict = verdictOn(error);
        if (verdict === 'denied')
          throw this.connections.denied(`append to '${item.stream}'`, error, { call: 'append', began: sent });
        if (verdict !== 'unavailable') throw error;
        if (isLasting(error)) this.connections.replaceMain(client);
        const found = await this.lookUp(item, recordedAt, before);
        if (found !== null && found !== 'unread') return found;
        const away = this.connections.unavailable(error, { call: found === null ? 'append' : 'any', began: sent });
        if (performance.now() > until) throw away;
        await (backoff ??= new Backoff({ firstMs: 20, capMs: 500 })).wait();
      }
    }
  }

  private async send(
    client: StoreClient,
    { stream, expected, events }: AnnouncedAppend,
    data: EventToStore[],
    { recordedAt, before }: { readonly recordedAt: string; readonly before: bigint },
  ): Promise<AppendResult> {
    const answer = await inTime(client.append(this.names.stored(stream), expected, data), this.times.attemptMs);
    if (answer.kind === 'refused')
      return { kind: 'refused', constraint: 'too-large', bytes: bytesOf(data), limit: answer.limit };
    if (answer.kind === 'conflict') return answer;
    // The server knows the ids but gives no position yet: the events become readable a little later.
    if (answer.position === null) throw unreachable();
    const { position } = answer;
    const revision = expected + events.length;
    if (position <= before) return { kind: 'duplicate', position, revision };
    this.reader.saw(position);
    return { kind: 'appended', position, revision, recordedAt };
  }

  /** The outcome according to the stream; null while it shows none. */
  private async lookUp(
    item: AnnouncedAppend,
    recordedAt: string,
    before: bigint,
  ): Promise<AppendResult | 'unread' | null> {
    try {
      const seen = await this.seenIn(item);
      const isNew = seen?.kind === 'duplicate' && seen.position > before;
      return isNew ? { ...seen, kind: 'appended', recordedAt } : seen;
    } catch (error) {
      if (error instanceof EventStoreUnavailable) return 'unread';
      throw error;
    }
  }
}

/** The answer; rejects if it does not come in time. Without `Promise.race`, because each append waits here. */
export const inTime = <T>(answer: Promise<T>, ms: number): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(unreachable()), ms);
    answer.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: Error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });

export const bytesOf = (events: readonly EventToStore[]): number =>
  events.reduce((sum, { data, metadata }) => sum + Buffer.byteLength(JSON.stringify([data, metadata])), 0);
