import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { LeaderTerm } from '../../../application/kernel/leader-term.js';
import {
  ApplyDueQueueTransitions,
  type DueQueue,
} from '../../../application/queues/apply-due-queue-transitions.handler.js';
import { type Chore, contextOfRound } from '../chore.js';
import { DueQueues } from '../due-queues.js';

/** Changes the state of queues whose pause or wait is over, which have finished, or which fail too often. */
@Injectable()
export class MoveDueQueues implements Chore<DueQueue> {
  readonly name = 'move due queues';
  readonly idOf = ({ name, cause }: DueQueue) => `${name} ${cause}`;

  constructor(
    private readonly commands: CommandBus,
    private readonly queues: DueQueues,
  ) {}

  find(limit: number): Promise<readonly DueQueue[]> {
    return this.queues.find(limit);
  }

  act(due: readonly DueQueue[], term: LeaderTerm): Promise<number> {
    return this.commands.execute(new ApplyDueQueueTransitions(due, contextOfRound(term)));
  }
}
