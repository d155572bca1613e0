import { Injectable, Optional } from '@nestjs/common';
import { AGGREGATES } from '../../domain/aggregates.js';
import type { QueueState } from '../../domain/queue/queue.state.js';
import { queueStream } from '../../domain/queue/queue.stream.js';
import { Directory, type DirectoryEntry } from './directory.js';
import { EventStore } from './event-store.port.js';
import { IndexRows } from './index-rows.port.js';

export type QueueEntry = DirectoryEntry<QueueState>;

/** The queues, cached for up to two seconds. */
@Injectable()
export class QueueDirectory extends Directory<QueueState> {
  constructor(
    store: EventStore,
    @Optional() private readonly rows?: IndexRows,
  ) {
    super(store, AGGREGATES.queue);
  }

  /**
   * Compares the queues' rows in the index with their histories, and mends those that are wrong. For callers whose appends are refused
   * because a queue changed, though it was read anew and has not. Whoever reads a queue next learns if its history cannot be read.
   */
  async doubt(names: readonly string[]): Promise<void> {
    for (const name of names) this.forget(name);
    await this.rows?.mend(names.map(queueStream));
  }
}
