import { Injectable } from '@nestjs/common';
import type { TriggerCommand } from '../../domain/trigger/trigger.commands.js';
import { triggerDecider } from '../../domain/trigger/trigger.decider.js';
import type { TriggerState } from '../../domain/trigger/trigger.state.js';
import { triggerStream } from '../../domain/trigger/trigger.stream.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { plainCommand } from '../kernel/plain-command.js';
import { StreamCommands } from '../kernel/stream-commands.js';
import { type StoredTrigger, TriggerStates } from './trigger-states.port.js';

/** Runs one command on one trigger. Throws a refusal as `Refused`. */
@Injectable()
export class TriggerCommands {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly commands: StreamCommands,
    private readonly states: TriggerStates,
  ) {}

  async run(name: string, command: (state: TriggerState) => TriggerCommand, context: CommandContext): Promise<Receipt> {
    const stored = await this.states.named(name);
    return stored ? this.runOn(stored, command, context) : this.decide(name, command, context);
  }

  /**
   * Decides by the trigger's row. Only if that is out of date is the stream read. `item`: which part of the request it
   * is, under the request's key.
   */
  runOn(
    { name, ...known }: StoredTrigger,
    command: (state: TriggerState) => TriggerCommand,
    context: CommandContext,
    item = 0,
  ): Promise<Receipt> {
    this.runner.remember(triggerDecider, triggerStream(name), known);
    return this.decide(name, command, context, item);
  }

  private decide(
    name: string,
    command: (state: TriggerState) => TriggerCommand,
    context: CommandContext,
    item = 0,
  ): Promise<Receipt> {
    const work = { stream: triggerStream(name), command, load: 'cached' } as const;
    return this.commands.run(
      triggerDecider,
      name,
      plainCommand<TriggerState, TriggerCommand>(work, context, item),
      context,
    );
  }
}
