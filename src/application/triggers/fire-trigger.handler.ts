import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { EventTrigger, Firing, TriggerDefinition } from '../../domain/trigger/trigger.events.js';
import { Refused } from '../kernel/application-error.js';
import { Clock } from '../kernel/clock.port.js';
import type { CommandContext } from '../kernel/command-context.js';
import { newId } from '../kernel/new-id.js';
import { EnqueueTasks } from '../tasks/enqueue-tasks.handler.js';
import { EventFiring } from './event-firing.js';
import { type JobMade, QueueFiring } from './queue-firing.js';
import { TriggerCommands } from './trigger-commands.js';
import { TriggerStates } from './trigger-states.port.js';

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

/** Under the request's key, its task is the first part. */
const THE_FIRING = 1;

interface Made {
  readonly outcome: JobMade;
  readonly items?: Firing['items'];
}

@CommandHandler(FireTrigger)
export class FireTriggerHandler implements ICommandHandler<FireTrigger> {
  constructor(
    private readonly commands: CommandBus,
    private readonly triggers: TriggerCommands,
    private readonly states: TriggerStates,
    private readonly queues: QueueFiring,
    private readonly events: EventFiring,
    private readonly clock: Clock,
  ) {}

  async execute({ name, taskId, context }: FireTrigger): Promise<JobMade> {
    const trigger = await this.states.named(name);
    if (!trigger) throw new Refused({ code: 'TRIGGER_NOT_FOUND', trigger: name });
    const { outcome, items } = await this.make(name, trigger.state.definition, taskId, context);
    const at = this.clock.iso();
    const firing = { occurrence: at, task: outcome.receipt.id, ...(items && { items }) };
    const record = () => ({ type: 'RecordManualFiring', trigger: name, firing, at }) as const;
    await this.triggers.runOn(trigger, record, context, THE_FIRING);
    return outcome;
  }

  private async make(
    name: string,
    definition: TriggerDefinition,
    taskId: string | null,
    context: CommandContext,
  ): Promise<Made> {
    if ('queue' in definition) {
      const fired = await this.queues.fire(name, definition, taskId ?? newId(), context);
      if (fired.kind === 'nothing') throw new Refused({ code: 'NOTHING_READY', queue: definition.queue });
      if (fired.kind === 'refused') throw new Refused(fired.rejection);
      return { outcome: fired.job, items: fired.items };
    }
    if ('event' in definition) return this.makeOfNoEvent(name, definition, taskId, context);
    const [outcome] = await this.commands.execute(new EnqueueTasks([{ ...definition.task, taskId }], context));
    if (outcome!.kind === 'refused') throw new Refused(outcome!.rejection);
    return { outcome: outcome! };
  }

  /** Lets a person see what the trigger makes. */
  private async makeOfNoEvent(
    name: string,
    definition: EventTrigger,
    id: string | null,
    context: CommandContext,
  ): Promise<Made> {
    const notice = { type: 'waybill.FiredByHand', source: '/triggers', subject: name, data: { by: context.actor } };
    const outcome = await this.events.enqueue(name, definition, { id, notice, context });
    if (outcome.kind === 'refused') throw new Refused(outcome.rejection);
    return { outcome };
  }
}
