import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { LeaderTerm } from '../../../application/kernel/leader-term.js';
import { KeepTimeLimits, type PassedLimit } from '../../../application/tasks/keep-time-limits.handler.js';
import { type Chore, contextOfRound } from '../chore.js';
import { DueWork } from '../due-work.js';

/** Ends runs that take too long and tasks that wait too long, and records missed deadlines. */
@Injectable()
export class KeepTimeLimitsOfTasks implements Chore<PassedLimit> {
  readonly name = 'keep the time limits of tasks';
  readonly idOf = ({ taskId, what }: PassedLimit) => `${taskId} ${what}`;
  readonly taskOf = ({ taskId }: PassedLimit) => taskId;

  constructor(
    private readonly commands: CommandBus,
    private readonly work: DueWork,
  ) {}

  find(limit: number): Promise<readonly PassedLimit[]> {
    return this.work.passedLimits(limit);
  }

  act(passed: readonly PassedLimit[], term: LeaderTerm): Promise<number> {
    return this.commands.execute(new KeepTimeLimits(passed, contextOfRound(term)));
  }
}
