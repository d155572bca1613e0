import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { IsoTime } from '../../domain/kernel/json.js';
import { firstLook } from '../../domain/trigger/looks.js';
import type { TriggerCommand } from '../../domain/trigger/trigger.commands.js';
import { cycleThrough } from '../../domain/kernel/cycle.js';
import { leadsFrom, waitsForEvents } from '../../domain/trigger/event-pattern.js';
import type { EventTrigger, TriggerDefinition } from '../../domain/trigger/trigger.events.js';
import type { TriggerState } from '../../domain/trigger/trigger.state.js';
import { Refused } from '../kernel/application-error.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { cronFault, nextOccurrence } from '../kernel/cron.js';
import { Idempotency } from '../kernel/idempotency.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import { assertNotReserved } from '../queues/reserved-queue.js';
import { TriggerStates } from './trigger-states.port.js';
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
    private readonly states: TriggerStates,
    private readonly queues: QueueDirectory,
    private readonly idempotency: Idempotency,
    private readonly clock: Clock,
  ) {}

  execute(operate: OperateTrigger): Promise<Receipt> {
    return this.idempotency.once(operate.context, () => this.operate(operate));
  }

  private async operate({ name, operation, context }: OperateTrigger): Promise<Receipt> {
    if (operation.type === 'DefineTrigger') await this.assertAllowed(name, operation.definition, context);
    const now = this.clock.iso();
    return this.triggers.run(name, (state) => commandFor(name, operation, { state, now }), context);
  }

  private async assertAllowed(name: string, definition: TriggerDefinition, context: CommandContext): Promise<void> {
    if ('task' in definition) assertNotReserved(definition.task.queue, context);
    if ('event' in definition) return this.assertNoCycle(name, definition);
    if (!('queue' in definition)) return;
    assertNotReserved(definition.queue, context);
    await this.assertExists(definition.queue);
  }

  /** Two triggers that are defined at the same moment may still lead to each other. */
  private async assertNoCycle(name: string, definition: EventTrigger): Promise<void> {
    const own = leadsFrom(definition);
    if (own === null) return;
    const others = (await this.states.all()).filter((one) => one.name !== name);
    const definitions = others.map(({ state }) => state.definition).filter(waitsForEvents);
    const edges = [own, ...definitions.flatMap((one) => leadsFrom(one) ?? [])];
    const cycle = cycleThrough(own.from, (queue) => edges.flatMap(({ from, to }) => (from === queue ? to : [])));
    if (cycle) throw new Refused({ code: 'TRIGGER_CYCLE', cycle });
  }

  private async assertExists(queue: string): Promise<void> {
    const isThere = async (): Promise<boolean> => 'queue' in (await this.queues.get(queue)).state;
    if (await isThere()) return;
    this.queues.forget(queue);
    if (!(await isThere())) throw new Refused({ code: 'QUEUE_NOT_FOUND', queue });
  }
}

function commandFor(
  trigger: string,
  operation: TriggerOperation,
  { state, now }: { readonly state: TriggerState; readonly now: IsoTime },
): TriggerCommand {
  if (operation.type === 'DefineTrigger') return { ...operation, trigger, next: firstTime(operation.definition, now) };
  const { type } = operation;
  if (type !== 'EnableTrigger') return { type, trigger };
  // Without a trigger, the command is refused anyway.
  const next = 'definition' in state ? firstTime(state.definition, now) : null;
  return { type, trigger, next };
}

/** Throws `Refused` if the pattern is invalid. */
function firstTime(definition: TriggerDefinition, now: IsoTime): IsoTime | null {
  if ('event' in definition) return null;
  if ('queue' in definition) return firstLook(now);
  const fault = cronFault(definition, now);
  if (fault) throw new Refused(fault);
  return (nextOccurrence(definition, now) as { readonly at: IsoTime }).at;
}
