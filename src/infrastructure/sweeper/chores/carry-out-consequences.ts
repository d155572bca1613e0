import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { LeaderTerm } from '../../../application/kernel/leader-term.js';
import { AbortDependants } from '../../../application/tasks/abort-dependants.handler.js';
import { DeleteMembers } from '../../../application/tasks/delete-members.handler.js';
import { type Consequence, Consequences } from '../../dispatch-index/consequences.js';
import type { Chore } from '../chore.js';

/** Unblocks the tasks that wait for what is done, aborts those that wait for what was aborted, and does the same to batches. */
@Injectable()
export class CarryOutConsequences implements Chore<Consequence> {
  readonly name = 'carry out consequences';
  readonly idOf = ({ id, what }: Consequence) => `${what} ${id}`;

  constructor(
    private readonly commands: CommandBus,
    private readonly consequences: Consequences,
  ) {}

  find(limit: number): Promise<readonly Consequence[]> {
    return this.consequences.find(limit);
  }

  async act(rows: readonly Consequence[], term: LeaderTerm): Promise<number> {
    await this.consequences.unblock(idsOf(rows, 'unblock'));
    await this.consequences.open(idsOf(rows, 'open'));
    const dependants = await this.consequences.toAbort(idsOf(rows, 'abort'));
    if (dependants.length > 0) await this.commands.execute(new AbortDependants(dependants, term));
    const members = await this.consequences.toDelete(idsOf(rows, 'delete'));
    if (members.length > 0) await this.commands.execute(new DeleteMembers(members, term));
    return rows.length;
  }
}

const idsOf = (rows: readonly Consequence[], wanted: Consequence['what']): string[] =>
  rows.flatMap(({ id, what }) => (what === wanted ? id : []));
