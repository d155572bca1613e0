import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type SettleItem, type SettleOutcome, SettleTasks } from '../../application/claims/settle-tasks.handler.js';
import { type Call, contextOf } from './call.js';
import { type ManyResult, type Settlement, settlementResults } from './outcomes.js';
import { Scopes } from './scopes.js';
import { traceparentIn } from './traceparent.js';

const NOT_FOUND: SettleOutcome = { kind: 'refused', rejection: { code: 'TASK_NOT_FOUND' } };

/** A trace context that is not valid is ignored, as that of a request is. */
function withTrace(item: SettleItem): SettleItem {
  if (item.traceparent === undefined) return item;
  const { traceparent: given, ...rest } = item;
  const traceparent = traceparentIn(given);
  return traceparent === null ? rest : { ...rest, traceparent };
}

/** Settles what callers have tokens of, and tells each what it may know. */
@Injectable()
export class Settling {
  constructor(
    private readonly commands: CommandBus,
    private readonly scopes: Scopes,
  ) {}

  /** One result per item, in order. `actor` is used if the request names none. */
  async settle(call: Call<{ readonly items: readonly object[] }>, actor?: string): Promise<ManyResult<Settlement>> {
    const items = (call.body.items as readonly SettleItem[]).map(withTrace);
    const outcomes = await this.commands.execute(new SettleTasks(items, contextOf(call, actor)));
    return settlementResults(await this.visibleOutcomes(call, items, outcomes));
  }

  /** A refused report tells no more of a task than it does by itself. */
  private async visibleOutcomes(
    call: Call,
    items: readonly SettleItem[],
    outcomes: readonly SettleOutcome[],
  ): Promise<readonly SettleOutcome[]> {
    const refused = items.filter((_, at) => outcomes[at]!.kind === 'refused').map(({ taskId }) => taskId);
    const outside = await this.scopes.outside(refused, call);
    return outcomes.map((one, at) => (one.kind === 'refused' && outside.has(items[at]!.taskId) ? NOT_FOUND : one));
  }
}
