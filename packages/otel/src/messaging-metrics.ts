import type { Attributes, Counter, Histogram, Meter } from '@opentelemetry/api';

/** What the conventions advise, and more, because tasks may run for hours. In seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200];

/** By https://opentelemetry.io/docs/specs/semconv/messaging/messaging-metrics/. */
export class MessagingMetrics {
  /** Of what asks the service: `send` and `settle`. */
  readonly operationDuration: Histogram;
  /** Of handlers. */
  readonly processDuration: Histogram;
  private readonly sentMessages: Counter;
  private readonly consumedMessages: Counter;

  constructor(meter: Meter) {
    const histogram = (name: string, description: string): Histogram =>
      meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries: BUCKETS } });
    const counter = (name: string, description: string): Counter =>
      meter.createCounter(name, { description, unit: '{message}' });
    this.operationDuration = histogram('messaging.client.operation.duration', 'Duration of requests about tasks.');
    this.processDuration = histogram('messaging.process.duration', 'Duration of handlers.');
    this.sentMessages = counter('messaging.client.sent.messages', 'Tasks that were submitted.');
    this.consumedMessages = counter('messaging.client.consumed.messages', 'Tasks that were claimed.');
  }

  sent(count: number, attributes: Attributes): void {
    this.sentMessages.add(count, attributes);
  }

  consumed(attributes: Attributes): void {
    this.consumedMessages.add(1, attributes);
  }
}
