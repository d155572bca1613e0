import { Optional } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { matches, typesOf } from '../../domain/trigger/event-pattern.js';
import type { EventTrigger } from '../../domain/trigger/trigger.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { OperationOrders, type PlacedOrder } from '../service-tasks/operation-orders.js';
import type { CommandContext, Receipt } from '../kernel/command-context.js';
import { EventStore } from '../kernel/event-store.port.js';
import { partUpTo, sizeOf } from '../kernel/log-segment.js';
import { PAST_FIRINGS, type PastFiring } from './past-firing.js';

/** The most events of a range that nobody has confirmed. */
export const MOST_UNCONFIRMED = 1_000_000;

export interface StartedReplay {
  /** The positions of the range. */
  readonly range: Pick<PastFiring, 'after' | 'upTo'>;
  /** How many events match; null if the range has more than a million events, which are not counted then. */
  readonly count: number | null;
  /** Null for a preview, and for a range that must be confirmed first. */
  readonly receipt: Receipt | null;
}

/** Orders that a trigger tells the events of a range once more. The order is a task, which the role `steward` carries out. Throws `Refused`. */
export class ReplayTrigger extends Command<StartedReplay> {
  constructor(
    readonly firing: Required<PastFiring>,
    readonly definition: EventTrigger,
    readonly mode: { readonly isPreview: boolean; readonly isConfirmed: boolean },
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Events that are read at once. */
const PART = 2_000;

@CommandHandler(ReplayTrigger)
export class ReplayTriggerHandler implements ICommandHandler<ReplayTrigger> {
  constructor(
    private readonly orders: OperationOrders,
    private readonly store: EventStore,
    @Optional() private readonly most: number = MOST_UNCONFIRMED,
  ) {}

  async execute({ firing, definition, mode, context }: ReplayTrigger): Promise<StartedReplay> {
    const earlier = mode.isPreview ? null : await this.orders.earlier(context);
    if (earlier) return this.asOrdered(earlier);
    const count = await this.matching(firing, definition);
    if (mode.isPreview || (count === null && !mode.isConfirmed)) return { count, receipt: null, range: firing };
    const placed = await this.orders.place(
      PAST_FIRINGS,
      { kind: 'replay', order: firing, count: count ?? UNKNOWN },
      context,
    );
    return this.asOrdered(placed);
  }

  /** A repeated order has the range of the first one. */
  private async asOrdered({ count, receipt }: PlacedOrder): Promise<StartedReplay> {
    const [history] = await this.store.readStreams([taskStream(receipt.id)]);
    const { payload: range } = history![0]!.event.data as { readonly payload: PastFiring };
    return { range, count: count === UNKNOWN ? null : count, receipt };
  }

  private async matching({ after, upTo }: PastFiring, { event: pattern }: EventTrigger): Promise<number | null> {
    const [types, end] = [typesOf(pattern), BigInt(upTo)];
    let [reached, events, count] = [BigInt(after), 0, 0];
    while (reached < end) {
      const segments = await this.store.readSegments(reached, PART, false);
      if (segments.length === 0) break;
      const part = segments.map((segment) => partUpTo(segment, end));
      events += sizeOf(part);
      if (events > this.most) return null;
      for (const segment of part)
        if (segment.size > 0 && types.includes(segment.type))
          count += segment.shown().filter((one) => !one.unreadable && matches(pattern, one.event)).length;
      reached = segments.at(-1)!.position;
    }
    return count;
  }
}

/** As the order keeps it. */
const UNKNOWN = -1;
