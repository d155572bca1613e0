import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RunAgainOrder } from '../../domain/task/run-again.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { Idempotency } from '../kernel/idempotency.js';
import { newId } from '../kernel/new-id.js';
import { RunTasksAgain } from './run-tasks-again.handler.js';

/** Runs an ended task again, as a new task, which the receipt is about. Throws `Refused`. */
export class RunTaskAgain extends Command<Receipt> {
  constructor(
    readonly task: string,
    readonly order: RunAgainOrder,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(RunTaskAgain)
export class RunTaskAgainHandler implements ICommandHandler<RunTaskAgain> {
  constructor(
    private readonly bus: CommandBus,
    private readonly idempotency: Idempotency,
  ) {}

  /** A repeated request gets its answer also if the first run could not be run again by now. */
  execute({ task, order, context }: RunTaskAgain): Promise<Receipt> {
    return this.idempotency.once(context, async () => {
      const again = new RunTasksAgain([{ task, as: newId() }], order, context);
      const [outcome] = await this.bus.execute(again);
      if (outcome!.kind === 'done') return outcome!.receipt;
      return this.idempotency.refuse(outcome!.rejection, context);
    });
  }
}
