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

/** A collector that takes traces by OTLP/HTTP in JSON, and refuses what is not as the protocol says. */
export interface OtlpReceiver {
  /** What OTEL_EXPORTER_OTLP_ENDPOINT names. */
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** What it refused, and why. */
  readonly refused: readonly string[];
  /** The first span of this name and this task, now or later. */
  span(name: string, task?: string): Promise<ReceivedSpan>;
  stop(): Promise<void>;
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
  const refused: string[] = [];
  const server = createServer((request, response) => {
    void json(request).then(
      (body) => {
        const fault = faultIn(`${request.method} ${request.url}`, request.headers['content-type'], body as Export);
        if (fault === null) spans.push(...spansIn(body as Export));
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

function faultIn(route: string, type: string | undefined, body: Export): string | null {
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
