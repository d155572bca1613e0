import type { OperationId } from '@waybill/contracts';
import { WaybillUnavailable } from './problems.js';
import type { Input } from './transport.js';

/** The most items that wait in this process to be sent. Only a caller that does not wait for answers gets there. */
export const MOST_WAITING = 10_000;

/** What a caller gets instead of a place behind so many others. */
export function tooManyWaiting(operation: OperationId, input: Input): WaybillUnavailable {
  const cause = new Error(`${MOST_WAITING} others wait to be sent: wait for answers before you go on`);
  return new WaybillUnavailable({ operation, input, requestId: '', attempts: 0 }, 'not-done', cause);
}
