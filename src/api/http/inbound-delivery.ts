import type { Delivery } from '../../application/triggers/delivered-item.js';
import type { Json } from '../../domain/kernel/json.js';
import type { InboundDelivery } from '../../domain/trigger/trigger.events.js';
import type { Arrived } from '../access/inbound-signature.js';
import { parsed } from './json-body.js';
import { textOfHeader } from '../input/header-text.js';
import { InvalidInput } from '../input/invalid-input.js';
import { faultInJson } from '../input/json-rules.js';
import { ApiError } from '../problems/api-error.js';

/**
 * What a task gets of a request whose signature is checked. `id`: null if the sender names the delivery in the body. Throws `MALFORMED_JSON`,
 * and `InvalidInput` for what cannot be stored.
 */
export function deliveryIn(
  { headers, body }: Arrived,
  { headers: kept = [] }: InboundDelivery,
  id: string | null,
): Delivery & { readonly id: string } {
  const content = parsed(body);
  if (content === undefined) throw new ApiError('MALFORMED_JSON', 'Expected the body to be JSON, but it is empty');
  const delivery = {
    id: id ?? idIn(content),
    headers: Object.fromEntries(
      kept.flatMap((name) => textsOf(headers[name]).map((text) => [name, textOfHeader(text)])),
    ),
    body: content as Json,
  };
  const fault = faultInJson(delivery);
  if (fault) throw new InvalidInput([fault]);
  return delivery;
}

const textsOf = (value: Arrived['headers'][string]): readonly string[] =>
  value === undefined ? [] : [typeof value === 'string' ? value : value.join(', ')];

/** As Stripe names its events. */
function idIn(content: unknown): string {
  const id = typeof content === 'object' && content !== null && 'id' in content ? content.id : null;
  if (typeof id === 'string' && /^[\x21-\x7e]{1,255}$/.test(id)) return id;
  throw new InvalidInput([
    { pointer: '/id', detail: 'Expected the id of the delivery, of 1 to 255 characters, but the body has none' },
  ]);
}
