import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { queueDecider } from '../../domain/queue/queue.decider.js';
import type { QueueFailure } from '../../domain/queue/queue.events.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import { ResourceStates } from '../resources/resource-states.port.js';
import { type QueueOrderCommand, QueueStreamCommand } from './queue-stream-command.js';

/** A queue that must change its state because of the clock, its policy or another queue. */
export type DueQueue =
  | { readonly name: string; readonly cause: 'pause-over' | 'wait-over' | 'drained' }
  | { readonly name: string; readonly cause: 'failures'; readonly failure: QueueFailure };

/** Returns how many queues changed. Leaves a queue alone if the reason no longer holds. */
export class ApplyDueQueueTransitions extends Command<number> {
  constructor(
    readonly queues: readonly DueQueue[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ApplyDueQueueTransitions)
export class ApplyDueQueueTransitionsHandler implements ICommandHandler<ApplyDueQueueTransitions> {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
    private readonly queues: QueueDirectory,
    private readonly resources: ResourceStates,
  ) {}

  async execute({ queues, context }: ApplyDueQueueTransitions): Promise<number> {
    const given = { now: this.clock.iso(), by: context.actor };
    const work = queues.map((due) => this.workFor(due, given));
    const outcomes = await this.runner.runMany(queueDecider, work, context);
    for (const { name } of queues) this.queues.forget(name);
    return outcomes.filter(({ kind }) => kind === 'accepted').length;
  }

  private workFor(due: DueQueue, given: { readonly now: string; readonly by: string }): QueueStreamCommand {
    const { name } = due;
    const conditions = due.cause === 'drained' ? { queueEmpty: name } : {};
    return new QueueStreamCommand({
      name,
      command: () => ({ ...given, ...commandFor(due) }),
      conditions,
      queues: this.queues,
      resources: this.resources,
    });
  }
}

type Wanted<C> = C extends unknown ? Omit<C, 'now' | 'by'> : never;

function commandFor(due: DueQueue): Wanted<Extract<QueueOrderCommand, { type: ByItself }>> {
  switch (due.cause) {
    case 'pause-over':
      return { type: 'EndPause' };
    case 'wait-over':
      return { type: 'EndWait' };
    case 'drained':
      return { type: 'FinishDrained' };
    case 'failures':
      return { type: 'PauseAfterFailures', failure: due.failure };
  }
}

type ByItself = 'EndPause' | 'EndWait' | 'FinishDrained' | 'PauseAfterFailures';
