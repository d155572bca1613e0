import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { differences } from '../../domain/queue/definition.js';
import { DEFAULT_POLICY, erases, type QueuePolicy } from '../../domain/queue/queue.policy.js';
import { Refused } from '../kernel/application-error.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { Forgetting } from '../kernel/forgetting.port.js';
import { Turns } from '../kernel/turns.port.js';
import { EventStore } from '../kernel/event-store.port.js';
import { Presets } from './presets.port.js';
import { QueueCommands } from './queue-commands.js';
import { assertNotReserved } from './reserved-queue.js';
import { queueAsOf, type StandingQueue } from './queue-as-of.js';
import { changedPolicy, namesResources, type PolicyChanges } from './policy-changes.js';

/** What the definition did, and the queue afterwards. */
export interface DefinitionReceipt extends Receipt {
  readonly outcome: 'created' | 'kept' | 'replaced';
  /** The fields in which an existing queue differs from the definition. Empty unless the queue was kept. */
  readonly differences: readonly string[];
  readonly queue: StandingQueue;
}

/** Creates a queue, or keeps an existing one. `replace` changes an existing one. */
export class DefineQueue extends Command<DefinitionReceipt> {
  constructor(
    readonly name: string,
    readonly description: string,
    readonly policyChanges: PolicyChanges,
    readonly context: CommandContext,
    /** The preset that provides the fields which `policyChanges` leaves out. */
    readonly preset: string | null = null,
    readonly replace = false,
  ) {
    super();
  }

  get namesResources(): boolean {
    return namesResources(this.policyChanges, this.preset);
  }
}

@CommandHandler(DefineQueue)
export class DefineQueueHandler implements ICommandHandler<DefineQueue> {
  constructor(
    private readonly queues: QueueCommands,
    private readonly store: EventStore,
    private readonly presets: Presets,
    private readonly turns: Turns,
    private readonly forgetting: Forgetting,
  ) {}

  execute(asked: DefineQueue): Promise<DefinitionReceipt> {
    const takesTurn = asked.namesResources && !asked.context.unit;
    return takesTurn ? this.turns.alone('definitions', () => this.define(asked)) : this.define(asked);
  }

  private async define({ name, description, replace, context, ...asked }: DefineQueue): Promise<DefinitionReceipt> {
    assertNotReserved(name, context);
    const policy = this.policyOf(asked);
    if (erases(policy)) this.forgetting.assertPossible();
    const receipt = await this.queues.run(
      name,
      (given) => ({ ...given, type: 'DefineQueue', name, description, policy, replace }),
      context,
    );
    const { queue, definedBy } = await queueAsOf(receipt, context.unit ?? this.store);
    const changed = definedBy === 'QueueDefined' ? 'created' : 'replaced';
    return {
      ...receipt,
      outcome: receipt.recorded ? changed : 'kept',
      differences: differences(queue, { description, policy }),
      queue,
    };
  }

  private policyOf({ preset, policyChanges }: Pick<DefineQueue, 'preset' | 'policyChanges'>): QueuePolicy {
    return changedPolicy(preset === null ? DEFAULT_POLICY : this.policyOfPreset(preset), policyChanges);
  }

  /**
   * Copies the preset's words and offers into the queue's policy, so that a new version of the preset does not change
   * the queue.
   */
  private policyOfPreset(name: string): QueuePolicy {
    const preset = this.presets.named(name);
    if (!preset) throw new Refused({ code: 'PRESET_NOT_FOUND', preset: name, known: this.presets.names() });
    const { policy, vocabulary, commands } = preset;
    return { ...changedPolicy(DEFAULT_POLICY, policy), preset: name, vocabulary, commands };
  }
}
