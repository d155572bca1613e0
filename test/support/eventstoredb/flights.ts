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
  constructor(private readonly afterMs: number) {}

  meets([first]: readonly NewEvent[]): boolean {
    const meets = first !== undefined && this.open.has(first.id);
    if (meets) this.met += 1;
    return meets;
  }

  /** Stores events, and resolves when the server would answer. */
  async store<T>([first]: readonly NewEvent[], append: () => T): Promise<T> {
    const id = first?.id ?? '';
    this.open.add(id);
    const written = append();
    await delay(COMMIT_MS);
    if (this.afterMs === 0) this.open.delete(id);
    else setTimeout(() => this.open.delete(id), this.afterMs).unref();
    return written;
  }
}
