import { Injectable } from '@nestjs/common';
import type { TriggerCommand } from '../../domain/trigger/trigger.commands.js';
import { triggerDecider } from '../../domain/trigger/trigger.decider.js';
import type { TriggerState } from '../../domain/trigger/trigger.state.js';
import { triggerStream } from '../../domain/trigger/trigger.stream.js';
import { Refused } from '../kernel/application-error.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { receiptOf } from '../kernel/receipt.js';
import { type StoredTrigger, TriggerStates } from './trigger-states.port.js';

/** Runs one command on one trigger. Throws a refusal as `Refused`. */
@Injectable()
export class TriggerCommands {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly states: TriggerStates,
  ) {}

  async run(name: string, command: (state: TriggerState) => TriggerCommand, context: CommandContext): Promise<Receipt> {
    const stored = await this.states.named(name);
    return stored ? this.runOn(stored, command, context) : this.decide(name, command, context);
  }

  /** Decides by the trigger's row. Only if that is out of date is the stream read. */
  runOn(
    { name, ...known }: StoredTrigger,
    command: (state: TriggerState) => TriggerCommand,
    context: CommandContext,
  ): Promise<Receipt> {
    this.runner.remember(triggerDecider, triggerStream(name), known);
    return this.decide(name, command, context);
  }

  private async decide(
    name: string,
    command: (state: TriggerState) => TriggerCommand,
    context: CommandContext,
  ): Promise<Receipt> {
    const work = { stream: triggerStream(name), command, load: 'cached' } as const;
    const outcome = await this.runner.run(triggerDecider, work, context);
    if (outcome.kind === 'rejected') throw new Refused(outcome.rejection);
    if (outcome.kind !== 'refused') return receiptOf(name, outcome);
    if (outcome.constraint !== 'too-large')
      throw new Error(`Expected trigger '${name}' to meet no constraint '${outcome.constraint}', but it did`);
    throw new Refused({ code: 'EVENT_TOO_LARGE', bytes: outcome.bytes, limit: outcome.limit });
  }
}
