import { DELIVERIES } from '../../../src/application/queues/service-queues.js';
import {
  type History,
  type Log,
  push,
  type ReceivedCall,
  type TaskRecord,
  type Violation,
  violation,
} from './history.js';

/**
 * I18: an attempt of a delivery calls its receiver at most once, each time with the same message. A delivery that
 * succeeded was received.
 */
export function* deliveryViolations({ received }: Pick<History, 'received'>, log: Log): Generator<Violation> {
  if (received === undefined) return;
  const calls = new Map<string, ReceivedCall[]>();
  for (const call of received) push(calls, call.id, call);
  for (const [id, ofDelivery] of calls) yield* misdelivered(id, ofDelivery, log.tasks.get(id) ?? []);
  for (const [id, records] of log.tasks) if (!calls.has(id)) yield* neverSent(id, records);
}

function* misdelivered(
  id: string,
  calls: readonly ReceivedCall[],
  records: readonly TaskRecord[],
): Generator<Violation> {
  const attempts = records.filter(({ event }) => event.type === 'TaskClaimed').length;
  if (calls.length > attempts)
    yield violation('I18', `Expected ${attempts} calls for delivery '${id}', but got ${calls.length}`, ...records);
  if (new Set(calls.map(({ body }) => body)).size > 1)
    yield violation('I18', `Expected every call for delivery '${id}' to say the same, but they differ`, ...records);
}

function* neverSent(id: string, records: readonly TaskRecord[]): Generator<Violation> {
  const [first] = records;
  if (first?.event.data.queue !== DELIVERIES.name || !('kind' in first.event.data)) return;
  if (first.event.data.kind !== 'webhook') return;
  const success = records.find(({ event }) => event.type === 'TaskSucceeded');
  if (success) yield violation('I18', `Expected delivery '${id}' to be received, but it was not`, success);
}
