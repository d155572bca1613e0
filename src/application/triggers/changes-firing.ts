import { Injectable } from '@nestjs/common';
import type { IsoTime } from '../../domain/kernel/json.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { ChangesTrigger, Firing } from '../../domain/trigger/trigger.events.js';
import type { KnownTrigger } from '../../domain/trigger/trigger.state.js';
import { type ChangesDelivery, queueOf, taskOf, type ToldRange } from '../deliveries/delivery.js';
import type { CommandContext } from '../kernel/command-context.js';
import { derivedId } from '../kernel/derived-id.js';
import { EventStore } from '../kernel/event-store.port.js';
import { receiptOf } from '../kernel/receipt.js';
import { ServiceTasks } from '../service-tasks/service-tasks.js';
import type { EnqueueOutcome, EnqueueRejection } from '../tasks/enqueue-item.js';

/** A trigger that tells changes. */
export type ChangesState = KnownTrigger & { readonly definition: ChangesTrigger };

export const tellsChanges = (state: KnownTrigger): state is ChangesState => 'changes' in state.definition;

export interface OrderedDelivery {
  readonly job: Extract<EnqueueOutcome, { readonly kind: 'done' }>;
  readonly range: ToldRange;
}

interface Refusal {
  readonly problem: EnqueueRejection;
}

/** Orders the deliveries of what has changed since the one before. */
@Injectable()
export class ChangesFiring {
  constructor(
    private readonly service: ServiceTasks,
    private readonly store: EventStore,
  ) {}

  /**
   * The id follows from where the last one ended, so there is one delivery of what comes after that. Whoever repeats this after a crash finds
   * it with the end that it has. If that was at an earlier occurrence, this one tells what comes after it.
   */
  async fire(
    trigger: string,
    state: ChangesState,
    occurrence: IsoTime,
    context: CommandContext,
  ): Promise<Firing | Refusal> {
    for (let after = state.upTo!; ;) {
      const id = derivedId(`changes for trigger ${trigger}`, after);
      const ordered = await this.order(trigger, { ...state, upTo: after }, { id, at: occurrence }, context);
      if ('problem' in ordered) return ordered;
      const { job, range } = ordered;
      if (range.at === occurrence) return { occurrence, task: job.receipt.id, upTo: range.upTo };
      after = range.upTo;
    }
  }

  /** A delivery up to now. `id`: null to have one generated. */
  async order(
    trigger: string,
    { definition: { changes }, upTo: after }: ChangesState,
    { id, at }: { readonly id: string | null; readonly at: IsoTime },
    context: CommandContext,
  ): Promise<OrderedDelivery | Refusal> {
    const range = { trigger, at, queue: changes.queue, after: after!, upTo: String(await this.store.head()) };
    const delivery: ChangesDelivery = { changes: range, to: changes.to };
    const [outcome] = await this.service.enqueue(queueOf(delivery), [taskOf(delivery, id)], context);
    if (outcome!.kind === 'done') return { job: outcome!, range };
    const { rejection: problem } = outcome!;
    const before = problem.code === 'TASK_EXISTS' ? await this.orderedBefore(trigger, id!) : null;
    return before ?? { problem };
  }

  /** Null if the task is no delivery of what the trigger tells. */
  private async orderedBefore(trigger: string, id: string): Promise<OrderedDelivery | null> {
    const [history] = await this.store.readFirst([taskStream(id)]);
    const { payload } = history![0]!.event.data as { readonly payload?: Partial<ChangesDelivery> };
    if (payload?.changes?.trigger !== trigger) return null;
    const { position, revision } = history!.at(-1)!;
    const receipt = receiptOf(id, { kind: 'alreadyDone', position, revision });
    return { job: { kind: 'done', status: 'existing', receipt }, range: payload.changes };
  }
}
