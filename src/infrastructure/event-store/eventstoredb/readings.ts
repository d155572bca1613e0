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
    for await (const resolved of reading) {
      timer.refresh();
      yield resolved;
    }
    isOver = true;
  } finally {
    clearTimeout(timer);
    if (!isOver) await cancel(reading);
  }
}

/** A call that never came about need not be cancelled. */
const cancel = (reading: StreamingRead<ResolvedEvent>): Promise<void> => reading.cancel().catch(() => undefined);
