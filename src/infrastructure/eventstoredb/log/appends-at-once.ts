import {
  type AppendItem,
  EventStoreUnavailable,
  type RecordedEvent,
} from '../../../application/kernel/event-store.port.js';
import { Backoff } from '../../projection-engine/backoff.js';
import { type Appender, type AppendTimes, inTime } from './appender.js';
import type { AppendToStore, EventToStore } from './clients/store-client.port.js';
import type { Connections } from './connections.js';
import type { GroupedAppends } from './grouped-appends.js';
import type { LogReader } from './log-reader.js';
import type { Stamp } from './stored-events.js';
import type { StreamNames } from './stream-names.js';
import { isLasting, verdictOn } from './store-errors.js';

/** Consecutive items of one stream, which are one append to it. */
interface Run {
  readonly stream: string;
  readonly expected: number;
  /** The number of the first item, and how many there are. */
  readonly at: number;
  readonly count: number;
}

export type AtOnce =
  /** The position is that of the last event. */
  | { readonly kind: 'appended'; readonly position: bigint }
  /** Nothing is stored, and nothing will be: a stream has other events, or the same ones of an earlier call. */
  | { readonly kind: 'moved' }
  /** Nothing is stored, and nothing will be: the server does not take them at once. */
  | { readonly kind: 'not taken' };

export const MOVED: AtOnce = { kind: 'moved' };
const NOT_TAKEN: AtOnce = { kind: 'not taken' };

/**
 * Appends that are stored at once or not at all, in the order of the items: those to one stream as one append and, where
 * the server knows append sessions, those to several.
 */
export class AppendsAtOnce {
  constructor(
    private readonly appender: Appender,
    private readonly single: Pick<GroupedAppends, 'append'>,
    private readonly connections: Connections,
    private readonly reader: LogReader,
    private readonly names: StreamNames,
    private readonly times: AppendTimes,
    private readonly toStore: (item: AppendItem, stamp: Stamp) => Promise<EventToStore[]>,
  ) {}

  /** Whether the server takes them at once, as far as that can be known before. */
  async areTaken(items: readonly AppendItem[]): Promise<boolean> {
    const runs = runsOf(items);
    if (runs === null || runs.length === 1) return runs !== null;
    const { sessions } = this.connections.main;
    return sessions !== null && sessions.areKnown().catch(() => false);
  }

  /** Only after `areTaken`. `id` is that of no earlier call. Rejects if the outcome stays unknown. */
  async append(items: readonly AppendItem[], id: string, recordedAt: string): Promise<AtOnce> {
    const stored = await Promise.all(
      items.map((item, at) =>
        this.toStore(item, { recordedAt, transaction: { id, item: at, of: items.length, atOnce: true } }),
      ),
    );
    const appends = runsOf(items)!.map(({ stream, expected, at, count }) => ({
      stream,
      expected,
      events: stored.slice(at, at + count).flat(),
    }));
    return appends.length === 1 ? this.appendOne(appends[0]!, recordedAt) : this.appendAll(appends, id);
  }

  private async appendOne(append: Append, recordedAt: string): Promise<AtOnce> {
    const result = await this.single.append(append, append.events, recordedAt);
    if (result.kind === 'appended') return { kind: 'appended', position: result.position };
    return result.kind === 'refused' ? NOT_TAKEN : MOVED;
  }

  private async appendAll(appends: readonly Append[], id: string): Promise<AtOnce> {
    const { began, before } = this.appender.sending();
    const backoff = new Backoff({ firstMs: 20, capMs: 500 });
    const stored = appends.map((append) => ({ ...append, stream: this.names.stored(append.stream) }));
    for (let isFirst = true; ; isFirst = false) {
      const client = this.connections.main;
      const sent = performance.now();
      try {
        const answer = await inTime(client.sessions!.append(stored), this.times.attemptMs);
        this.connections.appended(sent);
        if (answer.kind === 'appended') return this.appended(answer.position, before);
        // An earlier attempt may be what is there.
        return isFirst ? MOVED : ((await this.seen(appends, id)) ?? MOVED);
      } catch (error) {
        const verdict = verdictOn(error);
        if (verdict === 'denied')
          throw this.connections.denied('append to several streams', error, { call: 'append', began: sent });
        if (verdict !== 'unavailable' && isFirst) return NOT_TAKEN;
        if (verdict !== 'unavailable' || isLasting(error)) this.connections.replaceMain(client);
        const seen = await this.seen(appends, id).catch(unreadIfAway);
        if (seen !== null && seen !== 'unread') return seen;
        const away = this.connections.unavailable(error, { call: seen === null ? 'append' : 'any', began: sent });
        if (performance.now() > began + this.times.retryMs) throw away;
        await backoff.wait();
      }
    }
  }

  /** `before`: the newest position that was known before the append was sent. */
  private appended(position: bigint, before: bigint): AtOnce {
    if (position <= before) return MOVED;
    this.reader.saw(position);
    return { kind: 'appended', position };
  }

  /** The outcome according to the streams; null while they show none. */
  private async seen(appends: readonly Append[], id: string): Promise<AtOnce | null> {
    for (const append of appends) {
      const found = await this.after(append);
      if (found.length === 0) continue;
      if (found[0]!.transaction?.id !== id) return MOVED;
      const { position } = (await this.after(appends.at(-1)!)).at(-1)!;
      return this.appended(position, 0n);
    }
    return null;
  }

  /** What the stream has in the place of the append. */
  private after({ stream, expected, events }: Append): Promise<readonly RecordedEvent[]> {
    return this.reader.readStream(stream, BigInt(expected + 1), events.length);
  }
}

/** Its stream has our name. */
interface Append extends AppendToStore {
  readonly events: EventToStore[];
}

function unreadIfAway(error: unknown): 'unread' {
  if (error instanceof EventStoreUnavailable) return 'unread';
  throw error;
}

/**
 * Null if a stream comes again after another one: a session takes each stream once, and the order of the items is kept.
 * The server does not look at a name's case.
 */
function runsOf(items: readonly AppendItem[]): readonly Run[] | null {
  const runs: Run[] = [];
  for (const [at, { stream, expected }] of items.entries()) {
    const last = runs.at(-1);
    if (last?.stream === stream) runs[runs.length - 1] = { ...last, count: last.count + 1 };
    else runs.push({ stream, expected, at, count: 1 });
  }
  const names = new Set(runs.map(({ stream }) => stream.toLowerCase()));
  return names.size === runs.length ? runs : null;
}
