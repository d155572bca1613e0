import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CronPattern } from '../../domain/kernel/cron.js';
import type { IsoTime } from '../../domain/kernel/json.js';
import type { TriggerCommand } from '../../domain/trigger/trigger.commands.js';
import type { TriggerDefinition } from '../../domain/trigger/trigger.events.js';
import type { TriggerState } from '../../domain/trigger/trigger.state.js';
import { Refused } from '../kernel/application-error.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { cronFault, nextOccurrence } from '../kernel/cron.js';
import { assertNotReserved } from '../queues/reserved-queue.js';
import { TriggerCommands } from './trigger-commands.js';

export type TriggerOperation =
  | { readonly type: 'DefineTrigger'; readonly definition: TriggerDefinition }
  | { readonly type: 'EnableTrigger' | 'DisableTrigger' | 'DeleteTrigger' };

/** A person's or a service's command on one trigger. */
export class OperateTrigger extends Command<Receipt> {
  constructor(
    readonly name: string,
    readonly operation: TriggerOperation,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(OperateTrigger)
export class OperateTriggerHandler implements ICommandHandler<OperateTrigger> {
  constructor(
    private readonly triggers: TriggerCommands,
    private readonly clock: Clock,
  ) {}

  async execute({ name, operation, context }: OperateTrigger): Promise<Receipt> {
    if (operation.type === 'DefineTrigger') assertNotReserved(operation.definition.task.queue, context);
    const now = this.clock.iso();
    return this.triggers.run(name, (state) => commandFor(name, operation, { state, now }), context);
  }
}

function commandFor(
  trigger: string,
  operation: TriggerOperation,
  { state, now }: { readonly state: TriggerState; readonly now: IsoTime },
): TriggerCommand {
  if (operation.type === 'DefineTrigger')
    return { ...operation, trigger, next: occurrenceAfter(operation.definition, now) };
  const { type } = operation;
  if (type !== 'EnableTrigger') return { type, trigger };
  // Without a trigger, the command is refused anyway.
  const next = 'definition' in state ? occurrenceAfter(state.definition, now) : now;
  return { type, trigger, next };
}

/** Throws `Refused` if the pattern is invalid. */
function occurrenceAfter(pattern: CronPattern, now: IsoTime): IsoTime {
  const fault = cronFault(pattern, now);
  if (fault) throw new Refused(fault);
  return (nextOccurrence(pattern, now) as { readonly at: IsoTime }).at;
}
