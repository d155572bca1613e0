import { Leaders, type Term } from '../leadership/leaders.js';
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
  private term: Term | null = null;

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
    await this.term?.release();
    this.term = null;
  }

  private async round(signal: AbortSignal): Promise<number> {
    if (!this.term || this.term.lost.aborted)
      this.term = await this.leaders.lead(`retries of ${this.follower.name}`, signal);
    if (!this.term) return 0;
    const done = await this.follower.retry();
    this.term.worked();
    return done > 0 ? WHILE_PRODUCTIVE_MS : LOOK_MS;
  }
}
