import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { BatchEventOf } from '../../domain/batch/batch.events.js';
import { batchStream } from '../../domain/batch/batch.stream.js';
import { Refused } from '../kernel/application-error.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { EventStore } from '../kernel/event-store.port.js';
import { RunTransaction } from '../transactions/run-transaction.handler.js';
import type { ServiceQueue } from '../queues/service-queues.js';
import { ServiceTasks } from '../service-tasks/service-tasks.js';
import type { Step } from '../transactions/transaction-step.js';
import { plannerOf } from './create-batch.handler.js';
import { OperateBatch } from './operate-batch.handler.js';
import { rerunBatchOf } from './rerun-ids.js';
import { defined } from '../../domain/kernel/defined.js';

/** The tasks of this queue plan batches that run failed tasks of other batches again. The role `steward` carries them out. */
export const RERUNS: ServiceQueue = {
  name: 'waybill.reruns',
  description: 'Plans of batches that run failed tasks again',
  policy: { onFailure: 'retry', maxLost: 100, retry: { maxAttempts: 20 } },
};

/** The payload of such a task. */
export interface RerunOrder {
  /** The batch whose tasks are to be run again. */
  readonly of: string;
}

/** Runs the failed tasks of a batch again, in a batch of their own, which the receipt is about. */
export class RerunBatch extends Command<Receipt> {
  constructor(
    readonly batch: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(RerunBatch)
export class RerunBatchHandler implements ICommandHandler<RerunBatch> {
  constructor(
    private readonly bus: CommandBus,
    private readonly store: EventStore,
    private readonly tasks: ServiceTasks,
  ) {}

  async execute({ batch, context }: RerunBatch): Promise<Receipt> {
    const [history] = await this.store.readStreams([batchStream(batch)]);
    const created = history!.find(({ event }) => event.type === 'BatchCreated')?.event as Created | undefined;
    if (!created) throw new Refused({ code: 'BATCH_NOT_FOUND', batch });
    await this.tasks.define(RERUNS, context);
    const steps = stepsOf(batch, created.data);
    try {
      const asService = { ...context, isService: true } as const;
      const { position, results, replayed } = await this.bus.execute(new RunTransaction(steps, asService));
      return { ...results[1]!, position, replayed };
    } catch (error) {
      throw error instanceof Refused ? new Refused(error.rejection) : error;
    }
  }
}

type Created = BatchEventOf<'BatchCreated'>;

function stepsOf(batch: string, { name, description, labels, policy, reportTo }: Created['data']): readonly Step[] {
  const rerun = rerunBatchOf(batch);
  const planner = plannerOf(rerun);
  const kept = { description, labels, policy, reportTo };
  const facts = { name, ...defined(kept), planner, rerunOf: batch };
  const payload: RerunOrder = { of: batch };
  const operate = (on: string, operation: ConstructorParameters<typeof OperateBatch>[1]): Step => ({
    kind: 'operate',
    on: { batch: on },
    command: (context) => new OperateBatch(on, operation, context),
  });
  return [
    operate(batch, { type: 'RerunBatch', rerun }),
    operate(rerun, { type: 'CreateBatch', facts }),
    {
      kind: 'enqueue',
      item: { queue: RERUNS.name, taskId: planner, plans: rerun, payload: { ...payload }, ...defined({ labels }) },
    },
  ];
}
