import { Injectable } from '@nestjs/common';
import { type ResourceCommand, resourceDecider, type ResourceState } from '../../domain/resource/resource.decider.js';
import { resourceStream } from '../../domain/resource/resource.stream.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { plainCommand } from '../kernel/plain-command.js';
import { StreamCommands } from '../kernel/stream-commands.js';
import { ResourceStates, type StoredResource } from './resource-states.port.js';

/** Runs one command on one resource. Throws a refusal as `Refused`. */
@Injectable()
export class ResourceCommands {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly commands: StreamCommands,
    private readonly states: ResourceStates,
  ) {}

  async run(command: ResourceCommand, context: CommandContext): Promise<Receipt> {
    const stored = await this.states.named(command.resource);
    return stored ? this.runOn(stored, command, context) : this.decide(command, context);
  }

  /** Decides by the resource's row. Only if that is out of date is the stream read, which grows with every crossing. */
  runOn(known: StoredResource, command: ResourceCommand, context: CommandContext): Promise<Receipt> {
    const { state, revision, position } = known;
    this.runner.remember(resourceDecider, resourceStream(known.name), { state, revision, position });
    return this.decide(command, context);
  }

  private decide(command: ResourceCommand, context: CommandContext): Promise<Receipt> {
    const { resource } = command;
    const work = { stream: resourceStream(resource), command, load: 'cached' } as const;
    const plain = plainCommand<ResourceState, ResourceCommand>(work, context);
    return this.commands.run(resourceDecider, resource, plain, context);
  }
}
