import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DEFAULT_POLICY, type QueuePolicy } from '../../domain/queue/queue.policy.js';
import { Refused } from '../kernel/application-error.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { Presets } from './presets.port.js';
import { QueueCommands } from './queue-commands.js';
import { changedPolicy, type PolicyChanges } from './policy-changes.js';

/** Creates a queue. Defining it again with the same content is already done; with other content it is refused. */
export class DefineQueue extends Command<Receipt> {
  constructor(
    readonly name: string,
    readonly description: string,
    readonly policyChanges: PolicyChanges,
    readonly context: CommandContext,
    /** The preset whose policy stands where `policyChanges` says nothing. */
    readonly preset: string | null = null,
  ) {
    super();
  }
}

@CommandHandler(DefineQueue)
export class DefineQueueHandler implements ICommandHandler<DefineQueue> {
  constructor(
    private readonly queues: QueueCommands,
    private readonly presets: Presets,
  ) {}

  async execute({ name, description, policyChanges, context, preset }: DefineQueue): Promise<Receipt> {
    const base = preset === null ? DEFAULT_POLICY : this.policyOf(preset);
    return this.queues.run(
      name,
      (given) => ({
        ...given,
        type: 'DefineQueue',
        name,
        description,
        policy: changedPolicy(base, policyChanges),
      }),
      context,
    );
  }

  /** The preset's words and offers are the queue's own from now on: another version of the preset does not change them. */
  private policyOf(name: string): QueuePolicy {
    const preset = this.presets.named(name);
    if (!preset) throw new Refused({ code: 'PRESET_NOT_FOUND', preset: name, known: this.presets.names() });
    const { policy, vocabulary, commands } = preset;
    return { ...changedPolicy(DEFAULT_POLICY, policy), preset: name, vocabulary, commands };
  }
}
