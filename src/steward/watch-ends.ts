import { setTimeout as pause } from 'node:timers/promises';
import { Signal } from '../application/kernel/signal.js';
import type { WakeUps } from '../application/kernel/wake-ups.port.js';

/** Looks this often whether tasks have ended, in case a wake-up was lost. */
const LOOK_MS = 30_000;

interface Watch {
  /** Null: of every queue. */
  readonly queue: string | null;
  /** Until when to look, as a time of this process's clock; for ever if absent. Then it looks once more. */
  readonly until?: number;
  /** Looks at most so often, because many tasks may end meanwhile. */
  readonly gapMs?: number;
}

/**
 * Looks whenever a task of the queue may have ended, until the look says that it is over. Throws the signal's reason when it
 * aborts.
 */
export async function watchEnds(
  wakeUps: WakeUps,
  { queue, until = Infinity, gapMs = 0 }: Watch,
  isOver: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  const changed = new Signal();
  const listener = (of: string): void => void ((queue === null || of === queue || of === '*') && changed.emit());
  const stops = [wakeUps.onSlotFreed(listener), wakeUps.onQueueReady(listener)];
  try {
    for (let seen = changed.count; !(await isOver()) && Date.now() < until; seen = changed.count) {
      await changed.past(seen, signal, Math.min(LOOK_MS, Math.max(0, until - Date.now())));
      signal.throwIfAborted();
      if (gapMs > 0) await pause(gapMs, undefined, { signal });
    }
  } finally {
    for (const stop of stops) stop();
  }
}
