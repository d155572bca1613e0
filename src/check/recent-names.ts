import { hashOf } from './hash.js';

/** A power of two. */
const SLOTS = 1 << 18;
/** So many names make searches short. */
const MOST = SLOTS / 2;

/**
 * Which of the last names were seen before, of at least 131,072 and at most twice as many, in 4 MB. Names are told apart by 64 bits, so two
 * of ten million are taken for one in one of five million logs.
 */
export class RecentNames {
  private newest = new Names();
  private earlier = new Names();

  /** Adds a name. Returns whether it was there. */
  add(name: string): boolean {
    const [high, low] = hashOf(name);
    if (this.newest.size >= MOST) [this.earlier, this.newest] = [this.newest, new Names()];
    return !this.newest.add(high, low) || this.earlier.has(high, low);
  }
}

class Names {
  size = 0;
  private readonly high = new Uint32Array(SLOTS);
  private readonly low = new Uint32Array(SLOTS);

  has(high: number, low: number): boolean {
    return !this.isFree(this.slotFor(high, low));
  }

  /** Whether it is new. */
  add(high: number, low: number): boolean {
    const at = this.slotFor(high, low);
    if (!this.isFree(at)) return false;
    [this.high[at], this.low[at]] = [high, low];
    this.size++;
    return true;
  }

  /** The slot of the name, or the free one where it belongs. */
  private slotFor(high: number, low: number): number {
    let at = low & (SLOTS - 1);
    while (!this.isFree(at) && (this.high[at] !== high || this.low[at] !== low)) at = (at + 1) & (SLOTS - 1);
    return at;
  }

  private isFree(at: number): boolean {
    return this.high[at] === 0 && this.low[at] === 0;
  }
}
