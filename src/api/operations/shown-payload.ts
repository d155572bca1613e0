import type { Json } from '../../domain/kernel/json.js';
import { type OutsidePayload, outsidePayloadIn } from '../../domain/task/outside-payload.js';

export interface Outside {
  readonly payloadOutside?: OutsidePayload;
}

/** A payload outside the log is named and not read: whoever looks at a task need not wait for the store. */
export function withoutOutside<T extends { readonly payload: Json }>(task: T): T & Outside {
  const payloadOutside = outsidePayloadIn(task.payload);
  return payloadOutside === null ? task : { ...task, payload: null, payloadOutside };
}
