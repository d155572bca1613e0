import { LRUCache } from 'lru-cache';
import type { PickRow } from './picked-tasks.js';

/** Where the rows of a queue's ready lane begin, as far as this process knows. */
export interface SeekFloor {
  readonly priority: number;
  readonly seq: string;
}

/**
 * The bound on how long a row stays unseen that another process took and gave back by a rollback, which nothing tells of.
 * A full look walks over all deleted rows.
 */
const FULL_LOOK_MS = 1_000;

interface Seen extends SeekFloor {
  readonly fullLookAt: number;
}

/** Remembers per queue where the last pick began, so that the next need not begin at the front. */
export class SeekFloors {
  private readonly seen = new LRUCache<string, Seen>({ max: 1_000 });

  /** Null where it is time to look from the front. */
  of(queue: string): SeekFloor | null {
    const seen = this.seen.get(queue);
    return seen && performance.now() - seen.fullLookAt < FULL_LOOK_MS ? seen : null;
  }

  /** `from`: the floor that the pick was given. */
  picked(queue: string, from: SeekFloor | null, rows: readonly PickRow[]): void {
    const fullLookAt = from ? (this.seen.peek(queue)?.fullLookAt ?? 0) : performance.now();
    const first = rows[0];
    if (first) this.seen.set(queue, { priority: first.priority, seq: first.seq, fullLookAt });
  }

  /** After a rollback: the rows are back, before the floor. */
  forget(queue: string): void {
    this.seen.delete(queue);
  }
}
