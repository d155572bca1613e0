import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refused } from '../kernel/application-error.js';
import type { CommandContext } from '../kernel/command-context.js';
import { ServiceTasks } from '../service-tasks/service-tasks.js';
import type { EnqueueOutcome } from '../tasks/enqueue-item.js';
import { type Delivery, queueOf, taskOf } from './delivery.js';

/** Orders a delivery. It is a task, which the role `steward` carries out. Throws `Refused`. */
export class StartDelivery extends Command<Extract<EnqueueOutcome, { readonly kind: 'done' }>> {
  constructor(
    readonly delivery: Delivery,
    /** Null to have one generated. */
    readonly taskId: string | null,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(StartDelivery)
export class StartDeliveryHandler implements ICommandHandler<StartDelivery> {
  constructor(private readonly tasks: ServiceTasks) {}

  async execute({ delivery, taskId, context }: StartDelivery) {
    const [outcome] = await this.tasks.enqueue(queueOf(delivery), [taskOf(delivery, taskId)], context);
    if (outcome!.kind === 'refused') throw new Refused(outcome!.rejection);
    return outcome!;
  }
}
