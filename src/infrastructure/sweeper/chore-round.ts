import { isConnectionError } from '../../application/kernel/connection-errors.js';
import { EventStoreUnavailable } from '../../application/kernel/event-store.port.js';
import { inHalves } from '../../application/kernel/in-halves.js';
import { type LeaderTerm, TermOver } from '../../application/kernel/leader-term.js';
import type { Chore } from './chore.js';
import type { FailingItems } from './failing-items.js';
import type { StrayRows } from './stray-rows.js';

const ROWS_PER_ROUND = 500;

/** The name under which the chore itself is among its failing items. */
const ITSELF = '*';

/** `nothing` was due, something was `done` about what was due, or nothing could be: `stuck`. */
export type RoundOutcome = 'nothing' | 'done' | 'stuck';

/** Does a chore. What fails rests, and keeps neither the chore's other items nor other chores from being dealt with. */
export class ChoreRound {
  /** What was due in the last round. */
  private tried: ReadonlySet<string> = new Set();

  constructor(
    private readonly chore: Chore,
    private readonly failing: FailingItems,
    private readonly strays: StrayRows,
  ) {}

  /** Rejects if the database or the event store is unavailable, or the term is over. */
  async run(term: LeaderTerm): Promise<RoundOutcome> {
    const { name } = this.chore;
    if (this.failing.rests(name, ITSELF)) return 'nothing';
    try {
      const outcome = await this.dealWithDue(term);
      await this.failing.forget(name, [ITSELF]);
      return outcome;
    } catch (error) {
      if (isUnavailable(error)) throw error;
      await this.failing.failed(name, ITSELF, error);
      return 'nothing';
    }
  }

  private async dealWithDue(term: LeaderTerm): Promise<RoundOutcome> {
    const { chore, failing } = this;
    const known = failing.of(chore.name);
    // Those that rest are found too, and must not take the places of others.
    const limit = ROWS_PER_ROUND + known.length;
    const rows = await chore.find(limit);
    if (known.length > 0 && rows.length < limit) await this.forgetAllBut(rows, known);
    const open = rows.filter((row) => !failing.rests(chore.name, chore.idOf(row)));
    if (open.length === 0) return 'nothing';
    const done = await this.act(open, term);
    return done + (await this.doubt(open)) > 0 ? 'done' : 'stuck';
  }

  private async forgetAllBut(rows: readonly unknown[], known: readonly string[]): Promise<void> {
    const due = new Set([...rows.map(this.chore.idOf), ITSELF]);
    await this.failing.forget(
      this.chore.name,
      known.filter((id) => !due.has(id)),
    );
  }

  /** If the rows fail together, deals with each half by itself. Commands look at the current state, so repeating is harmless. */
  private async act(due: readonly unknown[], term: LeaderTerm): Promise<number> {
    const { chore, failing } = this;
    const act = async (rows: readonly unknown[]): Promise<number> => {
      const done = await chore.act(rows, term);
      await failing.forget(chore.name, rows.map(chore.idOf));
      return done;
    };
    const alone = async (row: unknown, error: unknown): Promise<number> => {
      await failing.failed(chore.name, chore.idOf(row), error);
      return 0;
    };
    const done = await inHalves(due, act, { alone, concernsAll: isUnavailable });
    return done.reduce((sum, one) => sum + one, 0);
  }

  /** Puts tasks aside whose rows are wrong, and mends their leases: what they say was due in the last round too, and no command changed that. Returns how many. */
  private async doubt(rows: readonly unknown[]): Promise<number> {
    const { idOf, taskOf } = this.chore;
    if (!taskOf) return 0;
    const again = rows.filter((row) => this.tried.has(idOf(row)));
    this.tried = new Set(rows.map(idOf));
    return again.length === 0 ? 0 : this.strays.doubt(again.map(taskOf));
  }
}

/** Concerns every item. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof EventStoreUnavailable || error instanceof TermOver || isConnectionError(error);
