import type { EventStoreDbLog } from '../log/eventstoredb-log.js';
import type { IndexProgress } from './index-progress.js';

/** How long an append waits for others that take the same, before its caller has to try again. */
const PATIENCE_MS = 5_000;
/** How long is waited for the index, so that it has what was just stored. */
export const INDEX_MS = 2_000;

/** What an append does that could not take what it needs: waits, tries again, and believes a refusal in the end. */
export class ReservationRetry {
  private readonly until = performance.now() + PATIENCE_MS;
  private before: 'busy' | 'refused' | null = null;

  constructor(
    private readonly log: EventStoreDbLog,
    private readonly index: IndexProgress,
  ) {}

  /**
   * After an answer; `busy`: how something under way ends decides. A refusal is believed on an index that had the whole log when it
   * refused; before that it only says: look again.
   */
  async after(answer: 'busy' | 'refused'): Promise<'again' | 'believe' | 'give up'> {
    if (answer === 'busy') await this.index.moved();
    else if (this.before === 'refused') return 'believe';
    else await this.index.reached(await this.log.head(), INDEX_MS);
    this.before = answer;
    return performance.now() > this.until ? 'give up' : 'again';
  }
}
