import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { batchDecider } from '../../domain/batch/batch.decider.js';
import type { BatchEvent } from '../../domain/batch/batch.events.js';
import { batchStream } from '../../domain/batch/batch.stream.js';
import { fold } from '../../domain/kernel/decider.js';
import { Refused } from '../kernel/application-error.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { Idempotency } from '../kernel/idempotency.js';
import { EventStore } from '../kernel/event-store.port.js';
import { OperateTask } from '../tasks/operate-task.handler.js';
import { BatchOffers } from './batch-offers.js';

/** Releases the task that plans a batch. The receipt is about that task. Throws `Refused`. */
export class ReleaseBatch extends Command<Receipt> {
  constructor(
    readonly batch: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ReleaseBatch)
export class ReleaseBatchHandler implements ICommandHandler<ReleaseBatch> {
  constructor(
    private readonly bus: CommandBus,
    private readonly store: EventStore,
    private readonly offers: BatchOffers,
    private readonly idempotency: Idempotency,
  ) {}

  execute({ batch, context }: ReleaseBatch): Promise<Receipt> {
    return this.idempotency.once(context, () => this.release(batch, context));
  }

  private async release(batch: string, context: CommandContext): Promise<Receipt> {
    const [history] = await this.store.readStreams([batchStream(batch)]);
    const state = fold(
      batchDecider,
      history!.map(({ event }) => event as BatchEvent),
    );
    if (state.status === 'unknown') throw new Refused({ code: 'BATCH_NOT_FOUND', batch });
    const { planner } = state.batch;
    if (planner === undefined) throw new Refused({ code: 'BATCH_WITHOUT_PLANNER', batch });
    await this.offers.assert('ReleaseBatch', state);
    return this.bus.execute(new OperateTask(planner, { type: 'ReleaseTask' }, context));
  }
}
