import { Logger } from '@nestjs/common';
import { sayUnlessAway } from '../../application/kernel/outage.js';
import { Backoff, pause } from './backoff.js';

/** One round of the work. Returns how many milliseconds to rest before the next one. */
export type Round = (signal: AbortSignal) => Promise<number>;

/**
 * Repeats a round of work, with the contract of every role: `start` and `stop` are safe to call twice, and `stop` waits
 * for the current round.
 */
export class Loop {
  private readonly logger = new Logger(Loop.name);
  private readonly backoff = new Backoff();
  private running: { readonly done: Promise<void>; readonly abort: AbortController } | null = null;

  constructor(
    private readonly purpose: string,
    private readonly round: Round,
    private readonly rest: (ms: number, signal: AbortSignal) => Promise<void> = pause,
  ) {}

  start(): void {
    if (this.running) return;
    const abort = new AbortController();
    this.running = { abort, done: this.run(abort.signal) };
  }

  async stop(): Promise<void> {
    this.running?.abort.abort();
    await this.running?.done;
    this.running = null;
  }

  private async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.rest(await this.round(signal), signal);
        this.backoff.succeeded();
      } catch (error) {
        // The next round does what this one could not, so trying again later loses nothing.
        const line = `Expected to ${this.purpose}, but ${(error as Error).message}`;
        sayUnlessAway(error, line, (said) => this.logger.warn(said));
        await this.backoff.wait(signal);
      }
    }
  }
}
