import { createWaybill } from '@waybill/client';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '../../src/infrastructure/telemetry/pino-logger.js';
import { type RunningService, startService } from '../support/running-service.js';
import { type OtlpReceiver, startOtlpReceiver } from '../support/sinks/otlp-receiver.js';
import { startWebhookSink, type WebhookSink } from '../support/sinks/webhook-sink.js';
import { until } from '../support/until.js';

let receiver: OtlpReceiver;
let hooks: WebhookSink;
let service: RunningService;
beforeAll(async () => {
  [receiver, hooks] = await Promise.all([startOtlpReceiver(), startWebhookSink()]);
  service = await startService({
    otlpEndpoint: receiver.url,
    webhookSecrets: { shop: ['whsec_bmV3LW5ldy1uZXctbmV3LW5ldy1uZXct'] },
    webhookHttp: true,
    webhookNetworks: ['127.0.0.1'],
  });
  await service.waybill.queue('mail').define();
});
afterAll(async () => {
  await service.stop();
  await Promise.all([receiver.stop(), hooks.stop()]);
});

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const [OTHER, THIRD] = ['a'.repeat(32), 'b'.repeat(32)];
const PARENT = '00f067aa0ba902b7';

/** The spans of a trace, once there are so many. */
const spansOf = (traceId: string, count: number) =>
  until(`${count} spans of trace ${traceId}`, () => {
    const found = receiver.spans.filter((span) => span.traceId === traceId);
    return Promise.resolve(found.length >= count ? found : null);
  });

it('a command is a span within the trace of its caller, and so is its append', async () => {
  const traced = createWaybill({ url: service.url, actor: 'ann', traceparent: () => `00-${TRACE}-${PARENT}-01` });
  const { id } = await traced.queue('mail').enqueue({ secret: 'x' });
  const [append, command] = await spansOf(TRACE, 2);
  expect(command).toMatchObject({
    name: 'enqueueTask',
    kind: 2,
    parentSpanId: PARENT,
    service: 'waybill',
    attributes: { 'waybill.operation': 'enqueueTask', 'waybill.queue': 'mail' },
  });
  expect(append).toMatchObject({ name: 'append', parentSpanId: command!.spanId, attributes: { 'waybill.streams': 1 } });
  expect(JSON.stringify(receiver.spans)).not.toContain('secret');
  const [first] = await service.waybill.task(id).history();
  expect(first!.envelope.traceparent).toContain(TRACE);
});

it('a round of claims is a trace of its own, and queries are none', async () => {
  await service.waybill.queue('mail').enqueue({});
  await service.waybill.queue('mail').claim({ worker: 'w', max: 1 });
  const claim = await receiver.span('claim');
  expect(claim).toMatchObject({ attributes: { 'messaging.destination.name': 'mail', 'waybill.requests': 1 } });
  expect(claim.parentSpanId ?? '').toBe('');
  await service.waybill.queue('mail').get();
  await service.waybill.queue('mail').pause();
  await receiver.span('pauseQueue');
  expect(receiver.spans.map(({ name }) => name)).not.toContain('getQueue');
});

it('a command that is refused is a span that failed, without its message', async () => {
  await expect(service.waybill.queue('none').pause()).rejects.toThrow("Expected queue 'none' to exist");
  const span = await until('the refused command', () =>
    Promise.resolve(receiver.spans.find(({ attributes }) => attributes['waybill.queue'] === 'none') ?? null),
  );
  expect(span).toMatchObject({ name: 'pauseQueue', status: { code: 2 } });
  expect(span.attributes['error.type']).toEqual(expect.any(String));
  expect(span.status.message ?? '').toBe('');
  expect(receiver.refused).toEqual([]);
});

it('a delivery is a span within the trace of what ordered it, and calls its receiver', async () => {
  await service.waybill
    .trigger('told')
    .define({ event: { types: ['TaskEnqueued'], queue: 'mail' }, webhook: { url: hooks.url, secret: 'shop' } });
  const traced = createWaybill({ url: service.url, actor: 'ann', traceparent: () => `00-${OTHER}-${PARENT}-01` });
  await traced.queue('mail').enqueue({});
  const deliver = await receiver.span('deliver');
  expect(deliver).toMatchObject({
    kind: 3,
    traceId: OTHER,
    attributes: { 'waybill.target': expect.stringContaining('127.0.0.1'), 'waybill.task.attempt': 1 },
  });
  expect(hooks.received.map(({ headers }) => headers['traceparent'])).toEqual([`00-${OTHER}-${deliver.spanId}-01`]);
});

it('what the steward carries out is a span within the trace of who ordered it, and so are its appends', async () => {
  const traced = createWaybill({ url: service.url, actor: 'ann', traceparent: () => `00-${THIRD}-${PARENT}-01` });
  await traced.queue('old').define();
  await traced.queue('old').enqueue({});
  const { id } = await traced.queue('old').deleteWithTasks();
  const steward = await receiver.span('steward', id!);
  expect(steward).toMatchObject({ kind: 1, traceId: THIRD, status: {} });
  const within = receiver.spans.filter(({ parentSpanId }) => parentSpanId === steward.spanId);
  expect(within.map(({ name, traceId }) => [name, traceId])).toContainEqual(['append', THIRD]);
});

it('a collector that is away is a warning when a service stops, and no error', async () => {
  // One export, at the end, which does not try for ten seconds as by default.
  Object.assign(process.env, { OTEL_EXPORTER_OTLP_TIMEOUT: '100', OTEL_BSP_SCHEDULE_DELAY: '600000' });
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const log = createLog({ level: 'warn', format: 'json', destination });
  const lonely = await startService({ otlpEndpoint: 'http://127.0.0.1:2', metricsExporter: 'none' }, log);
  delete process.env['OTEL_EXPORTER_OTLP_TIMEOUT'];
  delete process.env['OTEL_BSP_SCHEDULE_DELAY'];
  await lonely.waybill.queue('mail').define();
  await lonely.stop();
  expect(lines.map(({ level, context, msg }) => [level, context, msg])).toEqual([
    ['warn', 'OpenTelemetry', expect.stringMatching(/^The last spans are lost: .*ECONNREFUSED/)],
  ]);
});

it('nothing of OpenTelemetry is loaded without a collector: few modules have it, which are imported when they are needed', () => {
  const src = join(import.meta.dirname, '../../src');
  const modules = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const having = (text: RegExp) =>
    modules.filter((name) => text.test(readFileSync(join(src, name), 'utf8'))).toSorted();
  expect(having(/from '@opentelemetry|import\('@opentelemetry/)).toEqual([
    'infrastructure/telemetry/otlp-metrics.ts',
    'infrastructure/telemetry/otlp-resource.ts',
    'infrastructure/telemetry/otlp-tracing.ts',
  ]);
  expect(having(/^import (?!type ).*from '.*otlp-(tracing|metrics)\.js'/m)).toEqual([]);
  expect(having(/from '.*otlp-resource\.js'/)).toEqual([
    'infrastructure/telemetry/otlp-metrics.ts',
    'infrastructure/telemetry/otlp-tracing.ts',
  ]);
  expect(having(/await import\('.*otlp-(tracing|metrics)\.js'\)/)).toEqual(['bootstrap/core.module.ts']);
});
