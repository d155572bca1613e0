import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DEFAULT_POLICY } from '../../domain/queue/queue.policy.js';
import type { QueueState } from '../../domain/queue/queue.state.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { changedPolicy, type PolicyChanges } from './policy-changes.js';
import { QueueCommands } from './queue-commands.js';

/** Changes the named fields of a queue's policy; a null description leaves it as it is. */
export class ChangePolicy extends Command<Receipt> {
  constructor(
    readonly name: string,
    readonly description: string | null,
    readonly policyChanges: PolicyChanges,
    /** The policy's version the caller has seen; null changes whatever stands. */
    readonly ifVersion: number | null,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ChangePolicy)
export class ChangePolicyHandler implements ICommandHandler<ChangePolicy> {
  constructor(private readonly queues: QueueCommands) {}

  execute({ name, description, policyChanges, ifVersion, context }: ChangePolicy): Promise<Receipt> {
    return this.queues.run(
      name,
      (given, state) => {
        const { policy, description: current } = standing(state);
        return {
          ...given,
          type: 'ChangePolicy',
          description: description ?? current,
          policy: changedPolicy(policy, policyChanges),
          ifVersion,
        };
      },
      context,
    );
  }
}

/** What the changes are made to. For a queue that is not there, anything: the decider refuses it. */
const standing = (state: QueueState) => ('queue' in state ? state.queue : { policy: DEFAULT_POLICY, description: '' });
