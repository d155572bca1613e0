import type { CommandBus } from '@nestjs/cqrs';
import { ExpireLeases } from '../../application/claims/expire-leases.handler.js';
import type { CommandContext } from '../../application/kernel/command-context.js';
import { newId } from '../../application/kernel/new-id.js';
import { ApplyDueQueueTransitions } from '../../application/queues/apply-due-queue-transitions.handler.js';
import type { DueQueues } from './due-queues.js';
import type { DueWork } from './due-work.js';

/** Something that is due: found by how things are, not by what happened, and done by commands. */
export interface Chore<Row = unknown> {
  /** In messages. */
  readonly name: string;
  /** At most so many, the longest due first. */
  find(limit: number): Promise<readonly Row[]>;
  /** Answers how many of them it did. */
  act(rows: readonly Row[]): Promise<number>;
}

const chore = <Row>(parts: Chore<Row>): Chore => parts as Chore;

/** A new chore is a row here. */
export const choresOf = (commands: CommandBus, work: DueWork, queues: DueQueues): readonly Chore[] => [
  chore({
    name: 'expire leases',
    find: (limit) => work.overdueLeases(limit),
    act: (leases) => commands.execute(new ExpireLeases(leases, contextOfRound())),
  }),
  chore({
    name: 'apply due queue transitions',
    find: (limit) => queues.find(limit),
    act: (due) => commands.execute(new ApplyDueQueueTransitions(due, contextOfRound())),
  }),
];

const contextOfRound = (): CommandContext => ({ actor: 'sweeper', correlationId: newId() });
