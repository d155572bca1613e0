import type { QueueStats } from '@waybill/client';

const KEPT = 60;

interface Reading {
  readonly atMs: number;
  /** The number of succeeded tasks of each queue. */
  readonly succeeded: ReadonlyMap<string, number>;
}

/** How many tasks of each queue succeeded per second, from one load of the counts to the next, the latest last. */
export class Rates {
  private before: Reading | null = null;
  private readonly courses = new Map<string, readonly number[]>();

  /** Ignores counts that are not newer than the last ones. */
  look(stats: readonly QueueStats[], atMs: number): void {
    const succeeded = new Map(stats.map(({ queue, counts }) => [queue, counts.succeeded ?? 0]));
    const { before } = this;
    if (before && atMs <= before.atMs) return;
    for (const [queue, count] of before ? succeeded : []) {
      const more = Math.max(0, count - (before!.succeeded.get(queue) ?? count));
      const perSecond = (more * 1_000) / (atMs - before!.atMs);
      this.courses.set(queue, [...this.course(queue), perSecond].slice(-KEPT));
    }
    this.before = { atMs, succeeded };
  }

  course(queue: string): readonly number[] {
    return this.courses.get(queue) ?? [];
  }
}
