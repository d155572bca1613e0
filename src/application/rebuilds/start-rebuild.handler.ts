import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { OperationOrders } from '../service-tasks/operation-orders.js';
import { type ModelRebuild, REBUILDS } from './model-rebuild.js';

/** Orders that a read model is built anew. The order is a task, which the role `steward` carries out. Throws `Refused`. */
export class StartRebuild extends Command<Receipt> {
  constructor(
    readonly rebuild: ModelRebuild,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(StartRebuild)
export class StartRebuildHandler implements ICommandHandler<StartRebuild> {
  constructor(private readonly orders: OperationOrders) {}

  async execute({ rebuild, context }: StartRebuild): Promise<Receipt> {
    const { receipt } = await this.orders.place(REBUILDS, { kind: rebuild.mode, order: rebuild, count: 1 }, context);
    return receipt;
  }
}
