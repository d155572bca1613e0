/** What is ordered by priority, the highest first, and then by place. */
export interface Ordered {
  readonly place: bigint;
  readonly state: { readonly task: { readonly priority: number } };
}

/** Those that are ready, from which those before another one are found without a look at all of them. */
export class Line<T extends Ordered> {
  private readonly heaps = new Map<number, Heap<T>>();

  add(one: T): void {
    const { priority } = one.state.task;
    const heap = this.heaps.get(priority) ?? new Heap<T>();
    this.heaps.set(priority, heap);
    heap.add(one);
  }

  leave(one: T): void {
    this.heaps.get(one.state.task.priority)?.leave(one);
  }

  *before(one: T): Generator<T> {
    const { priority } = one.state.task;
    for (const [other, heap] of this.heaps)
      if (other >= priority) yield* heap.before(other > priority ? null : one.place);
  }
}

/** Fewer who have left are not worth a look. */
const FEW = 1_000;

/** Each one comes after that at half of its index. Who has left stays in it until its turn comes, or most have left. */
class Heap<T extends Ordered> {
  private items: T[] = [];
  private readonly there = new Set<T>();

  add(one: T): void {
    this.there.add(one);
    this.items.push(one);
    this.rise(this.items.length - 1);
  }

  leave(one: T): void {
    if (!this.there.delete(one)) return;
    if (this.items.length > FEW + 2 * this.there.size) this.items = [...this.there].sort(byPlace);
    while (this.items.length > 0 && !this.there.has(this.items[0]!)) this.pop();
  }

  /** Those before a place, or all. */
  *before(place: bigint | null): Generator<T> {
    const open = [0];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const one = this.items[at];
      if (one === undefined || (place !== null && one.place >= place)) continue;
      if (this.there.has(one)) yield one;
      open.push(2 * at + 1, 2 * at + 2);
    }
  }

  private pop(): void {
    const last = this.items.pop()!;
    if (this.items.length === 0) return;
    this.items[0] = last;
    this.sink();
  }

  private rise(from: number): void {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1;
      if (this.items[parent]!.place <= this.items[at]!.place) return;
      this.swap(parent, at);
      at = parent;
    }
  }

  private sink(): void {
    for (let at = 0; ;) {
      const least = [2 * at + 1, 2 * at + 2].reduce((best, next) => (this.isBefore(next, best) ? next : best), at);
      if (least === at) return;
      this.swap(least, at);
      at = least;
    }
  }

  private isBefore(one: number, other: number): boolean {
    return one < this.items.length && this.items[one]!.place < this.items[other]!.place;
  }

  private swap(one: number, other: number): void {
    [this.items[one], this.items[other]] = [this.items[other]!, this.items[one]!];
  }
}

const byPlace = (one: Ordered, other: Ordered): number => (one.place < other.place ? -1 : 1);
