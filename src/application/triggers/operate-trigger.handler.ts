import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AGGREGATES } from '../../domain/aggregates.js';
import type { IsoTime } from '../../domain/kernel/json.js';
import { firstPoll } from '../../domain/trigger/polls.js';
import type { TriggerCommand } from '../../domain/trigger/trigger.commands.js';
import { circleThrough } from '../../domain/trigger/circle.js';
import { triggerDecider } from '../../domain/trigger/trigger.decider.js';
import type { LeftOut, TriggerDefinition, TriggerEvent } from '../../domain/trigger/trigger.events.js';
import type { TriggerState } from '../../domain/trigger/trigger.state.js';
import { triggerStream } from '../../domain/trigger/trigger.stream.js';
import { Refused } from '../kernel/application-error.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { cronFault, nextOccurrence } from '../kernel/cron.js';
import { EventStore } from '../kernel/event-store.port.js';
import { Idempotency } from '../kernel/idempotency.js';
import { Turns } from '../kernel/turns.port.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import { StreamCommands } from '../kernel/stream-commands.js';
import { assertLabelsNotReserved, assertNotReserved } from '../queues/reserved-queue.js';
import { openOf } from './open-occurrences.js';
import { TriggerStates } from './trigger-states.port.js';

export type TriggerOperation =
  | { readonly type: 'DefineTrigger'; readonly definition: TriggerDefinition }
  | { readonly type: 'EnableTrigger' }
  | { readonly type: 'DisableTrigger' | 'DeleteTrigger' };

/** Occurrences and events that came and now make no task, because of the command. */
interface Dropped {
  readonly dropped?: LeftOut;
}

export type TriggerReceipt = Receipt & Dropped;

/** A person's or a service's command on one trigger. */
export class OperateTrigger extends Command<TriggerReceipt> {
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
    private readonly commands: StreamCommands,
    private readonly states: TriggerStates,
    private readonly turns: Turns,
    private readonly queues: QueueDirectory,
    private readonly idempotency: Idempotency,
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  async execute(operate: OperateTrigger): Promise<TriggerReceipt> {
    const receipt = await this.idempotency.once(operate.context, () => this.inTurn(operate));
    return receipt.replayed && receipt.recorded
      ? { ...receipt, ...(await this.droppedBefore(operate, receipt)) }
      : receipt;
  }

  /** What may lead to other triggers is defined alone, so that no two definitions lead to each other. */
  private inTurn(operate: OperateTrigger): Promise<TriggerReceipt> {
    const { operation } = operate;
    const leads = operation.type === 'DefineTrigger' && !('cron' in operation.definition);
    return leads ? this.turns.alone('definitions', () => this.operate(operate)) : this.operate(operate);
  }

  private async operate({ name, operation, context }: OperateTrigger): Promise<TriggerReceipt> {
    if (operation.type === 'DefineTrigger') await this.assertAllowed(name, operation.definition, context);
    const now = this.clock.iso();
    const head = String(await this.store.head());
    const owed = operation.type === 'EnableTrigger' ? null : await this.states.owedEvents(name);
    let dropped: Dropped = {};
    const command = (state: TriggerState): TriggerCommand => {
      const given = commandFor(name, operation, { state, now, owed, head });
      const decision = triggerDecider.decide(given, state);
      dropped = decision.kind === 'accepted' ? droppedBy(decision.events[0]!) : {};
      return given;
    };
    const stored = await this.states.named(name);
    const receipt = await this.commands.runOn(AGGREGATES.trigger, name, command, context, { stored });
    return receipt.replayed ? receipt : { ...receipt, ...dropped };
  }

  private async droppedBefore({ name }: OperateTrigger, { revision }: Receipt): Promise<Dropped> {
    const [history] = await this.store.readStreams([triggerStream(name)]);
    return droppedBy(history![revision]!.event as TriggerEvent);
  }

  private async assertAllowed(name: string, definition: TriggerDefinition, context: CommandContext): Promise<void> {
    if ('task' in definition) {
      assertNotReserved(definition.task.queue, context);
      assertLabelsNotReserved(definition.task.labels, context);
    }
    if ('changes' in definition) return this.assertMayWatch(definition.changes.queue, context);
    if ('cron' in definition) return;
    await this.assertNoCircle(name, definition);
    if ('queue' in definition) await this.assertMayWatch(definition.queue, context);
  }

  private async assertMayWatch(queue: string, context: CommandContext): Promise<void> {
    assertNotReserved(queue, context);
    await this.assertExists(queue);
  }

  private async assertNoCircle(name: string, definition: TriggerDefinition): Promise<void> {
    const others = (await this.states.all()).filter((one) => one.name !== name);
    const cycle = circleThrough(
      definition,
      others.map(({ state }) => state.definition),
    );
    if (cycle) throw new Refused({ code: 'TRIGGER_CYCLE', cycle });
  }

  private async assertExists(queue: string): Promise<void> {
    const isThere = async (): Promise<boolean> => 'queue' in (await this.queues.get(queue)).state;
    if (await isThere()) return;
    this.queues.forget(queue);
    if (!(await isThere())) throw new Refused({ code: 'QUEUE_NOT_FOUND', queue });
  }
}

const droppedBy = ({ data }: TriggerEvent): Dropped => ('dropped' in data ? { dropped: data.dropped } : {});

/** What is known when a command is given. */
interface Known {
  readonly state: TriggerState;
  readonly now: IsoTime;
  readonly owed: LeftOut | null;
  readonly head: string;
}

function commandFor(trigger: string, operation: TriggerOperation, { state, now, owed, head }: Known): TriggerCommand {
  const open = openOf(state, now) ?? (isKept(owed, operation) ? null : { newest: [], older: owed });
  switch (operation.type) {
    case 'DefineTrigger':
      return { ...operation, trigger, next: firstTime(operation.definition, now), open, head };
    case 'EnableTrigger':
      // Without a trigger, the command is refused anyway.
      return { ...operation, trigger, next: 'definition' in state ? firstTime(state.definition, now) : null };
    default:
      return { type: operation.type, trigger, open };
  }
}

/** The events that a trigger owes make the tasks of its new definition, if that waits for events too. */
const isKept = (owed: LeftOut | null, operation: TriggerOperation): boolean =>
  owed === null || (operation.type === 'DefineTrigger' && 'event' in operation.definition);

/** Throws `Refused` if the pattern is invalid. */
function firstTime(definition: TriggerDefinition, now: IsoTime): IsoTime | null {
  if ('event' in definition || 'delivery' in definition) return null;
  if ('queue' in definition) return firstPoll(now);
  const fault = cronFault(definition, now);
  if (fault) throw new Refused(fault);
  return (nextOccurrence(definition, now) as { readonly at: IsoTime }).at;
}
