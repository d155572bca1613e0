import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { until } from '../until.js';

/** A span as OTLP/HTTP has it in JSON: https://opentelemetry.io/docs/specs/otlp/#otlphttp. */
export interface ReceivedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty or absent of a root. */
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number; readonly message?: string };
  /** The name of the service that sent it. */
  readonly service: unknown;
}

/** A collector that takes traces and metrics by OTLP/HTTP in JSON, and refuses what is not as the protocol says. */
export interface OtlpReceiver {
  /** What OTEL_EXPORTER_OTLP_ENDPOINT names. */
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** Each request with metrics. */
  readonly metrics: readonly ReceivedMetrics[];
  /** What it refused, and why. */
  readonly refused: readonly string[];
  /** The first span of this name and this task, now or later. */
  span(name: string, task?: string): Promise<ReceivedSpan>;
  stop(): Promise<void>;
}

/** Metrics as OTLP/HTTP has them in JSON. */
export interface ReceivedMetrics {
  readonly resource: Readonly<Record<string, unknown>>;
  readonly metrics: readonly ReceivedMetric[];
}
export interface ReceivedMetric {
  readonly name: string;
  readonly unit?: string;
  readonly description?: string;
  readonly sum?: Points;
  readonly gauge?: Points;
  readonly histogram?: Points;
}
interface Points {
  readonly dataPoints: readonly ReceivedPoint[];
  readonly aggregationTemporality?: number;
  readonly isMonotonic?: boolean;
}
export interface ReceivedPoint {
  readonly attributes: readonly Attribute[];
  readonly startTimeUnixNano: string;
  readonly timeUnixNano: string;
  readonly asDouble?: number | string;
  readonly count?: string;
  readonly sum?: number | string;
  readonly bucketCounts?: readonly string[];
  readonly explicitBounds?: readonly number[];
}
interface MetricsExported {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeMetrics: readonly { readonly metrics: readonly ReceivedMetric[] }[];
  }[];
}

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly boolValue?: boolean;
  readonly doubleValue?: number;
}
interface Attribute {
  readonly key: string;
  readonly value: Value;
}
type SentSpan = Omit<ReceivedSpan, 'attributes' | 'links' | 'status' | 'service'> &
  Partial<Pick<ReceivedSpan, 'links' | 'status'>> & { readonly attributes?: readonly Attribute[] };

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly SentSpan[];
    }[];
  }[];
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const metrics: ReceivedMetrics[] = [];
  const refused: string[] = [];
  const server = createServer((request, response) => {
    void json(request).then(
      (body) => {
        const route = `${request.method} ${request.url}`;
        const fault = faultIn(route, request.headers['content-type'], body as Export & MetricsExported);
        if (fault === null && route === METRICS) metrics.push(...metricsIn(body as MetricsExported));
        else if (fault === null) spans.push(...spansIn(body as Export));
        else refused.push(fault);
        response.writeHead(fault === null ? 200 : 400, { 'content-type': 'application/json' }).end('{}');
      },
      (error: Error) => {
        refused.push(error.message);
        response.writeHead(400).end();
      },
    );
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    metrics,
    refused,
    span: (name, task) =>
      until(`span '${name}'`, () => Promise.resolve(spans.find((one) => isOf(one, name, task)) ?? null)),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((closed) => void server.close(closed));
    },
  };
}

const isOf = (span: ReceivedSpan, name: string, task: string | undefined): boolean =>
  span.name === name && (task === undefined || span.attributes['messaging.message.id'] === task);

const METRICS = 'POST /v1/metrics';

function faultIn(route: string, type: string | undefined, body: Export & MetricsExported): string | null {
  if (route === METRICS && type === 'application/json') return faultInMetrics(metricsIn(body));
  if (route !== 'POST /v1/traces') return `an unknown path: ${route}`;
  if (type !== 'application/json') return `content of the type ${type}`;
  return (
    spansIn(body)
      .map(faultInSpan)
      .find((fault) => fault !== null) ?? null
  );
}

function faultInSpan({ name, traceId, spanId, kind, startTimeUnixNano, endTimeUnixNano }: ReceivedSpan): string | null {
  if (!/^[0-9a-f]{32}$/.test(traceId) || !/^[0-9a-f]{16}$/.test(spanId)) return `ids of '${name}' that are not hex`;
  if (!Number.isInteger(kind) || kind < 1 || kind > 5) return `kind ${kind} of '${name}'`;
  return BigInt(startTimeUnixNano) <= BigInt(endTimeUnixNano) ? null : `'${name}' ends before it begins`;
}

const faultInMetrics = (all: readonly ReceivedMetrics[]): string | null =>
  all
    .flatMap(({ metrics }) => metrics)
    .map(faultInMetric)
    .find((fault) => fault !== null) ?? null;

function faultInMetric(metric: ReceivedMetric): string | null {
  const { name, sum, gauge, histogram } = metric;
  const [points, ...others] = [sum, gauge, histogram].filter((data) => data !== undefined);
  if (!points || others.length > 0) return `'${name}' is not one of sum, gauge and histogram`;
  if (!gauge && points.aggregationTemporality !== 2) return `'${name}' is not cumulative`;
  const series = points.dataPoints.map(({ attributes }) => JSON.stringify(attributes));
  if (series.length === 0 || new Set(series).size < series.length) return `'${name}' has no points, or two of a series`;
  return points.dataPoints.map((point) => faultInPoint(name, point)).find((fault) => fault !== null) ?? null;
}

const isDouble = (value: unknown): boolean => typeof value === 'number' || /^(NaN|-?Infinity)$/.test(String(value));

function faultInPoint(name: string, point: ReceivedPoint): string | null {
  const { startTimeUnixNano: from, timeUnixNano: to, asDouble, bucketCounts, explicitBounds = [], count, sum } = point;
  if (typeof from !== 'string' || BigInt(from) <= 0n || BigInt(from) > BigInt(to)) return `times of '${name}'`;
  if (!bucketCounts) return isDouble(asDouble) ? null : `value ${asDouble} of '${name}'`;
  if (!isDouble(sum) || bucketCounts.length !== explicitBounds.length + 1) return `buckets of '${name}'`;
  if (explicitBounds.some((bound, at) => at > 0 && bound <= explicitBounds[at - 1]!)) return `bounds of '${name}'`;
  const all = bucketCounts.reduce((total, each) => total + BigInt(each), 0n);
  return all === BigInt(count!) ? null : `'${name}' counts ${count}, and ${all} in its buckets`;
}

const metricsIn = ({ resourceMetrics }: MetricsExported): ReceivedMetrics[] =>
  resourceMetrics.map(({ resource, scopeMetrics }) => ({
    resource: valuesOf(resource.attributes),
    metrics: scopeMetrics.flatMap(({ metrics }) => metrics),
  }));

const spansIn = ({ resourceSpans }: Export): ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes = [], links = [], status = {}, ...span }) => ({
        ...span,
        links,
        status,
        attributes: valuesOf(attributes),
        service: valuesOf(resource.attributes)['service.name'],
      })),
    ),
  );

const valuesOf = (attributes: readonly Attribute[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
