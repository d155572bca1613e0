import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AGGREGATES } from '../../domain/aggregates.js';
import { unmetBy } from '../../domain/resource/level.js';
import { type ResourceCommand, resourceDecider } from '../../domain/resource/resource.decider.js';
import { Refused } from '../kernel/application-error.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { StreamCommands } from '../kernel/stream-commands.js';
import { ResourceStates } from './resource-states.port.js';

/** A measure as it was written, and the limits that it is not below. */
export interface MeasureOutcome {
  readonly resource: string;
  readonly value: number;
  readonly measuredAt: string;
  readonly unmet: readonly number[];
}

/** Writes what the gauge of a resource shows. It is recorded as an event, and wakes who waits, only if it crosses a limit. */
export class MeasureResource extends Command<MeasureOutcome> {
  constructor(
    readonly resource: string,
    readonly value: number,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(MeasureResource)
export class MeasureResourceHandler implements ICommandHandler<MeasureResource> {
  constructor(
    private readonly commands: StreamCommands,
    private readonly states: ResourceStates,
    private readonly clock: Clock,
  ) {}

  /**
   * The gauge comes first, because whom the event wakes looks at it. If the process dies in between, the next measure
   * records the crossing.
   */
  async execute({ resource, value, context }: MeasureResource): Promise<MeasureOutcome> {
    const measured = await this.states.write(resource, value, context.actor);
    if (!measured) throw new Refused({ code: 'RESOURCE_NOT_FOUND', resource });
    const { state, limits, wasStale, measuredAt } = measured;
    const now = this.clock.iso();
    const command: ResourceCommand = { type: 'RecordMeasure', resource, value, wasStale, limits, now };
    if (resourceDecider.decide(command, state).kind !== 'alreadyDone')
      await this.commands.runOn(AGGREGATES.resource, resource, command, context, { stored: measured });
    return { resource, value, measuredAt, unmet: unmetBy(value, limits) };
  }
}
