import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AGGREGATES } from '../../domain/aggregates.js';
import type { ResourceDefinition } from '../../domain/resource/resource.events.js';
import { Refused } from '../kernel/application-error.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { Idempotency } from '../kernel/idempotency.js';
import { StreamCommands } from '../kernel/stream-commands.js';
import { Turns } from '../kernel/turns.port.js';
import { ResourceStates } from './resource-states.port.js';

/** Defines a resource, or changes its definition. */
export class DefineResource extends Command<Receipt> {
  constructor(
    readonly resource: string,
    readonly definition: ResourceDefinition,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Refused while a step of a queue needs the resource. */
export class DeleteResource extends Command<Receipt> {
  constructor(
    readonly resource: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(DefineResource)
export class DefineResourceHandler implements ICommandHandler<DefineResource> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly states: ResourceStates,
    private readonly clock: Clock,
  ) {}

  async execute({ resource, definition, context }: DefineResource): Promise<Receipt> {
    const given = { resource, definition, by: context.actor, now: this.clock.iso() };
    const stored = await this.states.named(resource);
    return this.commands.runOn(AGGREGATES.resource, resource, { type: 'DefineResource', ...given }, context, {
      stored,
    });
  }
}

@CommandHandler(DeleteResource)
export class DeleteResourceHandler implements ICommandHandler<DeleteResource> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly states: ResourceStates,
    private readonly turns: Turns,
    private readonly idempotency: Idempotency,
    private readonly clock: Clock,
  ) {}

  execute({ resource, context }: DeleteResource): Promise<Receipt> {
    return this.idempotency.once(context, () => this.turns.alone('definitions', () => this.delete(resource, context)));
  }

  private async delete(resource: string, context: CommandContext): Promise<Receipt> {
    const needed = await this.states.neededBy(resource);
    if (needed) throw new Refused({ code: 'RESOURCE_NEEDED', resource, ...needed });
    const given = { resource, by: context.actor, now: this.clock.iso() };
    const stored = await this.states.named(resource);
    return this.commands.runOn(AGGREGATES.resource, resource, { type: 'DeleteResource', ...given }, context, {
      stored,
    });
  }
}
