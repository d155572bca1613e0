import type { ResolvedEvent, StreamingRead } from '@eventstore/db-client';
import { unreachable } from './trouble.js';

/**
 * A read's events. Two things that the client leaves to its caller: a read that falls silent ends with an error, and one
 * that is not read to its end is cancelled, or it would stay open on the server.
 */
export async function* eventsOf(
  reading: StreamingRead<ResolvedEvent>,
  silenceMs: number,
): AsyncGenerator<ResolvedEvent> {
  const timer = setTimeout(() => reading.destroy(unreachable()), silenceMs);
  let isOver = false;
  try {
    for await (const resolved of reading.iterator({ destroyOnReturn: false }) as AsyncIterable<ResolvedEvent>) {
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
 * What the server has sent already must run out: until then the client keeps the call, and does not close. The client tells
 * of a call's failure also when nobody listens any more; one that never came about need not be cancelled. Not waited for: there may be
 * no call before the client has found the leader, for which it takes five seconds at each node that is silent, ten times over.
 */
function leave(reading: StreamingRead<ResolvedEvent>): void {
  reading.on('error', () => undefined);
  reading.resume();
  void reading.cancel().catch(() => undefined);
}
