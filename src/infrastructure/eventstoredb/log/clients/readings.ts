import { unreachable } from '../store-errors.js';
import type { Following, Reading, ResolvedEvent } from './store-client.port.js';

/**
 * Yields the events of a read, or of a subscription that is left once it has sent what was asked for. Does two things
 * that the clients leave to their caller: it fails a read that falls silent, and it cancels a read that is not consumed
 * to its end, which would otherwise stay open on the server.
 */
export async function* eventsOf<T = ResolvedEvent>(reading: Reading | Following, silenceMs: number): AsyncGenerator<T> {
  const timer = setTimeout(() => reading.destroy(unreachable()), silenceMs);
  let isOver = false;
  try {
    for await (const resolved of reading.iterator({ destroyOnReturn: false }) as AsyncIterable<T>) {
      timer.refresh();
      yield resolved;
    }
    isOver = true;
  } finally {
    clearTimeout(timer);
    if (!isOver) leave(reading);
  }
}

/**
 * Events that the server has already sent must be drained: until then the client keeps the call and does not close. The
 * client reports a failed call even when nobody listens, and a call that never opened needs no cancellation. The caller
 * does not wait for the cancellation: while the client looks for the leader there may be no call, and it tries each
 * silent node for five seconds, ten times over.
 */
function leave(reading: Reading | Following): void {
  reading.on('error', () => undefined);
  reading.resume();
  const left = 'cancel' in reading ? reading.cancel() : reading.unsubscribe();
  void left.catch(() => undefined);
}
