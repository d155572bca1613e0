import { type LeaderTerm, TermOver } from '../../application/kernel/leader-term.js';
import type { WakeUps } from '../../application/kernel/wake-ups.port.js';
import type { Chore } from './chore.js';
import { ChoreRound, type RoundOutcome } from './chore-round.js';
import type { DueWork } from './due-work.js';
import type { FailingItems } from './failing-items.js';
import type { StrayRows } from './stray-rows.js';

export interface SweepRoundParts {
  readonly work: DueWork;
  readonly failing: FailingItems;
  readonly strays: StrayRows;
  readonly wakeUps: WakeUps;
}

/** Lets happen what is due now: all chores in their order, and then the tasks whose time has come. */
export class SweepRound {
  private readonly rounds: readonly ChoreRound[];
  private toldUntil = '-infinity';

  constructor(
    chores: readonly Chore[],
    private readonly parts: SweepRoundParts,
  ) {
    this.rounds = chores.map((chore) => new ChoreRound(chore, parts.failing, parts.strays));
  }

  /**
   * What came of the chores. Rejects with `TermOver` if another process sweeps since, and, after all chores, if the database or the event store was
   * unavailable.
   */
  async run(term: LeaderTerm): Promise<ReadonlySet<RoundOutcome>> {
    const failures: unknown[] = [];
    const outcomes = new Set<RoundOutcome>();
    for (const round of this.rounds) {
      await round.run(term).then(
        (outcome) => outcomes.add(outcome),
        (error: unknown) => failures.push(error),
      );
      if (failures.at(-1) instanceof TermOver) throw failures.at(-1);
    }
    if (await this.tellOfDueTasks()) outcomes.add('done');
    if (failures.length > 0) throw failures[0];
    return outcomes;
  }

  /** Whether there were any. */
  private async tellOfDueTasks(): Promise<boolean> {
    const { work, wakeUps } = this.parts;
    const { queues, until } = await work.queuesDue(this.toldUntil);
    this.toldUntil = until;
    for (const queue of queues) wakeUps.queueReady(queue);
    return queues.length > 0;
  }
}
