import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { RESERVED } from '../../domain/queue/reserved.policy.js';
import type { CommandContext } from '../kernel/command-context.js';
import { derivedId } from '../kernel/derived-id.js';
import { OperationOrders } from '../service-tasks/operation-orders.js';
import { concernsNothing, ERASURES } from './erasure.js';
import { Erasures } from './erasures.port.js';

const DAY_MS = 86_400_000;
/** By it, lists find the expiries of a queue. It begins as the names of the service's own queues do, unlike what people call their labels. */
const EXPIRY_LABEL = `${RESERVED}expires`;

/** What a queue's policy has expire on a day. */
export interface Expiry {
  readonly queue: string;
  /** After how many days, by the queue's policy. */
  readonly days: number;
  /** The day, such as `2030-01-31`. */
  readonly on: string;
}

/** Tells an expiry from all others: it is ordered once. What finds them in the database writes the same. */
export const expiryName = ({ queue, days, on }: Expiry): string => `${on} ${days} ${queue}`;

/** Orders, once a day, that what ended tasks of a queue were about is erased, if there are any. Throws `Refused`. */
export class OrderExpiry extends Command<void> {
  constructor(
    readonly expiry: Expiry,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(OrderExpiry)
export class OrderExpiryHandler implements ICommandHandler<OrderExpiry> {
  constructor(
    private readonly orders: OperationOrders,
    private readonly erasures: Erasures,
  ) {}

  async execute({ expiry, context }: OrderExpiry): Promise<void> {
    this.erasures.assertPossible();
    const { queue, days } = expiry;
    const id = derivedId('expiry', expiryName(expiry));
    if ((await this.orders.placed(id)) !== null) return;
    const subject = { ended: { queue, before: { ago: days * DAY_MS } } } as const;
    const outlook = await this.erasures.outlook(subject);
    if (concernsNothing(outlook)) return;
    await this.erasures.keep(id, subject);
    const reason = `contents of '${queue}' expire after ${days} days`;
    const order = {
      kind: 'erase',
      order: { abortOpen: false, isPurge: true },
      count: outlook.tasks,
      id,
      isHeld: this.erasures.needApproval,
      labels: { [EXPIRY_LABEL]: queue },
    };
    await this.orders.place(ERASURES, order, { ...context, reason });
  }
}
