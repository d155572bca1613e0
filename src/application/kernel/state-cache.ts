import { LRUCache } from 'lru-cache';
import { roughBytes } from '../../domain/kernel/byte-budget.js';
import { type Decider, type DomainEvent, fold } from '../../domain/kernel/decider.js';
import type { Run } from './decider-run.js';
import { type EventStore, freshHistory, type HistoryAtHand } from './event-store.port.js';
import type { Loaded } from './stream-command.js';
import { readSome, UnreadableStream } from './unreadable-stream.js';

/** Estimated size of a lean state. With 50,000 keyed, running tasks cached, each added 1,085 bytes to the heap. */
const STATE_BYTES = 1_200;
const CACHE_BYTES = 64 * 1024 * 1024;

/**
 * Caches the states of the streams that were used last, without what a decider no longer needs (`lean`). Other states
 * are read from the store.
 */
export class StateCache {
  private readonly states = new LRUCache<string, Loaded<unknown>>({ maxSize: CACHE_BYTES });

  constructor(private readonly store: EventStore) {}

  /**
   * The states for the first of these commands of a run, and at least one, or the reason why one cannot be read. Those
   * that are not cached, or not fresh enough, are read together, as many as fit into memory.
   */
  async load<S, C, E extends DomainEvent, R>(
    run: Run<S, C, E, R>,
    indices: readonly number[],
    mustRead: boolean,
  ): Promise<readonly (Loaded<S> | UnreadableStream)[]> {
    const loaded = new Array<Loaded<S> | UnreadableStream>(indices.length);
    const toRead: number[] = [];
    for (let at = 0; at < indices.length; at++) {
      const { stream, load, loaded: given } = run.work[indices[at]!]!;
      const known = given ?? (load === 'whole' ? undefined : this.kept<S>(stream));
      const kept = mustRead || run.context.unit ? undefined : known;
      if (load === 'new' && !mustRead) loaded[at] = run.untouched;
      else if (kept) loaded[at] = kept;
      else toRead.push(at);
    }
    if (toRead.length === 0) return loaded;
    const count = await this.read(run, indices, toRead, loaded, mustRead);
    return count < toRead.length ? loaded.slice(0, toRead[count]) : loaded;
  }

  /** Forgets the stream if its state is not worth caching. */
  keep<S, C, E extends DomainEvent, R>(
    { lean }: Decider<S, C, E, R>,
    stream: string,
    { state, revision, position }: Omit<Loaded<S>, 'fresh'>,
  ): void {
    const kept = lean ? lean(state) : state;
    if (kept === null) this.forget(stream);
    else
      this.states.set(
        stream,
        { state: kept, revision, position, fresh: false },
        { size: lean ? STATE_BYTES : sizeOf(kept) },
      );
  }

  forget(stream: string): void {
    this.states.delete(stream);
  }

  private kept<S>(stream: string): Loaded<S> | undefined {
    return this.states.get(stream) as Loaded<S> | undefined;
  }

  /** Returns how many of the first ones were read. */
  private async read<S, C, E extends DomainEvent, R>(
    run: Run<S, C, E, R>,
    indices: readonly number[],
    toRead: readonly number[],
    loaded: (Loaded<S> | UnreadableStream)[],
    mustRead: boolean,
  ): Promise<number> {
    const work = toRead.map((at) => run.work[indices[at]!]!);
    const streams = work.map(({ stream }) => stream);
    const histories = await readSome(streams, (some) => this.historiesFor(run.context.unit, some, mustRead));
    histories.forEach((history, which) => {
      loaded[toRead[which]!] = loadedFrom(run.decider, streams[which]!, history);
    });
    return histories.length;
  }

  private async historiesFor(
    unit: Pick<EventStore, 'readFirst'> | undefined,
    streams: readonly string[],
    mustBeFresh: boolean,
  ): Promise<readonly HistoryAtHand[]> {
    if (!unit && !mustBeFresh) return this.store.readAtHand(streams);
    return (await (unit ?? this.store).readFirst(streams)).map(freshHistory);
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

/** A whole state may contain a payload. A character takes up to two bytes. */
const sizeOf = (state: unknown): number => STATE_BYTES + 2 * roughBytes(state);
