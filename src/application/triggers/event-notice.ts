import type { Json } from '../../domain/kernel/json.js';
import type { Recipient } from '../../domain/trigger/trigger.events.js';
import type { Message, Notice } from '../deliveries/delivery.js';
import type { RecordedEvent } from '../kernel/recorded-event.js';

/** What is told of an event. Payloads and results stay here, because they may be large or confidential. */
export function noticeOf({ id, stream, recordedAt, event }: RecordedEvent): Notice {
  const { payload: _payload, result: _result, previous: _previous, ...data } = event.data as Record<string, Json>;
  return { id, type: `waybill.${event.type}`, source: '/events', subject: stream, time: recordedAt, data };
}

/** The message that tells it. */
export function deliveryOf(recipient: Recipient, name: string, notice: Notice): Message {
  if ('webhook' in recipient) return { webhook: recipient.webhook, event: notice };
  const { to } = recipient.mail;
  const subject = `${notice.type} (trigger '${name}')`;
  return { mail: { to, subject, text: textOf(name, notice) } };
}

const textOf = (name: string, { type, subject, time, replay, data }: Notice): string =>
  [
    `Trigger '${name}' tells of ${type}.`,
    `Subject: ${subject ?? '-'}`,
    `Time: ${time ?? '-'}`,
    ...(replay === undefined ? [] : [`Told once more by replay ${replay}.`]),
    '',
    JSON.stringify(data, null, 2),
  ].join('\n');
