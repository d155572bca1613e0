import { Injectable } from '@nestjs/common';
import type { Json } from '../../domain/kernel/json.js';
import { knownName } from '../../domain/kernel/principal.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { Refused } from '../kernel/application-error.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { EventStore } from '../kernel/event-store.port.js';
import { Idempotency } from '../kernel/idempotency.js';
import type { ServiceQueue } from '../queues/service-queues.js';
import { ServiceTasks } from './service-tasks.js';

/** What an operation is about. Whoever orders it is added to it, with their reason and the number of its tasks. */
interface Ordered {
  readonly kind: string;
  readonly order: object;
  /** How many tasks matched. */
  readonly count: number;
  /** The only one that may have it. Absent: a new one. */
  readonly id?: string;
  /** Whether it waits until somebody releases it. */
  readonly isHeld?: boolean;
  /** By which its task is found. */
  readonly labels?: Readonly<Record<string, string>>;
}

export interface PlacedOrder {
  readonly count: number;
  readonly receipt: Receipt;
}

/** Orders of operations. Each is a task of a queue of the service, whose payload says what to do, and for whom. */
@Injectable()
export class OperationOrders {
  constructor(
    private readonly tasks: ServiceTasks,
    private readonly idempotency: Idempotency,
    private readonly store: EventStore,
  ) {}

  /** The first order under the context's key. A repeated one may match nothing any more, because it was carried out. */
  async earlier(context: CommandContext): Promise<PlacedOrder | null> {
    const receipt = await this.idempotency.earlier(context);
    return receipt && this.asOrdered(receipt, context);
  }

  /** Of two orders at once under the same id, both are answered with the first. Throws `Refused`. */
  async place(queue: ServiceQueue, ordered: Ordered, context: CommandContext): Promise<PlacedOrder> {
    const { kind, order, count, id, isHeld = false, labels = {} } = ordered;
    const { actor: by, reason } = context;
    const payload = { ...order, ...(reason !== undefined && { reason }), expected: count, by } as unknown as Json;
    const held = isHeld && { hold: { by: knownName(context) } };
    const item = { taskId: id ?? null, kind, payload, labels, ...held };
    const [outcome] = await this.tasks.enqueue(queue, [item], context);
    if (outcome!.kind !== 'refused') return this.asOrdered(outcome!.receipt, context);
    const first = id !== undefined && outcome!.rejection.code === 'TASK_EXISTS' ? await this.placed(id) : null;
    if (first === null) throw new Refused(outcome!.rejection);
    return first;
  }

  /** The order with this id; null if there is none. */
  async placed(id: string): Promise<PlacedOrder | null> {
    const [history] = await this.store.readStreams([taskStream(id)]);
    const last = history!.at(-1);
    return last
      ? this.asOrdered({
          id,
          position: String(last.position),
          revision: last.revision,
          recorded: false,
          replayed: true,
        })
      : null;
  }

  /** A repeated order gets the count of the first one, unless that is erased. */
  private async asOrdered(receipt: Receipt, { unit }: Pick<CommandContext, 'unit'> = {}): Promise<PlacedOrder> {
    const [history] = await (unit ?? this.store).readStreams([taskStream(receipt.id)]);
    const { payload } = history![0]!.event.data as { readonly payload?: { readonly expected: number } };
    return { count: payload?.expected ?? 0, receipt };
  }
}
