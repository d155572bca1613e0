import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import {
  type Context,
  diag,
  DiagLogLevel,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { Tracing, type TracedWork } from '../../application/kernel/tracing.port.js';
import { resourceOf } from './otlp-resource.js';

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/**
 * Exports spans by OTLP/HTTP in JSON. Loaded only if an endpoint is configured. Headers, time-outs and samplers are those of OpenTelemetry's
 * variables. What runs within what is kept here, so that it touches no other use of OpenTelemetry in the process.
 */
export class OtlpTracing extends Tracing implements OnApplicationShutdown {
  private readonly current = new AsyncLocalStorage<Context>();
  private readonly provider: BasicTracerProvider;
  private readonly logger = new Logger('OpenTelemetry');

  /** @param url where traces go, as a whole */
  constructor(url: string, version: string) {
    super();
    const say = (message: string): void => this.logger.warn(message);
    const quiet = (): void => undefined;
    const logger = { error: say, warn: say, info: quiet, debug: quiet, verbose: quiet };
    // Without the warning, with a stack, that a second service of the process takes the place of the first.
    diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
    const exporter = new OTLPTraceExporter({ url });
    this.provider = new BasicTracerProvider({
      resource: resourceOf(version),
      spanProcessors: [new BatchSpanProcessor(exporter)],
    });
  }

  async within<T>(
    { name, kind, attributes, traceparent }: TracedWork,
    work: (traceparent: string) => Promise<T>,
  ): Promise<T> {
    const parent = traceparent === undefined ? (this.current.getStore() ?? ROOT_CONTEXT) : contextOf(traceparent);
    const span = this.provider.getTracer('waybill').startSpan(name, { kind: KINDS[kind], attributes }, parent);
    try {
      return await this.current.run(trace.setSpan(parent, span), () => work(traceparentOf(span)));
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  /** Sends what it still has. A collector that does not take it keeps no service from stopping. */
  async onApplicationShutdown(): Promise<void> {
    await this.provider
      .shutdown()
      .catch((error: unknown) => this.logger.warn(`The last spans are lost: ${(error as Error).message}`));
  }
}

/** As the header has it: https://www.w3.org/TR/trace-context/#traceparent-header. */
function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** The context of a caller's span, in another process. */
function contextOf(traceparent: string | null): Context {
  const [, traceId = '', spanId = '', flags = ''] = traceparent?.split('-') ?? [];
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(remote) ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT;
}

/** Messages of errors may say what a task was about, so only their names and codes are told. */
function fail(span: Span, error: unknown): void {
  const { name = 'Error', rejection } = Object(error) as {
    readonly name?: string;
    readonly rejection?: { code?: string };
  };
  span.setAttribute('error.type', rejection?.code ?? name);
  span.setStatus({ code: SpanStatusCode.ERROR });
}
