import { setTimeout as delay } from 'node:timers/promises';
import type { NewEvent } from './fixture-log.js';

/** A server answers an append that it cannot finish after this time, whatever the client's deadline. */
export const WRITE_TIMEOUT_MS = 2_000;
/** What a server needs for an append: 0.9 to 1.2 ms were measured. */
const COMMIT_MS = 1;

/**
 * The appends on their way. A server that gets the same events again meanwhile does not recognise them yet, and answers
 * the second append with Timeout.
 */
export class Flights {
  /** How many appends met themselves on their way. */
  met = 0;
  private readonly open = new Set<string>();

  /** `afterMs`: how long a release goes on doing so after its answer. */
  constructor(readonly afterMs: number) {}

  /** How many appends would not be recognised if they came again now. */
  get unknown(): number {
    return this.open.size;
  }

  /** `events`: the first ones of the appends to each stream. */
  meets(events: readonly NewEvent[]): boolean {
    const meets = events.some(({ id }) => this.open.has(id));
    if (meets) this.met += 1;
    return meets;
  }

  /** Stores events, and resolves when the server would answer. `events`: the first ones of the appends to each stream. */
  async store<T>(events: readonly NewEvent[], append: () => T): Promise<T> {
    for (const { id } of events) this.open.add(id);
    const written = append();
    await delay(COMMIT_MS);
    if (this.afterMs === 0) this.forget(events);
    else setTimeout(() => this.forget(events), this.afterMs).unref();
    return written;
  }

  private forget(events: readonly NewEvent[]): void {
    for (const { id } of events) this.open.delete(id);
  }
}
