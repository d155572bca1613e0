import type { IsoTime, Json } from '../../domain/kernel/json.js';
import type { DeliveryTrigger } from '../../domain/trigger/trigger.events.js';
import type { EnqueueItem } from '../tasks/enqueue-item.js';
import { triggeredItem } from './triggered-item.js';

/** What a sender has delivered, once its signature is checked. */
export interface Delivery {
  /** The sender's own, the same in each repetition; null if a person fired the trigger. */
  readonly id: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

/** By this label the tasks of a trigger that takes deliveries are found: no event of the trigger names them. */
export const TRIGGER_LABEL = 'trigger';

/** The task of a delivery. */
export function deliveredItem(
  trigger: string,
  { task }: DeliveryTrigger,
  delivery: Delivery,
  now: IsoTime,
): Omit<EnqueueItem, 'taskId'> {
  const { payload, labels, ...work } = triggeredItem(task, now);
  return {
    ...work,
    labels: { ...labels, [TRIGGER_LABEL]: trigger },
    payload: { ...(payload as Record<string, Json> | undefined), delivery: delivery as unknown as Json },
  };
}
