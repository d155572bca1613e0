import type { Json } from '../../domain/kernel/json.js';
import type { QueueRejection } from '../../domain/queue/queue.rejections.js';
import type { QueueFacts } from '../../domain/queue/queue.state.js';
import { mismatchIn } from '../kernel/json-schema.js';

/** What is checked: a task without a payload has null. */
interface NewPayload {
  readonly kind: string;
  readonly payload?: Json;
}

/** Why the queue refuses a payload of the kind; null if the kind has no schema, or the payload matches it. */
export function payloadFault(
  { kind, payload = null }: NewPayload,
  { name: queue, policy: { payloadSchemas }, policyVersion }: QueueFacts,
): QueueRejection | null {
  const schema = Object.hasOwn(payloadSchemas, kind) ? payloadSchemas[kind] : undefined;
  const mismatch = schema === undefined ? null : mismatchIn(schema, payload);
  return mismatch && { code: 'PAYLOAD_INVALID', queue, kind, policyVersion, ...mismatch };
}
