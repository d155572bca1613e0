import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Refused } from '../kernel/application-error.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { newId } from '../kernel/new-id.js';
import { OperationOrders } from '../service-tasks/operation-orders.js';
import { concernsNothing, ERASURES, type ErasureChoice, type ErasureSubject } from './erasure.js';
import { Erasures } from './erasures.port.js';

export interface StartedErasure {
  readonly tasks: number;
  /** Of a preview. */
  readonly open?: number;
  readonly batches?: number;
  readonly outbox?: number;
  /** Null for a preview. */
  readonly receipt: Receipt | null;
  /** Whether it waits until somebody else approves it. */
  readonly needsApproval: boolean;
}

/** Orders that what a subject's tasks were about is erased. The order is a task, which the role `steward` carries out. Throws `Refused`. */
export class StartErasure extends Command<StartedErasure> {
  constructor(
    readonly subject: ErasureSubject,
    readonly choice: ErasureChoice,
    readonly isPreview: boolean,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(StartErasure)
export class StartErasureHandler implements ICommandHandler<StartErasure> {
  constructor(
    private readonly orders: OperationOrders,
    private readonly erasures: Erasures,
  ) {}

  async execute({ subject, choice, isPreview, context }: StartErasure): Promise<StartedErasure> {
    this.erasures.assertPossible();
    const { needApproval: needsApproval } = this.erasures;
    const earlier = isPreview ? null : await this.orders.earlier(context);
    if (earlier) return { tasks: earlier.count, receipt: earlier.receipt, needsApproval };
    const hold = await this.erasures.forbidden(subject);
    if (hold !== null) throw new Refused({ code: 'ERASURE_FORBIDDEN', ...hold });
    const outlook = await this.erasures.outlook(subject);
    if (isPreview) return { ...outlook, receipt: null, needsApproval };
    if (concernsNothing(outlook)) throw new Refused({ code: 'NO_TASK_MATCHES' });
    const { tasks } = outlook;
    return { tasks, receipt: await this.place(subject, choice, tasks, context), needsApproval };
  }

  /** The tasks are kept before there is an order, which never says whose they are. */
  private async place(
    subject: ErasureSubject,
    choice: ErasureChoice,
    count: number,
    context: CommandContext,
  ): Promise<Receipt> {
    const [id, isHeld] = [newId(), this.erasures.needApproval];
    await this.erasures.keep(id, subject);
    const order: ErasureChoice = { ...choice, ...('ended' in subject && { isPurge: true }) };
    return (await this.orders.place(ERASURES, { kind: 'erase', order, count, id, isHeld }, context)).receipt;
  }
}
