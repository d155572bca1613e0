import { LeaderLoop } from '../projection-engine/leader-loop.js';
import type { Leaders } from '../leadership/leaders.js';

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
  private readonly loop: LeaderLoop;

  constructor(follower: Retrying, leaders: Leaders) {
    this.loop = new LeaderLoop(leaders, {
      role: `retries of ${follower.name}`,
      purpose: `try again what '${follower.name}' put aside`,
      round: async () => ((await follower.retry()) > 0 ? WHILE_PRODUCTIVE_MS : LOOK_MS),
    });
  }

  /** Safe to call twice. */
  start(): void {
    this.loop.start();
  }

  /** Waits for the current round. Safe to call twice. */
  stop(): Promise<void> {
    return this.loop.stop();
  }
}
