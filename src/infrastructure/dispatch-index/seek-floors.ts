import { LRUCache } from 'lru-cache';

/** The place where a queue's ready rows begin, as far as this process knows. */
export interface SeekFloor {
  readonly priority: number;
  readonly seq: string;
}

/** Bounds the harm of a row that is before the floor and unmarked. A look from the front walks over all deleted rows. */
const FULL_LOOK_MS = 1_000;

interface FloorRow extends SeekFloor {
  readonly fullLookAt: number;
}

/** The result of a pick. */
export interface FoundFloor {
  /** The place where the pick began; null if it found nothing. */
  readonly front: SeekFloor | null;
}

/** Remembers per queue where the last pick began, so that the next one need not begin at the front. */
export class SeekFloors {
  private readonly seen = new LRUCache<string, FloorRow>({ max: 1_000 });

  /**
   * Gives `pick` the queue's floor, or null if it is time to look from the front. A rollback, which null or an error
   * reports, puts rows back before any floor.
   */
  async during<T extends FoundFloor>(
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

  private current(queue: string): FloorRow | null {
    const seen = this.seen.get(queue);
    return seen && performance.now() - seen.fullLookAt < FULL_LOOK_MS ? seen : null;
  }
}
