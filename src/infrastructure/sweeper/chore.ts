import type { CommandContext } from '../../application/kernel/command-context.js';
import type { LeaderTerm } from '../../application/kernel/leader-term.js';
import { newId } from '../../application/kernel/new-id.js';

/**
 * One kind of overdue work. It is found by the current state of the tables, not by events, and done through commands.
 */
export interface Chore<Row = unknown> {
  /** Shown in log messages. */
  readonly name: string;
  /** Finds at most `limit` rows, the longest overdue first. */
  find(limit: number): Promise<readonly Row[]>;
  /** Names a row, the same each time that it is found. A function that needs no `this`. */
  readonly idOf: (row: Row) => string;
  /** The task whose row says that something is due, if one does. It is looked at if the same is found again. Needs no `this`. */
  readonly taskOf?: (row: Row) => string;
  /**
   * Returns how many of the rows it dealt with. It may be called again for the same rows. Rejects with `TermOver` if
   * another process sweeps since.
   */
  act(rows: readonly Row[], term: LeaderTerm): Promise<number>;
}

/** The context of the commands that one chore gives in one round. */
export const contextOfRound = (term: LeaderTerm): CommandContext => ({
  actor: 'sweeper',
  correlationId: newId(),
  term,
});
