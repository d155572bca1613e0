import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { taskStream } from '../../domain/task/task.stream.js';
import type { DeliveryTrigger } from '../../domain/trigger/trigger.events.js';
import { Refused } from '../kernel/application-error.js';
import { Clock } from '../kernel/clock.port.js';
import { derivedId } from '../kernel/derived-id.js';
import { EventStore } from '../kernel/event-store.port.js';
import { EnqueueTasksHandler, EnqueueTasks } from '../tasks/enqueue-tasks.handler.js';
import { deliveredItem, type Delivery } from './delivered-item.js';

/** The task of a delivery, and whether this request made it. */
export interface TakenDelivery {
  readonly task: string;
  readonly isNew: boolean;
}

/** Makes the task of a delivery whose signature is checked. Repeated with the same delivery id, it finds the same task. */
export class TakeDelivery extends Command<TakenDelivery> {
  constructor(
    readonly trigger: string,
    readonly definition: DeliveryTrigger,
    readonly delivery: Delivery & { readonly id: string },
    readonly correlationId: string,
  ) {
    super();
  }
}

@CommandHandler(TakeDelivery)
export class TakeDeliveryHandler implements ICommandHandler<TakeDelivery> {
  constructor(
    private readonly tasks: EnqueueTasksHandler,
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  /**
   * The id of the task is derived from the trigger and the delivery, so each delivery makes one, whichever processes get it. A repetition after a
   * change of the definition would make another task, or none, so any refusal counts only if the delivery has made none before.
   */
  async execute({ trigger, definition, delivery, correlationId }: TakeDelivery): Promise<TakenDelivery> {
    const taskId = derivedId(`delivery to trigger ${trigger}`, delivery.id);
    const actor = `trigger:${trigger}`;
    const item = { ...deliveredItem(trigger, definition, delivery, this.clock.iso()), taskId };
    const [outcome] = await this.tasks.execute(new EnqueueTasks([item], { actor, correlationId }));
    if (outcome!.kind === 'done') return { task: outcome!.receipt.id, isNew: outcome!.status === 'enqueued' };
    if (await this.isMade(taskId, actor)) return { task: taskId, isNew: false };
    throw new Refused(outcome!.rejection);
  }

  /** A task that somebody else has submitted under this id is none of the trigger. */
  private async isMade(taskId: string, actor: string): Promise<boolean> {
    const [history] = await this.store.readFirst([taskStream(taskId)]);
    return history?.[0]?.envelope.actor === actor;
  }
}
