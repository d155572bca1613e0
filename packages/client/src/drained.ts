import type { Caller, CallOptions } from './caller.js';
import { assertTime } from './clock.js';
import { changeFeed } from './event-feed.js';
import { plural } from './words/numbers.js';

export interface DrainedOptions extends Pick<CallOptions, 'signal'> {
  /** How long to wait until nothing runs, in all; as long as it takes if absent. */
  readonly timeoutMs?: number | undefined;
}

/** Tasks still run, or they are given out again. */
export class NotDrained extends Error {
  override readonly name = 'NotDrained';

  constructor(
    /** How many tasks ran when they were looked at last; null if there was no answer in time. */
    readonly running: number | null,
    why: string,
  ) {
    super(`Expected nothing to run any more, but ${why}`);
  }
}

/** What drains: the system, or a queue. */
export interface Draining<Seen> {
  /** At a position of the log or later. */
  readonly look: (minPosition: string) => Promise<Seen>;
  readonly runningIn: (seen: Seen) => number;
  /** Why the wait would never end; null if tasks are not given out. */
  readonly givesOut: (seen: Seen) => string | null;
}

/**
 * What is seen once nothing runs, while no task is given out. Nobody polls: the service tells what changes, at most once a second, and
 * only then does somebody look.
 */
export async function drainedOf<Seen>(
  caller: Caller,
  draining: Draining<Seen>,
  { timeoutMs, signal }: DrainedOptions,
): Promise<Seen> {
  assertTime('timeoutMs', timeoutMs);
  const over = new AbortController();
  const end = (): void => over.abort();
  signal?.addEventListener('abort', end);
  const cancel = timeoutMs === undefined ? () => undefined : caller.config.clock.after(timeoutMs, end);
  try {
    signal?.throwIfAborted();
    return await seenDrained(caller, draining, over.signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    cancel();
    signal?.removeEventListener('abort', end);
    end();
  }
}

async function seenDrained<Seen>(
  caller: Caller,
  { look, runningIn, givesOut }: Draining<Seen>,
  signal: AbortSignal,
): Promise<Seen> {
  let running: number | null = null;
  // From the beginning: the first notice comes at once, and says that anything may have changed.
  for await (const { position } of changeFeed(caller, { after: '0', signal })) {
    const seen = await look(position);
    running = runningIn(seen);
    const why = givesOut(seen);
    if (why !== null) throw new NotDrained(running, why);
    if (running === 0) return seen;
  }
  throw new NotDrained(running, running === null ? 'there was no answer in time' : stillRun(running));
}

const stillRun = (running: number): string => `${plural(running, 'task')} still ${running === 1 ? 'runs' : 'run'}`;
