import type { EventStoreDbLog } from '../log/eventstoredb-log.js';
import type { IndexProgress } from './index-progress.js';

/** How long an append waits for others that need the same. After that, its caller must try again. */
const PATIENCE_MS = 5_000;
/** How long to wait for the index to apply what was just stored. */
export const INDEX_MS = 2_000;

/** What to do with an append that could not be reserved: wait, try again, or accept the refusal. */
export class ReservationRetry {
  private readonly until = performance.now() + PATIENCE_MS;
  private before: 'busy' | 'refused' | null = null;

  constructor(
    private readonly log: EventStoreDbLog,
    private readonly index: IndexProgress,
  ) {}

  /**
   * Decides what follows an answer. `busy` means that the outcome of an append under way decides. A refusal counts only
   * if the index had applied the whole log when it was given, so the first one leads to another try.
   */
  async after(answer: 'busy' | 'refused'): Promise<'again' | 'believe' | 'give up'> {
    if (answer === 'busy') await this.index.moved();
    else if (this.before === 'refused') return 'believe';
    else await this.index.reached(await this.log.head(), INDEX_MS);
    this.before = answer;
    return performance.now() > this.until ? 'give up' : 'again';
  }
}
