import {
  context,
  metrics,
  ROOT_CONTEXT,
  SpanKind,
  trace,
  type MeterProvider,
  type TracerProvider,
} from '@opentelemetry/api';
import type { SentTasks, Task, Telemetry, WaybillOptions } from '@waybill/client';
import { Followed } from './followed.js';
import { MessagingMetrics } from './messaging-metrics.js';
import { messagingOf } from './messaging.js';
import { FollowedAttempt } from './followed-attempt.js';
import { traceparentOf } from './trace-context.js';

export interface OpenTelemetryOptions {
  /** By default the global one. */
  readonly tracerProvider?: TracerProvider;
  /** By default the global one. */
  readonly meterProvider?: MeterProvider;
}

/** The name of the instrumentation. */
const NAME = '@waybill/otel';

/**
 * Spans and metrics of what a client and its workers do, by OpenTelemetry's conventions for messaging:
 * `createWaybill({ url, ...openTelemetry() })`. The span that is active when a task is submitted is recorded with it, if it is sampled, and the
 * span of each attempt links to it. Requests have the active span in their header `traceparent`: if your `fetch` is instrumented, which does the
 * same, leave `traceparent` out.
 */
export function openTelemetry(
  options: OpenTelemetryOptions = {},
): Required<Pick<WaybillOptions, 'telemetry' | 'traceparent'>> {
  const { tracerProvider = trace, meterProvider = metrics } = options;
  const traceparent = (): string | undefined => traceparentOf(trace.getSpanContext(context.active()));
  const followed = new Followed(tracerProvider.getTracer(NAME), new MessagingMetrics(meterProvider.getMeter(NAME)));
  const telemetry: Telemetry = {
    traceparent,
    detached: (work) => context.with(ROOT_CONTEXT, work),
    send: <T>({ queue, count }: SentTasks, work: () => Promise<T>) =>
      followed.operation({ ...messagingOf('send', queue, count), kind: SpanKind.PRODUCER, sent: count }, work),
    attempt: (task: Task) => new FollowedAttempt(followed, task),
  };
  return { traceparent, telemetry };
}
