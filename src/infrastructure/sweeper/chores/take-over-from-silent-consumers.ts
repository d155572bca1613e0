import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { LeaderTerm } from '../../../application/kernel/leader-term.js';
import { TakeFromSilentConsumers } from '../../../application/claims/take-from-silent-consumers.handler.js';
import { type Chore, contextOfRound } from '../chore.js';
import { DueWork } from '../due-work.js';

/** Ends the attempts of serial queues whose consumers vanished, if no worker takes these queues over. */
@Injectable()
export class TakeOverFromSilentConsumers implements Chore<string> {
  readonly name = 'take over from silent consumers';
  readonly idOf = (queue: string) => queue;

  constructor(
    private readonly commands: CommandBus,
    private readonly work: DueWork,
  ) {}

  find(limit: number): Promise<readonly string[]> {
    return this.work.silentlyHeldQueues(limit);
  }

  act(queues: readonly string[], term: LeaderTerm): Promise<number> {
    return this.commands.execute(new TakeFromSilentConsumers(queues, contextOfRound(term)));
  }
}
