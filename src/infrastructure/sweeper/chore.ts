import type { CommandBus } from '@nestjs/cqrs';
import { ExpireLeases } from '../../application/claims/expire-leases.handler.js';
import type { CommandContext } from '../../application/kernel/command-context.js';
import { newId } from '../../application/kernel/new-id.js';
import { ApplyDueQueueTransitions } from '../../application/queues/apply-due-queue-transitions.handler.js';
import type { DueQueues } from './due-queues.js';
import type { DueWork } from './due-work.js';

/**
 * One kind of overdue work. It is found by the current state of the tables, not by events, and done through commands.
 */
export interface Chore<Row = unknown> {
  /** Shown in log messages. */
  readonly name: string;
  /** Finds at most `limit` rows, the longest overdue first. */
  find(limit: number): Promise<readonly Row[]>;
  /** Returns how many of the rows it dealt with. */
  act(rows: readonly Row[]): Promise<number>;
}

const chore = <Row>(parts: Chore<Row>): Chore => parts as Chore;

/** The list of chores. Add new ones here. */
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
