import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import type { Decider } from '../../domain/kernel/decider.js';
import { atMost } from './at-most.js';
import { type EventStore, NO_STREAM, type RecordedEvent } from './event-store.port.js';
import type { UnitOfWork } from './unit-of-work.js';
import { readEach, UnreadableStream } from './unreadable-stream.js';

export interface DirectoryEntry<State> {
  readonly state: State;
  /** The revision of the aggregate's stream, to compare in an append's conditions. */
  readonly revision: number;
}

/** The aggregates by their names. */
export interface Found<State> {
  readonly found: ReadonlyMap<string, DirectoryEntry<State>>;
  readonly unreadable: ReadonlyMap<string, UnreadableStream>;
}

/** The part of an aggregate's declaration that reads its streams. */
export interface Kind<State> {
  readonly decider: Pick<Decider<State, never, never, unknown>, 'initialState' | 'evolve'>;
  readonly streamOf: (name: string) => string;
}

const ENTRIES = 10_000;
const LIFE_MS = 2_000;

/**
 * Caches the aggregates of one kind for up to two seconds. A caller that decides by an entry must guard its append with
 * the entry's revision. It must call `forget` when the append reports that the aggregate changed, and before it gives a
 * refusal that only the entry supports.
 */
export class Directory<State> {
  private readonly entries = new LRUCache<string, Promise<DirectoryEntry<State>>>({ ...atMost(ENTRIES), ttl: LIFE_MS });
  private readonly reader = new DataLoader<string, DirectoryEntry<State>>((names) => this.read(names), {
    cacheMap: this.entries,
  });

  constructor(
    private readonly store: Pick<EventStore, 'readFirst'>,
    private readonly kind: Kind<State>,
  ) {}

  /**
   * Entries requested in the same turn of the event loop are read together. With a unit of work, returns the aggregate
   * with the unit's changes.
   */
  get(name: string, unit?: UnitOfWork): Promise<DirectoryEntry<State>> {
    if (unit?.changes(this.kind.streamOf(name))) return this.changedIn(unit, name);
    return this.entries.get(name) ?? this.reader.load(name);
  }

  async getAll(names: Iterable<string>, unit?: UnitOfWork): Promise<ReadonlyMap<string, DirectoryEntry<State>>> {
    return new Map(await Promise.all(Array.from(names, async (name) => [name, await this.get(name, unit)] as const)));
  }

  /** As `getAll`, with those that cannot be read apart. */
  async getEach(names: Iterable<string>, unit?: UnitOfWork): Promise<Found<State>> {
    const found = new Map<string, DirectoryEntry<State>>();
    const unreadable = new Map<string, UnreadableStream>();
    const get = async (name: string): Promise<void> => {
      try {
        found.set(name, await this.get(name, unit));
      } catch (error) {
        if (!(error instanceof UnreadableStream)) throw error;
        unreadable.set(name, error);
      }
    };
    await Promise.all(Array.from(names, get));
    return { found, unreadable };
  }

  /** Reads the aggregates anew. */
  getFresh(names: readonly string[], unit?: UnitOfWork): Promise<ReadonlyMap<string, DirectoryEntry<State>>> {
    for (const name of names) this.forget(name);
    return this.getAll(new Set(names), unit);
  }

  forget(name: string): void {
    this.entries.delete(name);
  }

  private read(names: readonly string[]): Promise<readonly (DirectoryEntry<State> | UnreadableStream)[]> {
    const streams = names.map(this.kind.streamOf);
    return readEach(
      streams,
      (some) => this.store.readFirst(some),
      (recorded, stream) => this.readable(stream, recorded),
    );
  }

  private readable(stream: string, recorded: readonly RecordedEvent[]): DirectoryEntry<State> | UnreadableStream {
    try {
      return this.entryOf(recorded);
    } catch (error) {
      return new UnreadableStream(stream, recorded.at(-1)?.position ?? null, error);
    }
  }

  private async changedIn(unit: UnitOfWork, name: string): Promise<DirectoryEntry<State>> {
    return this.entryOf((await unit.readStreams([this.kind.streamOf(name)]))[0]!);
  }

  private entryOf(recorded: readonly RecordedEvent[]): DirectoryEntry<State> {
    const { initialState, evolve } = this.kind.decider;
    const state = recorded.reduce((before, { event }) => evolve(before, event as never), initialState);
    return { state, revision: recorded.at(-1)?.revision ?? NO_STREAM };
  }
}
