import { Injectable } from '@nestjs/common';

/** Queues beyond these share one count, as their metrics do. */
const MOST_QUEUES = 200;
const OTHERS = '(others)';

class QueueCounts {
  private readonly counts = new Map<string, number>();

  add(queue: string): void {
    const name = this.counts.has(queue) || this.counts.size < MOST_QUEUES ? queue : OTHERS;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  get byQueue(): readonly (readonly [queue: string, count: number])[] {
    return [...this.counts];
  }
}

/** How many submissions of each queue this process answered with a task that waited for their keys, so that they became none of their own. */
@Injectable()
export class Deduplications {
  /** For which the waiting task stood, or whose payload it took over. */
  readonly existing = new QueueCounts();
  /** Which the waiting task took in. */
  readonly gathered = new QueueCounts();
}
