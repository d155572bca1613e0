import { Loop } from './loop.js';
import type { Leaders, Leadership } from '../leadership/leaders.js';

/** What a role does, of all processes in one at a time. */
export interface LedWork {
  readonly role: string;
  /** As `Loop` says what could not be done. */
  readonly purpose: string;
  /** Returns how many milliseconds to rest before the next round. */
  readonly round: (leadership: Leadership) => Promise<number>;
  /** Before the first round of each term. */
  readonly begin?: () => void;
  /** Rests by itself, such as until something happens. */
  readonly rest?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Repeats the rounds of a role while this process leads it, and waits for the role otherwise. */
export class LeaderLoop {
  private readonly loop: Loop;
  private leadership: Leadership | null = null;

  constructor(
    private readonly leaders: Leaders,
    private readonly work: LedWork,
  ) {
    this.loop = new Loop(work.purpose, (signal) => this.round(signal), work.rest);
  }

  /** Safe to call twice. */
  start(): void {
    this.loop.start();
  }

  /** Waits for the current round, and lets another process lead. Safe to call twice. */
  async stop(): Promise<void> {
    await this.loop.stop();
    await this.leadership?.release();
    this.leadership = null;
  }

  private async round(signal: AbortSignal): Promise<number> {
    const leadership = await this.led(signal);
    if (!leadership) return 0;
    const restMs = await this.work.round(leadership);
    leadership.worked();
    return restMs;
  }

  private async led(signal: AbortSignal): Promise<Leadership | null> {
    if (this.leadership && !this.leadership.lost.aborted) return this.leadership;
    this.leadership = await this.leaders.lead(this.work.role, signal);
    if (this.leadership) this.work.begin?.();
    return this.leadership;
  }
}
