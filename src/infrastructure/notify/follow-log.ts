import type { SubscribeOptions } from '../../application/kernel/event-store.port.js';
import type { WakeUps } from '../../application/kernel/wake-ups.port.js';
import { Signal } from '../../application/kernel/signal.js';

const BATCH = 1_000;
/**
 * The longest time that a missed wake-up goes unnoticed. Readers rely on reading the log; a wake-up only makes them
 * read it sooner.
 */
const HEARTBEAT_MS = 1_000;

/** Reads the log after a position, about `limit` events of it. */
type Read<T> = (after: bigint, limit: number) => readonly T[] | Promise<readonly T[]>;

/**
 * Yields the log from a position on, without end: reads until nothing is left, then sleeps until the log grows or the
 * heartbeat is due.
 */
export async function* followLog<T extends { readonly position: bigint }>(
  read: Read<T>,
  wakeUps: WakeUps,
  after: bigint,
  { signal, batchSize = BATCH, heartbeatMs = HEARTBEAT_MS }: SubscribeOptions,
): AsyncGenerator<readonly T[]> {
  const grown = new Signal();
  const stop = wakeUps.onLogAdvanced(() => grown.emit());
  try {
    let position = after;
    while (!signal.aborted) {
      const { count } = grown;
      const events = await read(position, batchSize);
      position = events.at(-1)?.position ?? position;
      if (events.length > 0) {
        yield events;
        continue;
      }
      await grown.past(count, signal, heartbeatMs);
      if (grown.count === count && !signal.aborted) yield [];
    }
  } finally {
    stop();
  }
}
