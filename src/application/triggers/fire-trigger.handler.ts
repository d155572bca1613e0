import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AGGREGATES } from '../../domain/aggregates.js';
import type { ChangesTrigger, DeliveryTrigger, EventTrigger, Firing } from '../../domain/trigger/trigger.events.js';
import { Refused } from '../kernel/application-error.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { derivedId } from '../kernel/derived-id.js';
import { Idempotency } from '../kernel/idempotency.js';
import { newId } from '../kernel/new-id.js';
import { StreamCommands } from '../kernel/stream-commands.js';
import { type EnqueueItem, repeated } from '../tasks/enqueue-item.js';
import { EnqueueTasks } from '../tasks/enqueue-tasks.handler.js';
import { ChangesFiring, type ChangesState, tellsChanges } from './changes-firing.js';
import { EventFiring } from './event-firing.js';
import { deliveredItem } from './delivered-item.js';
import { type JobMade, QueueFiring } from './queue-firing.js';
import { RecordedFirings } from './recorded-firings.js';
import { type StoredTrigger, TriggerStates } from './trigger-states.port.js';

/** Makes a trigger's task now, whether or not it is due. Repeated with the same task id, it has no further effect. */
export class FireTrigger extends Command<JobMade> {
  constructor(
    readonly name: string,
    /** Null to have one generated. */
    readonly taskId: string | null,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** The firing is the second item under the idempotency key of the request. The first one, 0, is its task. */
const THE_FIRING = 1;

interface MadeJob {
  readonly outcome: JobMade;
  readonly items?: Firing['items'];
}

@CommandHandler(FireTrigger)
export class FireTriggerHandler implements ICommandHandler<FireTrigger> {
  constructor(
    private readonly commands: CommandBus,
    private readonly streams: StreamCommands,
    private readonly states: TriggerStates,
    private readonly queues: QueueFiring,
    private readonly events: EventFiring,
    private readonly changes: ChangesFiring,
    private readonly idempotency: Idempotency,
    private readonly firings: RecordedFirings,
    private readonly clock: Clock,
  ) {}

  /** A repeated request finds its task, also if the trigger is gone or there is nothing to claim by now. */
  async execute({ name, taskId, context }: FireTrigger): Promise<JobMade> {
    const earlier = await this.idempotency.kept(context);
    const trigger = await this.states.named(name);
    if (!trigger && !earlier) throw new Refused({ code: 'TRIGGER_NOT_FOUND', trigger: name });
    const made = earlier ? await this.madeBefore(repeated(earlier)) : await this.make(trigger!, taskId, context);
    if (trigger) await this.record(trigger, made, context);
    return made.outcome;
  }

  private async record(trigger: StoredTrigger, { outcome, items }: MadeJob, context: CommandContext): Promise<void> {
    if (!outcome.receipt.recorded && (await this.firings.have(trigger.name, outcome.receipt.id))) return;
    const at = this.clock.iso();
    const firing = { occurrence: at, task: outcome.receipt.id, ...(items && { items }) };
    const command = { type: 'RecordManualFiring', trigger: trigger.name, firing, at } as const;
    await this.streams.runOn(AGGREGATES.trigger, trigger.name, command, context, { stored: trigger, item: THE_FIRING });
  }

  private async madeBefore(outcome: JobMade): Promise<MadeJob> {
    const items = await this.queues.itemsOf(outcome.receipt.id);
    return items ? { outcome, items } : { outcome };
  }

  private async make(
    { name, state, revision }: StoredTrigger,
    taskId: string | null,
    context: CommandContext,
  ): Promise<MadeJob> {
    if (tellsChanges(state)) return this.tellChanges(name, state, taskId, context);
    const { definition } = state;
    if ('queue' in definition) {
      // A claim cannot be a part of a unit of work.
      if (context.unit) throw new Refused({ code: 'NOT_PREVIEWED', trigger: name });
      const job = taskId ?? jobUnder(context, name, revision);
      const fired = await this.queues.fire(name, definition, job, context);
      if (fired.kind === 'nothing') throw new Refused({ code: 'NOTHING_READY', queue: definition.queue });
      if (fired.kind === 'refused') throw new Refused(fired.rejection);
      return { outcome: fired.job, items: fired.items };
    }
    if ('event' in definition) return this.makeOfNoEvent(name, definition, taskId, context);
    if ('delivery' in definition)
      return this.submit({ ...this.itemOfNoDelivery(name, definition, context), taskId }, context);
    const { task } = definition as Exclude<typeof definition, ChangesTrigger>;
    return this.submit({ ...task, taskId }, context);
  }

  private async submit(item: EnqueueItem, context: CommandContext): Promise<MadeJob> {
    const [outcome] = await this.commands.execute(new EnqueueTasks([item], context));
    if (outcome!.kind === 'refused') throw new Refused(outcome!.rejection);
    return { outcome: outcome! };
  }

  /** Lets a person see where the tasks of deliveries arrive. */
  private itemOfNoDelivery(name: string, definition: DeliveryTrigger, { actor }: CommandContext) {
    const delivery = { id: null, headers: {}, body: { type: 'waybill.FiredByHand', by: actor } };
    return deliveredItem(name, definition, delivery, this.clock.iso());
  }

  /** What has changed so far. The delivery of the next occurrence tells it too. */
  private async tellChanges(
    name: string,
    state: ChangesState,
    id: string | null,
    context: CommandContext,
  ): Promise<MadeJob> {
    const ordered = await this.changes.order(name, state, { id, at: this.clock.iso() }, context);
    if ('problem' in ordered) throw new Refused(ordered.problem);
    return { outcome: ordered.job };
  }

  /** Lets a person see what the trigger makes. */
  private async makeOfNoEvent(
    name: string,
    definition: EventTrigger,
    id: string | null,
    context: CommandContext,
  ): Promise<MadeJob> {
    const notice = { type: 'waybill.FiredByHand', source: '/triggers', subject: name, data: { by: context.actor } };
    const outcome = await this.events.enqueue(name, definition, { id, notice, context });
    if (outcome.kind === 'refused') throw new Refused(outcome.rejection);
    return { outcome };
  }
}

/**
 * The id of a job that is made by hand. A repetition before the firing is recorded gets the same one, and with it the same items.
 * Later, the key may stand for another request.
 */
const jobUnder = ({ idempotencyKey }: CommandContext, trigger: string, revision: number): string =>
  idempotencyKey ? derivedId(`trigger ${trigger}`, `${idempotencyKey.key} at ${revision}`) : newId();
