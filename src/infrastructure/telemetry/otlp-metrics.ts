import { convertLegacyHttpOptions, createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http';
import type { Resource } from '@opentelemetry/resources';
import { MetricsExport, type ToldMetrics } from '../../application/kernel/metrics-export.port.js';
import { attributesOf, otlpMetrics } from './otlp-points.js';
import { resourceOf } from './otlp-resource.js';

/** Where metrics go, and how often. */
export interface MetricsTarget {
  /** As a whole. */
  readonly url: string;
  readonly everyMs: number;
  readonly withinMs: number;
}

/** Told by OpenTelemetry's convention to who watches its exporters, which nobody does here. */
const UNWATCHED = { name: 'metric_data_point', countItems: () => 0 } as const;

/**
 * Sends metrics by OTLP/HTTP in JSON. Loaded only if an endpoint is configured. Headers, time-outs, compression and certificates are those of
 * OpenTelemetry's variables.
 */
export class OtlpMetrics extends MetricsExport {
  readonly everyMs: number;
  readonly withinMs: number;
  private readonly exporter;
  private readonly resource: Resource;

  constructor({ url, everyMs, withinMs }: MetricsTarget, version: string) {
    super();
    [this.everyMs, this.withinMs] = [everyMs, withinMs];
    this.resource = resourceOf(version);
    const options = convertLegacyHttpOptions({ url }, 'METRICS', 'v1/metrics', { 'Content-Type': 'application/json' });
    this.exporter = createOtlpHttpExportDelegate(options, JSON_FORM, 'otlp_http_metric_exporter', UNWATCHED, undefined);
  }

  send(told: readonly ToldMetrics[]): Promise<void> {
    const now = new Date();
    const metrics = told.flatMap((one) => otlpMetrics(one, now));
    const resource = { attributes: attributesOf(this.resource.attributes) };
    const request = { resourceMetrics: [{ resource, scopeMetrics: [{ scope: { name: 'waybill' }, metrics }] }] };
    return new Promise((taken, refused) =>
      this.exporter.export(request, ({ error }) => (error ? refused(error) : taken())),
    );
  }
}

const JSON_FORM = {
  serializeRequest: (request: object) => new TextEncoder().encode(JSON.stringify(request)),
  deserializeResponse: (text: Uint8Array) =>
    text.length === 0 ? {} : (JSON.parse(new TextDecoder().decode(text)) as object),
};
