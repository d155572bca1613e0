import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DEFAULT_POLICY } from '../../domain/queue/queue.policy.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { QueueCommands } from './queue-commands.js';
import { changedPolicy, type PolicyChanges } from './policy-changes.js';

/** Creates a queue. Defining it again with the same content is already done; with other content it is refused. */
export class DefineQueue extends Command<Receipt> {
  constructor(
    readonly name: string,
    readonly description: string,
    readonly policyChanges: PolicyChanges,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(DefineQueue)
export class DefineQueueHandler implements ICommandHandler<DefineQueue> {
  constructor(private readonly queues: QueueCommands) {}

  execute({ name, description, policyChanges, context }: DefineQueue): Promise<Receipt> {
    return this.queues.run(
      name,
      (given) => ({
        ...given,
        type: 'DefineQueue',
        name,
        description,
        policy: changedPolicy(DEFAULT_POLICY, policyChanges),
      }),
      context,
    );
  }
}
