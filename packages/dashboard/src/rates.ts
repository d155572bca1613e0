import type { QueueStats } from '@waybill/client';

const KEPT = 60;

interface Look {
  readonly atMs: number;
  /** By queue. */
  readonly succeeded: ReadonlyMap<string, number>;
}

/** How many tasks of each queue succeeded a second between looks, the latest last: what the counts of several looks tell. */
export class Rates {
  private before: Look | null = null;
  private readonly courses = new Map<string, readonly number[]>();

  /** Looks at the same moment tell nothing. */
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
