import type { EventView } from '@waybill/contracts';
import { endsTask, hasEffect } from './words/effects.js';

/** Whether the task with this history has ended and has not been returned to work since. */
export function isOver(history: readonly EventView[]): boolean {
  const last = history.findLast((event) => endsTask(event) || hasEffect(event, 'begins-wait'));
  return last !== undefined && endsTask(last);
}
