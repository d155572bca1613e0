import { Injectable } from '@nestjs/common';
import { queueDecider } from '../../domain/queue/queue.decider.js';
import type { QueueState } from '../../domain/queue/queue.state.js';
import { queueStream } from '../../domain/queue/queue.stream.js';
import { Directory, type DirectoryEntry } from './directory.js';
import { EventStore } from './event-store.port.js';

export type QueueEntry = DirectoryEntry<QueueState>;

/** The queues, cached for up to two seconds. */
@Injectable()
export class QueueDirectory extends Directory<QueueState> {
  constructor(store: EventStore) {
    super(store, { ...queueDecider, streamOf: queueStream });
  }
}
