import type { Clock } from './clock.js';

/**
 * How long a client asks its reads to reflect a command of its own. A model that is further behind stands still, and a log
 * without the position was put back from a backup: reads must not fail for ever because of either.
 */
const REMEMBERED_MS = 30_000;

/** The newest position of a client's own commands. */
export class OwnPosition {
  private newest = -1n;
  private at = 0;

  constructor(private readonly clock: Clock) {}

  note(position: string): void {
    const noted = BigInt(position);
    if (noted < this.newest && this.get() !== undefined) return;
    this.newest = noted;
    this.at = this.clock.now();
  }

  /** Undefined if the client has given no command lately. */
  get(): string | undefined {
    return this.newest >= 0n && this.clock.now() - this.at < REMEMBERED_MS ? String(this.newest) : undefined;
  }
}
