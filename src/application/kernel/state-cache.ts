import { LRUCache } from 'lru-cache';
import { type Decider, type DomainEvent, fold } from '../../domain/kernel/decider.js';
import type { Run } from './decider-run.js';
import { type EventStore, freshHistory, type HistoryAtHand } from './event-store.port.js';
import type { Loaded } from './stream-command.js';
import { readEach, UnreadableStream } from './unreadable-stream.js';

/** Estimated size of a cached state. With 50,000 keyed, running tasks cached, each added 1,085 bytes to the heap. */
const STATE_BYTES = 1_200;
const CACHE_BYTES = 64 * 1024 * 1024;

/**
 * Caches the states of the streams that were used last, without what a decider no longer needs (`lean`). Other states
 * are read from the store.
 */
export class StateCache {
  private readonly states = new LRUCache<string, Loaded<unknown>>({
    maxSize: CACHE_BYTES,
    sizeCalculation: () => STATE_BYTES,
  });

  constructor(private readonly store: EventStore) {}

  /**
   * The states for these commands of a run, or the reason why one cannot be read. Those that are not cached, or not fresh
   * enough, are read together.
   */
  async load<S, C, E extends DomainEvent, R>(
    run: Run<S, C, E, R>,
    indices: readonly number[],
    mustRead: boolean,
  ): Promise<readonly (Loaded<S> | UnreadableStream)[]> {
    const loaded = new Array<Loaded<S> | UnreadableStream>(indices.length);
    const toRead: number[] = [];
    for (let at = 0; at < indices.length; at++) {
      const { stream, load } = run.work[indices[at]!]!;
      const kept = mustRead || load === 'fresh' || run.context.unit ? undefined : this.kept<S>(stream);
      if (load === 'new' && !mustRead) loaded[at] = run.untouched;
      else if (kept) loaded[at] = kept;
      else toRead.push(at);
    }
    if (toRead.length > 0) await this.read(run, indices, toRead, loaded, mustRead);
    return loaded;
  }

  /** Forgets the stream if its state is not worth caching. */
  keep<S, C, E extends DomainEvent, R>(
    { lean }: Decider<S, C, E, R>,
    stream: string,
    { state, revision, position }: Omit<Loaded<S>, 'fresh'>,
  ): void {
    const kept = lean ? lean(state) : state;
    if (kept === null) this.forget(stream);
    else this.states.set(stream, { state: kept, revision, position, fresh: false });
  }

  forget(stream: string): void {
    this.states.delete(stream);
  }

  private kept<S>(stream: string): Loaded<S> | undefined {
    return this.states.get(stream) as Loaded<S> | undefined;
  }

  private async read<S, C, E extends DomainEvent, R>(
    run: Run<S, C, E, R>,
    indices: readonly number[],
    toRead: readonly number[],
    loaded: (Loaded<S> | UnreadableStream)[],
    mustRead: boolean,
  ): Promise<void> {
    const work = toRead.map((at) => run.work[indices[at]!]!);
    const isFresh = mustRead || work.some(({ load }) => load === 'fresh');
    const streams = work.map(({ stream }) => stream);
    const histories = await readEach(streams, (some) => this.historiesFor(run.context.unit, some, isFresh));
    toRead.forEach((at, which) => (loaded[at] = loadedFrom(run.decider, streams[which]!, histories[which]!)));
  }

  private async historiesFor(
    unit: Pick<EventStore, 'readStreams'> | undefined,
    streams: readonly string[],
    mustBeFresh: boolean,
  ): Promise<readonly HistoryAtHand[]> {
    if (!unit && !mustBeFresh) return this.store.readAtHand(streams);
    return (await (unit ?? this.store).readStreams(streams)).map(freshHistory);
  }
}

function loadedFrom<S, C, E extends DomainEvent, R>(
  decider: Decider<S, C, E, R>,
  stream: string,
  history: HistoryAtHand | UnreadableStream,
): Loaded<S> | UnreadableStream {
  if (history instanceof UnreadableStream) return history;
  const { events, ...read } = history;
  try {
    return { state: fold(decider, events as readonly E[]), ...read };
  } catch (error) {
    return new UnreadableStream(stream, read.position, error);
  }
}
