import {
  type Attributes,
  type Context,
  context,
  type Histogram,
  type Link,
  type Span,
  type SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import type { Messaging } from './messaging.js';
import type { MessagingMetrics } from './messaging-metrics.js';

export interface FollowedOperation extends Messaging {
  readonly kind: SpanKind;
  readonly links?: Link[];
  /** How many tasks it submits. */
  readonly sent?: number;
}

/** Why an operation is a failure although it threw nothing. */
export interface Failure {
  /** One of few. */
  readonly type: string;
  readonly message: string;
}

/** A span that has begun, and the context within it. */
export interface BegunSpan {
  readonly span: Span;
  readonly within: Context;
}

/** Runs work in spans, and measures it. */
export class Followed {
  constructor(
    private readonly tracer: Tracer,
    readonly metrics: MessagingMetrics,
  ) {}

  /** Begins a span within the active one. */
  begin({ name, kind, attributes, details, links }: FollowedOperation): BegunSpan {
    const span = this.tracer.startSpan(name, { kind, attributes: { ...attributes, ...details }, links });
    return { span, within: trace.setSpan(context.active(), span) };
  }

  /** A request to the service, in a span of its own. */
  async operation<T>(operation: FollowedOperation, work: () => Promise<T>): Promise<T> {
    const { attributes, sent } = operation;
    const begun = this.begin(operation);
    const done = await this.measured(begun, { attributes, histogram: this.metrics.operationDuration }, work);
    if (sent !== undefined) this.metrics.sent(sent, attributes);
    return done;
  }

  /** Runs `work` within a span and ends it. */
  async measured<T>(
    { span, within }: BegunSpan,
    { attributes, histogram }: { readonly attributes: Attributes; readonly histogram: Histogram },
    work: () => Promise<T>,
    failureIn: (done: T) => Failure | null = () => null,
  ): Promise<T> {
    const began = performance.now();
    let failure: Failure | null = null;
    try {
      const done = await context.with(within, work);
      failure = failureIn(done);
      return done;
    } catch (error) {
      failure = failureOf(error);
      throw error;
    } finally {
      if (failure !== null) failed(span, failure);
      const how = failure === null ? attributes : { ...attributes, 'error.type': failure.type };
      histogram.record((performance.now() - began) / 1_000, how, within);
      span.end();
    }
  }
}

function failed(span: Span, { type, message }: Failure): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}

/** The code of a refusal, or the name of the error. */
function failureOf(error: unknown): Failure {
  const { code, name = 'Error', message = String(error) } = Object(error) as Partial<Error> & { code?: unknown };
  return { type: typeof code === 'string' ? code : name, message };
}
