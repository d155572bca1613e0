import { Leaders, type Leadership } from '../leadership/leaders.js';
import { Loop } from '../projection-engine/loop.js';

/** A follower that puts events aside. */
export interface Retrying {
  readonly name: string;
  /**
   * Tries again what is due. Returns the number of events that are dealt with. Rejects after an error that concerns all
   * events.
   */
  retry(): Promise<number>;
}

const LOOK_MS = 1_000;
const WHILE_PRODUCTIVE_MS = 20;

/** Tries again what a follower has put aside, beside the follower, so that neither waits for the other. */
export class Retries {
  private readonly loop: Loop;
  private leadership: Leadership | null = null;

  constructor(
    private readonly follower: Retrying,
    private readonly leaders: Leaders,
  ) {
    this.loop = new Loop(`try again what '${follower.name}' put aside`, (signal) => this.round(signal));
  }

  /** Safe to call twice. */
  start(): void {
    this.loop.start();
  }

  /** Waits for the current round. Safe to call twice. */
  async stop(): Promise<void> {
    await this.loop.stop();
    await this.leadership?.release();
    this.leadership = null;
  }

  private async round(signal: AbortSignal): Promise<number> {
    if (!this.leadership || this.leadership.lost.aborted)
      this.leadership = await this.leaders.lead(`retries of ${this.follower.name}`, signal);
    if (!this.leadership) return 0;
    const done = await this.follower.retry();
    this.leadership.worked();
    return done > 0 ? WHILE_PRODUCTIVE_MS : LOOK_MS;
  }
}
