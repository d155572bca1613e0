import { LRUCache } from 'lru-cache';

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

/** What came of a pick. */
export interface Looked {
  /** Where the pick began; null where it found nothing. */
  readonly front: SeekFloor | null;
}

/** Remembers per queue where the last pick began, so that the next need not begin at the front. */
export class SeekFloors {
  private readonly seen = new LRUCache<string, Seen>({ max: 1_000 });

  /**
   * Gives the pick the queue's floor, or null where it is time to look from the front. After a rollback, which is told by null or by an
   * error, the rows are back, before any floor.
   */
  async during<T extends Looked>(
    queue: string,
    pick: (floor: SeekFloor | null) => Promise<T | null>,
  ): Promise<T | null> {
    const seen = this.current(queue);
    this.seen.delete(queue);
    const looked = await pick(seen);
    if (!looked) return null;
    const fullLookAt = seen?.fullLookAt ?? performance.now();
    const front = looked.front ?? seen;
    if (front) this.seen.set(queue, { priority: front.priority, seq: front.seq, fullLookAt });
    return looked;
  }

  private current(queue: string): Seen | null {
    const seen = this.seen.get(queue);
    return seen && performance.now() - seen.fullLookAt < FULL_LOOK_MS ? seen : null;
  }
}
