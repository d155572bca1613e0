import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { LeaderTerm } from '../../../application/kernel/leader-term.js';
import type { StoredResource } from '../../../application/resources/resource-states.port.js';
import { RecordStaleness } from '../../../application/resources/record-staleness.handler.js';
import { PostgresResourceStates } from '../../dispatch-index/postgres-resource-states.js';
import { type Chore, contextOfRound } from '../chore.js';

/** Records that resources became short because nobody measures them any more. Claims notice it without this. */
@Injectable()
export class RecordStaleResources implements Chore<StoredResource> {
  readonly name = 'record stale resources';
  readonly idOf = ({ name }: StoredResource) => name;

  constructor(
    private readonly commands: CommandBus,
    private readonly states: PostgresResourceStates,
  ) {}

  find(limit: number): Promise<readonly StoredResource[]> {
    return this.states.stale(limit);
  }

  act(stale: readonly StoredResource[], term: LeaderTerm): Promise<number> {
    return this.commands.execute(new RecordStaleness(stale, contextOfRound(term)));
  }
}
