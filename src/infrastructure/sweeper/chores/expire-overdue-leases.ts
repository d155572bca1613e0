import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { LeaderTerm } from '../../../application/kernel/leader-term.js';
import { ExpireLeases, type OverdueLease } from '../../../application/claims/expire-leases.handler.js';
import { type Chore, contextOfRound } from '../chore.js';
import { DueWork } from '../due-work.js';

/** Ends the leases of workers that vanished or were too slow. */
@Injectable()
export class ExpireOverdueLeases implements Chore<OverdueLease> {
  readonly name = 'expire overdue leases';
  readonly idOf = ({ taskId, token }: OverdueLease) => `${taskId} ${token}`;
  readonly taskOf = ({ taskId }: OverdueLease) => taskId;

  constructor(
    private readonly commands: CommandBus,
    private readonly work: DueWork,
  ) {}

  find(limit: number): Promise<readonly OverdueLease[]> {
    return this.work.overdueLeases(limit);
  }

  act(leases: readonly OverdueLease[], term: LeaderTerm): Promise<number> {
    return this.commands.execute(new ExpireLeases(leases, contextOfRound(term)));
  }
}
