import { Injectable } from '@nestjs/common';
import { type ResourceCommand, resourceDecider } from '../../domain/resource/resource.decider.js';
import { resourceStream } from '../../domain/resource/resource.stream.js';
import { Refused } from '../kernel/application-error.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { receiptOf } from '../kernel/receipt.js';
import { ResourceStates, type StoredResource } from './resource-states.port.js';

/** Runs one command on one resource. Throws a refusal as `Refused`. */
@Injectable()
export class ResourceCommands {
  constructor(
    private readonly runner: DeciderRunner,
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

  private async decide(command: ResourceCommand, context: CommandContext): Promise<Receipt> {
    const work = { stream: resourceStream(command.resource), command, load: 'cached' } as const;
    const outcome = await this.runner.run(resourceDecider, work, context);
    if (outcome.kind === 'rejected') throw new Refused(outcome.rejection);
    if (outcome.kind === 'refused')
      throw new Error(`Expected a resource to meet no condition, but got '${JSON.stringify(outcome)}'`);
    return receiptOf(command.resource, outcome);
  }
}
