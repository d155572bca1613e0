import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { batchStream } from '../../domain/batch/batch.stream.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { Clock } from '../kernel/clock.port.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { EventStore } from '../kernel/event-store.port.js';
import type { LeaderTerm } from '../kernel/leader-term.js';
import { causedBy } from './caused-by.js';

/** A task of a deleted batch. */
export interface Member {
  readonly taskId: string;
  readonly batch: string;
}

/**
 * Deletes tasks of deleted batches, also running ones, with the actor and the reason of the batch's deletion. Returns
 * how many were deleted.
 */
export class DeleteMembers extends Command<number> {
  constructor(
    readonly members: readonly Member[],
    readonly term: LeaderTerm,
  ) {
    super();
  }
}

@CommandHandler(DeleteMembers)
export class DeleteMembersHandler implements ICommandHandler<DeleteMembers> {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
    private readonly store: EventStore,
  ) {}

  async execute({ members, term }: DeleteMembers): Promise<number> {
    const batches = [...new Set(members.map(({ batch }) => batch))];
    const histories = await this.store.readStreams(batches.map(batchStream));
    let deleted = 0;
    for (const [at, batch] of batches.entries()) {
      const deletion = histories[at]!.findLast(({ event }) => event.type === 'BatchDeleted')!;
      const context = { ...causedBy(deletion), term };
      const command = { type: 'DeleteTask', now: this.clock.iso(), by: context.actor, force: true } as const;
      const work = members
        .filter((one) => one.batch === batch)
        .map(({ taskId }) => ({ stream: taskStream(taskId), command, load: 'whole' as const }));
      const outcomes = await this.runner.runMany(taskDecider, work, context);
      deleted += outcomes.filter(({ kind }) => kind === 'accepted').length;
    }
    return deleted;
  }
}
