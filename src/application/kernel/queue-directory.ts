import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { LRUCache } from 'lru-cache';
import { fold } from '../../domain/kernel/decider.js';
import { queueDecider } from '../../domain/queue/queue.decider.js';
import type { QueueEvent } from '../../domain/queue/queue.events.js';
import type { QueueState } from '../../domain/queue/queue.state.js';
import { queueStream } from '../../domain/queue/queue.stream.js';
import { EventStore, NO_STREAM, type RecordedEvent } from './event-store.port.js';
import type { UnitOfWork } from './unit-of-work.js';

export interface QueueEntry {
  readonly state: QueueState;
  /** Of the queue's stream: what an append's queue guard is compared with. */
  readonly revision: number;
}

const QUEUES = 10_000;
const LIFE_MS = 2_000;

/**
 * The queues as they stood up to two seconds ago. Whoever decides by an entry guards the append with its revision, and
 * calls `forget` when the append says that the queue moved on, or before a refusal that only the entry supports.
 */
@Injectable()
export class QueueDirectory {
  private readonly entries = new LRUCache<string, Promise<QueueEntry>>({ max: QUEUES, ttl: LIFE_MS });
  private readonly reader = new DataLoader<string, QueueEntry>((names) => this.read(names), { cacheMap: this.entries });

  constructor(private readonly store: EventStore) {}

  /**
   * Queues asked for in the same turn of the event loop are read in one go. With a unit of work: a queue that it changes is as it is
   * going to leave it.
   */
  get(name: string, unit?: UnitOfWork): Promise<QueueEntry> {
    if (unit?.changes(queueStream(name))) return changedIn(unit, name);
    return this.entries.get(name) ?? this.reader.load(name);
  }

  async getAll(names: Iterable<string>, unit?: UnitOfWork): Promise<ReadonlyMap<string, QueueEntry>> {
    return new Map(await Promise.all(Array.from(names, async (name) => [name, await this.get(name, unit)] as const)));
  }

  /** As they stand now. */
  getFresh(names: readonly string[], unit?: UnitOfWork): Promise<ReadonlyMap<string, QueueEntry>> {
    for (const name of names) this.forget(name);
    return this.getAll(new Set(names), unit);
  }

  forget(name: string): void {
    this.entries.delete(name);
  }

  private async read(names: readonly string[]): Promise<QueueEntry[]> {
    const streams = await this.store.readStreams(names.map(queueStream));
    return streams.map(entryOf);
  }
}

const changedIn = async (unit: UnitOfWork, name: string): Promise<QueueEntry> =>
  entryOf((await unit.readStreams([queueStream(name)]))[0]!);

function entryOf(recorded: readonly RecordedEvent[]): QueueEntry {
  const events = recorded.map(({ event }) => event as QueueEvent);
  return { state: fold(queueDecider, events), revision: recorded.at(-1)?.revision ?? NO_STREAM };
}
