import { Command, CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { BatchPolicy, RerunReporting } from '../../domain/batch/batch.policy.js';
import type { BatchFacts } from '../../domain/batch/batch.state.js';
import type { PlannedBatches } from '../../domain/queue/queue.policy.js';
import { Refused } from '../kernel/application-error.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { derivedId } from '../kernel/derived-id.js';
import { QueueDirectory } from '../kernel/queue-directory.js';
import { Presets } from '../queues/presets.port.js';
import { assertLabelsNotReserved } from '../queues/reserved-queue.js';
import type { EnqueueItem } from '../tasks/enqueue-item.js';
import type { Step } from '../transactions/transaction-step.js';
import { OperateBatch } from './operate-batch.handler.js';
import { receiptOfFirst } from './receipt-of-first.js';
import { defined } from '../../domain/kernel/defined.js';

/** A batch to create. */
export interface BatchOrder extends Pick<BatchFacts, 'name' | 'description' | 'labels' | 'reportTo' | 'rerunOf'> {
  readonly preset?: string;
  readonly reRunReporting?: RerunReporting;
  /** The task that adds the batch's tasks and opens it. */
  readonly plan?: Omit<EnqueueItem, 'taskId' | 'batch' | 'plans' | 'labels' | 'prepared'>;
}

/** Creates a batch, with the task that plans it if the order has one: both, or neither. Throws `Refused`. */
export class CreateBatch extends Command<Receipt> {
  constructor(
    readonly batch: string,
    readonly order: BatchOrder,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** The id of the task that plans the batch, so that a repeated creation finds the same one. */
export const plannerOf = (batch: string): string => derivedId(`batch ${batch}`, 'planner');

@CommandHandler(CreateBatch)
export class CreateBatchHandler implements ICommandHandler<CreateBatch> {
  constructor(
    private readonly bus: CommandBus,
    private readonly queues: QueueDirectory,
    private readonly presets: Presets,
  ) {}

  async execute({ batch, order, context }: CreateBatch): Promise<Receipt> {
    assertLabelsNotReserved(order.labels, context);
    const facts = factsOf(order, await this.policyOf(order), order.plan && plannerOf(batch));
    const create = (within: CommandContext) => new OperateBatch(batch, { type: 'CreateBatch', facts }, within);
    if (!order.plan) return this.bus.execute(create(context));
    const steps: readonly Step[] = [
      { kind: 'operate', on: { batch }, command: create },
      { kind: 'enqueue', item: { ...order.plan, ...labelsOf(order), taskId: plannerOf(batch), plans: batch } },
    ];
    return receiptOfFirst(this.bus, steps, context);
  }

  /** Copies what the preset says into the batch, so that a new version of the preset does not change the batch. */
  private async policyOf(order: BatchOrder): Promise<BatchPolicy> {
    const rules = await this.rulesOf(order);
    const { preset: name = rules?.preset, reRunReporting: asked } = order;
    const preset = name == null ? null : this.presetNamed(name);
    const reRunReporting = asked ?? rules?.reRunReporting ?? preset?.reRunReporting;
    return {
      ...(preset && { preset: preset.name, vocabulary: preset.vocabulary, commands: preset.commands }),
      ...(reRunReporting !== undefined && reRunReporting !== 'auto' && { reRunReporting }),
    };
  }

  /** What the planner's queue says of the batches that its tasks plan. A queue that does not exist refuses the task later. */
  private async rulesOf({ plan, reRunReporting: asked }: BatchOrder): Promise<PlannedBatches | null> {
    if (!plan) return null;
    const { queue } = plan;
    const { state } = (await this.queues.getFresh([queue])).get(queue)!;
    const rules = 'queue' in state ? state.queue.policy.batches : null;
    if (!rules || rules.creatorChooses || asked === undefined || asked === rules.reRunReporting) return rules;
    throw new Refused({ code: 'RE_RUN_REPORTING_FIXED', queue, reRunReporting: rules.reRunReporting });
  }

  private presetNamed(name: string) {
    const preset = this.presets.ofBatches(name);
    if (!preset) throw new Refused({ code: 'PRESET_NOT_FOUND', preset: name, known: this.presets.namesOfBatches() });
    return preset;
  }
}

const labelsOf = ({ labels }: BatchOrder) => (labels === undefined ? {} : { labels });

/** Absent facts stay absent, so that a repeated creation is recognised. */
function factsOf(order: BatchOrder, policy: BatchPolicy, planner: string | undefined): BatchFacts {
  const { name, description, labels, reportTo, rerunOf } = order;
  const given = defined({ description, labels, planner, reportTo, rerunOf });
  return { name, ...given, ...(Object.keys(policy).length > 0 && { policy }) };
}
