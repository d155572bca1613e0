import type { Signal } from '../../application/kernel/signal.js';
import { pause } from '../projection-engine/backoff.js';

/** Every claim and every end of a task may change what is due. Without this rest, there would be a round for each. */
export const SHORTEST_REST_MS = 50;
/** What a state makes due is dealt with within half a second. */
export const LONGEST_REST_MS = 400;
/**
 * On a busy machine a round of some thirty statements took 50 ms, and with rests as long the sweeper kept half of a connection busy; so
 * it works a fifth of the time at most.
 */
const REST_PER_WORK = 4;

/**
 * How long the sweeper rests between its rounds: until something is due that its last round knew of, or something changes. After a
 * round that found nothing although something had changed, the next rest is twice as long, because a busy system changes all the time. After much
 * work it is longer, too.
 */
export class SweepRest {
  private seen = 0;
  private ms = SHORTEST_REST_MS;
  private hasFound = false;
  private workedMs = 0;

  constructor(
    private readonly changed: Signal,
    private readonly pauseFor: typeof pause = pause,
  ) {}

  /** A round begins: it may miss what changes from now on. */
  begin(): void {
    this.seen = this.changed.count;
    this.hasFound = false;
  }

  /** The round dealt with something. */
  found(): void {
    this.hasFound = true;
  }

  /** So long did the round take. */
  worked(ms: number): void {
    this.workedMs = ms;
  }

  /** The round could deal with nothing that was due. It has seen its own changes, so none of them ends the rest. Returns `ms`. */
  afterStuck(ms: number): number {
    this.seen = this.changed.count;
    return ms;
  }

  /** Sleeps until something is due, which is in `ms`, or changes. */
  async rest(ms: number, signal: AbortSignal): Promise<void> {
    const least = Math.max(SHORTEST_REST_MS, Math.min(this.wantedMs, ms));
    await this.pauseFor(least, signal);
    const hasChanged = this.changed.count !== this.seen;
    this.ms = hasChanged && !this.hasFound ? Math.min(2 * this.ms, LONGEST_REST_MS) : SHORTEST_REST_MS;
    await this.changed.past(this.seen, signal, Math.max(0, ms - least));
  }

  private get wantedMs(): number {
    return Math.max(this.ms, Math.min(LONGEST_REST_MS, REST_PER_WORK * this.workedMs));
  }
}
