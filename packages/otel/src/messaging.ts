import type { Attributes } from '@opentelemetry/api';

/** What Waybill does with messages: the name of the operation, and its type. */
export type Operation = 'send' | 'process' | 'settle';

export interface Messaging {
  /** Of the span: the operation, and where. */
  readonly name: string;
  /** Of the span and the metrics, so they have few values. */
  readonly attributes: Attributes;
  /** Of the span alone. */
  readonly details: Attributes;
}

/** By https://opentelemetry.io/docs/specs/semconv/messaging/messaging-spans/. `count`: of tasks that are sent together. */
export function messagingOf(operation: Operation, queue: string | undefined, count = 1): Messaging {
  return {
    name: queue === undefined ? operation : `${operation} ${queue}`,
    attributes: {
      'messaging.system': 'waybill',
      'messaging.operation.name': operation,
      'messaging.operation.type': operation,
      ...(queue !== undefined && { 'messaging.destination.name': queue }),
    },
    details: count === 1 ? {} : { 'messaging.batch.message_count': count },
  };
}
