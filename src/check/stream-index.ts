import { TASK_STATUSES, type TaskStatus } from '../domain/task/task.events.js';
import { taskStream } from '../domain/task/task.stream.js';
import type { LogIndex } from './rule.js';

/** Slots at the beginning, doubled whenever three of four are taken. A power of two. */
const SLOTS = 1 << 12;

/**
 * How many events each stream has, how many of them were seen, and as what its task ended: 17 bytes a slot, thus 23 to 45 bytes a
 * stream, whatever the log says of it. Streams are told apart by 64 bits of their names: of ten million of them, two are
 * taken for one in one of 370,000 logs.
 */
export class StreamIndex implements LogIndex {
  private high = new Uint32Array(SLOTS);
  private low = new Uint32Array(SLOTS);
  private counts = new Uint32Array(SLOTS);
  private seen = new Uint32Array(SLOTS);
  private ended = new Uint8Array(SLOTS);
  private size = 0;

  /** Counts an event. All are counted before the first is `see`n. */
  count(stream: string): void {
    const at = this.slotOf(stream);
    if (this.counts[at] === 0 && ++this.size * 4 > this.counts.length * 3) {
      this.grow();
      return this.count(stream);
    }
    this.counts[at]!++;
  }

  /** The number of the stream's events that were seen before this one. */
  see(stream: string): number {
    return this.seen[this.slotOf(stream)]!++;
  }

  /** Whether no event of the stream follows. */
  isOver(stream: string): boolean {
    const at = this.slotOf(stream);
    return this.seen[at]! >= this.counts[at]!;
  }

  has(task: string): boolean {
    return this.counts[this.slotOf(taskStream(task))] !== 0;
  }

  end(stream: string, status: TaskStatus): void {
    this.ended[this.slotOf(stream)] = TASK_STATUSES.indexOf(status) + 1;
  }

  endedAs(task: string): string | undefined {
    return TASK_STATUSES[this.ended[this.slotOf(taskStream(task))]! - 1];
  }

  private slotOf(stream: string): number {
    const [high, low] = hashOf(stream);
    return this.slotFor(high, low);
  }

  /** The slot of the hash, or the free one where it belongs. */
  private slotFor(high: number, low: number): number {
    const mask = this.counts.length - 1;
    let at = low & mask;
    while (this.counts[at] !== 0 && (this.high[at] !== high || this.low[at] !== low)) at = (at + 1) & mask;
    if (this.counts[at] === 0) [this.high[at], this.low[at]] = [high, low];
    return at;
  }

  private grow(): void {
    const { high, low, counts } = this;
    this.size--;
    for (const name of ['high', 'low', 'counts', 'seen'] as const) this[name] = new Uint32Array(counts.length * 2);
    this.ended = new Uint8Array(counts.length * 2);
    for (let at = 0; at < counts.length; at++)
      if (counts[at] !== 0) this.counts[this.slotFor(high[at]!, low[at]!)] = counts[at]!;
  }
}

/** Two rounds of FNV-1a with different beginnings, mixed at the end, because ids differ in few characters. */
function hashOf(text: string): readonly [high: number, low: number] {
  let [high, low] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b);
  }
  return [mixed(high), mixed(low ^ (high >>> 7))];
}

function mixed(hash: number): number {
  let mix = hash ^ (hash >>> 16);
  mix = Math.imul(mix, 0x7feb352d);
  mix ^= mix >>> 15;
  return Math.imul(mix, 0x846ca68b) >>> 0;
}
