import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DEFAULT_POLICY, erases } from '../../domain/queue/queue.policy.js';
import type { QueueState } from '../../domain/queue/queue.state.js';
import { Forgetting } from '../kernel/forgetting.port.js';
import { Turns } from '../kernel/turns.port.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { changedPolicy, namesResources, type PolicyChanges } from './policy-changes.js';
import { QueueCommands } from './queue-commands.js';
import { assertNotReserved } from './reserved-queue.js';

/** Changes the named fields of a queue's policy. Null as the description keeps the current one. */
export class ChangePolicy extends Command<Receipt> {
  constructor(
    readonly name: string,
    readonly description: string | null,
    readonly policyChanges: PolicyChanges,
    /** The policy version that the caller has seen; null changes any version. */
    readonly ifVersion: number | null,
    readonly context: CommandContext,
  ) {
    super();
  }

  get namesResources(): boolean {
    return namesResources(this.policyChanges);
  }
}

@CommandHandler(ChangePolicy)
export class ChangePolicyHandler implements ICommandHandler<ChangePolicy> {
  constructor(
    private readonly queues: QueueCommands,
    private readonly turns: Turns,
    private readonly forgetting: Forgetting,
  ) {}

  execute(asked: ChangePolicy): Promise<Receipt> {
    const takesTurn = asked.namesResources && !asked.context.unit;
    return takesTurn ? this.turns.alone('definitions', () => this.change(asked)) : this.change(asked);
  }

  private async change({ name, description, policyChanges, ifVersion, context }: ChangePolicy): Promise<Receipt> {
    assertNotReserved(name, context);
    if (erases(policyChanges)) this.forgetting.assertPossible();
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

/**
 * The policy to apply the changes to. For an unknown queue any policy will do, because the decider refuses the command.
 */
const standing = (state: QueueState) => ('queue' in state ? state.queue : { policy: DEFAULT_POLICY, description: '' });
