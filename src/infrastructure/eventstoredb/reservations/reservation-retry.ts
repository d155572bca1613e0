import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStoreDbLog } from '../log/eventstoredb-log.js';
import type { IndexProgress } from './index-progress.js';

/** How long an append waits for others that need the same. After that, its caller must try again. */
const PATIENCE_MS = 5_000;
/** The pause before each try once the first `often` of them are over. */
const REST_MS = 100;
/** How long to wait for the index to apply what was just stored. */
export const INDEX_MS = 2_000;

/** What to do with an append that could not be reserved: wait, try again, or accept the refusal. */
export class ReservationRetry {
  private readonly until = performance.now() + PATIENCE_MS;
  private tries = 0;
  /** Whether the index has applied what the log held when this append was refused. */
  private isCurrent = false;

  constructor(
    private readonly log: EventStoreDbLog,
    private readonly index: IndexProgress,
    /** How many tries follow the index as it moves; later ones are rare. An index that lags by seconds moves hundreds of times. */
    private readonly often = Infinity,
  ) {}

  /**
   * Decides what follows an answer. `busy` means that the outcome of an append under way decides. A refusal counts once
   * the index has applied all that the log held before it, so the first one leads to another try.
   */
  async after(answer: 'busy' | 'refused'): Promise<'again' | 'believe' | 'give up'> {
    if (answer === 'refused' && this.isCurrent) return 'believe';
    if (answer === 'busy') await Promise.all([this.index.moved(), this.rest()]);
    else this.isCurrent = await this.index.reached(await this.log.head(), INDEX_MS);
    return performance.now() > this.until ? 'give up' : 'again';
  }

  private async rest(): Promise<void> {
    this.tries += 1;
    if (this.tries > this.often) await sleep(REST_MS);
  }
}
