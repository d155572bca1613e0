import { Injectable } from '@nestjs/common';
import { categoryOf, idOfStream } from '../../domain/aggregates.js';
import type { ShownEvent } from '../kernel/event-store.port.js';
import { type Cursor, LiveLog } from '../kernel/live-log.port.js';
import type { LogSegment } from '../kernel/log-segment.js';
import { withHeartbeat } from './heartbeat.js';

/** Something that is neither a queue nor a task. */
export interface ChangedThing {
  readonly category: string;
  readonly name: string;
}

/** What changed up to a position, and after that of the notice before. */
export interface Changed {
  readonly position: bigint;
  /** Whether the feed does not know what changed. */
  readonly everything: boolean;
  /** Null: more than `MOST_NAMES`. */
  readonly queues: readonly string[] | null;
  readonly tasks: readonly string[] | null;
  readonly others: readonly ChangedThing[] | null;
}

interface ChangedPage {
  readonly events: readonly Changed[];
  readonly reached: bigint;
}

/** The most names of a kind in a notice. A page shows about as many, and beyond them it reads all that it shows anew. */
export const MOST_NAMES = 50;

/** One notice a second at most: what changes meanwhile comes in one. The first after a silence comes at once. */
const PACE = { restAfter: () => 1_000, needsPrivate: false };

/**
 * Tells what changes, without saying how. It reads nothing but the newest events, which the process has in memory anyway: who
 * resumes further back, or is slower than the log, is told that everything may have changed.
 */
@Injectable()
export class ChangeFeed {
  constructor(private readonly live: LiveLog) {}

  /**
   * Yields what changes after `after` until `signal` aborts. `queues`: only what belongs to these; null means all. A page without
   * a notice tells the position reached: after each `heartbeatMs` in which nothing changed.
   */
  async *follow(
    after: bigint,
    queues: ReadonlySet<string> | null,
    signal: AbortSignal,
    heartbeatMs: number,
  ): AsyncGenerator<ChangedPage> {
    const cursor = this.live.open(after, PACE);
    try {
      yield* withHeartbeat(changesAt(cursor, after, queues, signal), after, heartbeatMs);
    } finally {
      await cursor.close();
    }
  }
}

async function* changesAt(
  cursor: Cursor,
  after: bigint,
  queues: ReadonlySet<string> | null,
  signal: AbortSignal,
): AsyncGenerator<ChangedPage> {
  let at = after;
  while (!signal.aborted) {
    const upTo = await cursor.lackingUpTo(at, signal);
    const segments = upTo === null ? await cursor.next(at, signal) : [];
    at = upTo ?? segments.at(-1)?.position ?? at;
    const changed = upTo === null ? changedIn(segments, queues) : everythingUpTo(upTo);
    yield { events: changed ? [changed] : [], reached: at };
  }
}

const everythingUpTo = (position: bigint): Changed => ({
  position,
  everything: true,
  queues: null,
  tasks: null,
  others: null,
});

/** Null if nothing of these queues changed. */
function changedIn(segments: readonly LogSegment[], queues: ReadonlySet<string> | null): Changed | null {
  const [changed, tasks, others] = [new Set<string>(), new Set<string>(), new Map<string, ChangedThing>()];
  for (const event of segments.flatMap((segment) => segment.shown())) {
    const queue = queueOf(event);
    if (queues !== null && (queue === null || !queues.has(queue))) continue;
    const thing = { category: categoryOf(event.stream), name: idOfStream(event.stream) };
    if (queue !== null) changed.add(queue);
    if (thing.category === 'task') tasks.add(thing.name);
    else if (thing.category !== 'queue') others.set(event.stream, thing);
  }
  if (changed.size + tasks.size + others.size === 0) return null;
  const position = segments.at(-1)!.position;
  return { position, everything: false, queues: few(changed), tasks: few(tasks), others: few(others.values()) };
}

/** An event that cannot be read belongs to no queue that is known. */
const queueOf = ({ event, unreadable }: ShownEvent): string | null =>
  unreadable === undefined ? ((event.data as { readonly queue?: string }).queue ?? null) : null;

function few<T>(names: Iterable<T>): readonly T[] | null {
  const all = [...names];
  return all.length > MOST_NAMES ? null : all;
}
