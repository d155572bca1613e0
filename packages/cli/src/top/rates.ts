import type { QueueStats } from '@waybill/client';

/** Long enough for a queue that runs a task now and then, short enough to see that it has stopped. */
const WINDOW_MS = 10_000;

interface Look {
  readonly at: number;
  readonly started: number;
  readonly ended: number;
}

export interface Rate {
  readonly started: number;
  readonly ended: number;
}

/** How many tasks of each queue started and ended per second over the last ten seconds, by what was seen then. */
export class Rates {
  private readonly looks = new Map<string, readonly Look[]>();

  see(at: number, queues: readonly QueueStats[]): void {
    for (const { queue, waitingMs, runningMs } of queues) {
      const before = this.looks.get(queue) ?? [];
      // The last look before the window is where it begins.
      const kept = before.filter((_, index) => (before[index + 1]?.at ?? Infinity) > at - WINDOW_MS);
      this.looks.set(queue, [...kept, { at, started: waitingMs.count, ended: runningMs.count }]);
    }
  }

  /** Null until the queue was seen twice. Nothing that is seen later means that nothing has happened since. */
  of(queue: string, now: number): Rate | null {
    const looks = this.looks.get(queue) ?? [];
    const [oldest, latest] = [looks[0], looks.at(-1)];
    if (!oldest || !latest || oldest === latest) return null;
    if (now - latest.at > WINDOW_MS) return { started: 0, ended: 0 };
    // Nothing was heard between, so that all of it has happened in the window.
    const seconds = Math.max(1_000, Math.min(WINDOW_MS, now - oldest.at)) / 1_000;
    return { started: (latest.started - oldest.started) / seconds, ended: (latest.ended - oldest.ended) / seconds };
  }
}
