import { isConnectionError } from '../../application/kernel/connection-errors.js';
import { EventStoreUnavailable } from '../../application/kernel/event-store.port.js';
import { type Fence, TermOver } from '../../application/kernel/fence.js';
import type { Chore } from './chore.js';
import type { FailingItems } from './failing-items.js';

const ROWS_PER_ROUND = 500;

/** The name under which the chore itself is among its failing items. */
const ITSELF = '*';

/** Does a chore. What fails rests, and keeps neither the chore's other items nor other chores from being dealt with. */
export class ChoreRound {
  constructor(
    private readonly chore: Chore,
    private readonly failing: FailingItems,
  ) {}

  /**
   * False if rows were due but none could be dealt with. Rejects if the database or the event store is unavailable, or
   * the term is over.
   */
  async run(fence: Fence): Promise<boolean> {
    const { name } = this.chore;
    if (this.failing.rests(name, ITSELF)) return true;
    try {
      const isProductive = await this.dealWithDue(fence);
      await this.failing.forget(name, [ITSELF]);
      return isProductive;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      await this.failing.failed(name, ITSELF, error);
      return true;
    }
  }

  private async dealWithDue(fence: Fence): Promise<boolean> {
    const { chore, failing } = this;
    const known = failing.of(chore.name);
    // Those that rest are found too, and must not take the places of others.
    const limit = ROWS_PER_ROUND + known.length;
    const rows = await chore.find(limit);
    if (known.length > 0 && rows.length < limit) await this.forgetAllBut(rows, known);
    const open = rows.filter((row) => !failing.rests(chore.name, chore.idOf(row)));
    return open.length === 0 || (await this.act(open, fence)) > 0;
  }

  private async forgetAllBut(rows: readonly unknown[], known: readonly string[]): Promise<void> {
    const due = new Set([...rows.map(this.chore.idOf), ITSELF]);
    await this.failing.forget(
      this.chore.name,
      known.filter((id) => !due.has(id)),
    );
  }

  /** If the rows fail together, deals with each half by itself. Commands look at the current state, so repeating is harmless. */
  private async act(rows: readonly unknown[], fence: Fence): Promise<number> {
    const { chore, failing } = this;
    try {
      const done = await chore.act(rows, fence);
      await failing.forget(chore.name, rows.map(chore.idOf));
      return done;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      if (rows.length > 1) {
        const middle = rows.length >> 1;
        return (await this.act(rows.slice(0, middle), fence)) + (await this.act(rows.slice(middle), fence));
      }
      await failing.failed(chore.name, chore.idOf(rows[0]), error);
      return 0;
    }
  }
}

/** Concerns every item. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof EventStoreUnavailable || error instanceof TermOver || isConnectionError(error);
