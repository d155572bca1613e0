import { isSpanContextValid, type Link, type SpanContext, TraceFlags } from '@opentelemetry/api';

/** https://www.w3.org/TR/trace-context/#traceparent-header, of any version. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-|$)/;

/** The span as a W3C `traceparent`; undefined if it is not sampled: what nobody keeps leads nowhere, and costs a record of its own. */
export function traceparentOf(span: SpanContext | undefined): string | undefined {
  if (span === undefined || !isSpanContextValid(span) || (span.traceFlags & TraceFlags.SAMPLED) === 0) return undefined;
  return `00-${span.traceId}-${span.spanId}-01`;
}

/** A link to the span of a `traceparent`, or none. */
export function linkTo(traceparent: string | undefined): Link[] {
  const [, traceId = '', spanId = '', flags = '0'] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(context) ? [{ context }] : [];
}
