import type { Command, CommandBus } from '@nestjs/cqrs';
import { BatchReports } from '../../../src/application/batches/batch-reports.js';
import { EndBatches, EndBatchesHandler } from '../../../src/application/batches/end-batches.handler.js';
import { AbortDependants, AbortDependantsHandler } from '../../../src/application/tasks/abort-dependants.handler.js';
import { DeleteMembers, DeleteMembersHandler } from '../../../src/application/tasks/delete-members.handler.js';
import type { LeaderTerm } from '../../../src/application/kernel/leader-term.js';
import { Consequences } from '../../../src/infrastructure/dispatch-index/consequences.js';
import { PostgresBatchMembers } from '../../../src/infrastructure/dispatch-index/postgres-batch-members.js';
import { PostgresIndexRows } from '../../../src/infrastructure/dispatch-index/postgres-index-rows.js';
import { PostgresQuarantine } from '../../../src/infrastructure/dispatch-index/postgres-quarantine.js';
import type { Chore } from '../../../src/infrastructure/sweeper/chore.js';
import { CarryOutConsequences } from '../../../src/infrastructure/sweeper/chores/carry-out-consequences.js';
import { EndOverBatches } from '../../../src/infrastructure/sweeper/chores/end-over-batches.js';
import type { DispatchFixture } from '../../support/dispatch-fixture.js';

const AT_ONCE = 100;

/** The sweeper's work on prerequisites and batches, one chore at a time. */
export class SteppedSweeper {
  private readonly chores: Readonly<Record<ChoreName, Chore>>;

  constructor(
    { runner, clock, store, pool, wakeUps }: DispatchFixture,
    private readonly term: LeaderTerm,
  ) {
    const reports = new BatchReports(new PostgresBatchMembers(pool), store);
    const ending = new EndBatchesHandler(runner, clock, store, reports, new PostgresIndexRows(pool, store, wakeUps));
    const aborting = new AbortDependantsHandler(runner, clock, store, new PostgresQuarantine(pool, wakeUps));
    const deleting = new DeleteMembersHandler(runner, clock, store);
    const execute = (command: Command<unknown>): Promise<unknown> => {
      if (command instanceof EndBatches) return ending.execute(command);
      if (command instanceof AbortDependants) return aborting.execute(command);
      return deleting.execute(command as DeleteMembers);
    };
    const bus = { execute } as CommandBus;
    this.chores = {
      consequences: new CarryOutConsequences(bus, new Consequences(pool, wakeUps)) as Chore,
      ends: new EndOverBatches(bus, pool) as Chore,
    };
  }

  /** Returns how many rows there were. */
  async run(name: ChoreName): Promise<number> {
    const rows = await this.chores[name].find(AT_ONCE);
    if (rows.length > 0) await this.chores[name].act(rows, this.term);
    return rows.length;
  }
}

export type ChoreName = 'consequences' | 'ends';
