import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { LeaderTerm } from '../../../application/kernel/leader-term.js';
import { FireDueTriggers } from '../../../application/triggers/fire-due-triggers.handler.js';
import type { DueTrigger } from '../../../application/triggers/trigger-states.port.js';
import { PostgresTriggerStates } from '../../dispatch-index/postgres-trigger-states.js';
import { type Chore, contextOfRound } from '../chore.js';

/** Makes the tasks of triggers whose time has come. */
@Injectable()
export class FireTriggers implements Chore<DueTrigger> {
  readonly name = 'fire triggers';
  readonly idOf = ({ name }: DueTrigger) => name;

  constructor(
    private readonly commands: CommandBus,
    private readonly triggers: PostgresTriggerStates,
  ) {}

  find(limit: number): Promise<readonly DueTrigger[]> {
    return this.triggers.due(limit);
  }

  act(due: readonly DueTrigger[], term: LeaderTerm): Promise<number> {
    return this.commands.execute(new FireDueTriggers(due, contextOfRound(term)));
  }
}
