import { context, type Span, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { createWaybill, type EventView, type Waybill, type Worker } from '@waybill/client';
import { openTelemetry } from '@waybill/otel';
import { cliOutput } from '../support/run-cli.js';
import { type RunningService, startService } from '../support/running-service.js';
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from '../support/sinks/otlp-receiver.js';
import { startWebhookSink, type WebhookSink } from '../support/sinks/webhook-sink.js';
import { until } from '../support/until.js';

let receiver: OtlpReceiver;
let hooks: WebhookSink;
let service: RunningService;
let provider: BasicTracerProvider;
let waybill: Waybill;
let worker: Worker;
beforeAll(async () => {
  [receiver, hooks] = await Promise.all([startOtlpReceiver(), startWebhookSink()]);
  service = await startService({
    webhookSecrets: { shop: ['whsec_bmV3LW5ldy1uZXctbmV3LW5ldy1uZXct'] },
    webhookHttp: true,
    webhookNetworks: ['127.0.0.1'],
    traceUrl: 'https://traces.example/trace/{traceId}',
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const exporter = new OTLPTraceExporter({ url: `${receiver.url}/v1/traces` });
  provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  waybill = createWaybill({ url: service.url, actor: 'shop', ...openTelemetry({ tracerProvider: provider }) });
  for (const queue of ['orders', 'receipts', 'cards', 'late']) await waybill.queue(queue).define();
  worker = waybill
    .worker({ logger: null })
    .handle('orders', () => waybill.queue('receipts').enqueue({ order: 7 }))
    .handle('receipts', () => 'sent')
    .handle('cards', (_task, run) => run.fail('business', 'card declined'));
  await worker.start();
});
afterAll(async () => {
  await worker.stop();
  await provider.shutdown();
  await service.stop();
  await Promise.all([receiver.stop(), hooks.stop()]);
  context.disable();
});

/** Runs `work` within a span of the application's own, which ends with it. */
const within = <T>(name: string, work: () => Promise<T>): Promise<{ readonly span: Span; readonly done: T }> =>
  provider.getTracer('shop').startActiveSpan(name, async (span) => {
    const done = await work();
    span.end();
    return { span, done };
  });

const historyOf = (id: string): Promise<readonly EventView[]> => service.waybill.task(id).history();
const traceparentOf = ({ traceId, spanId }: Pick<ReceivedSpan, 'traceId' | 'spanId'>): string =>
  `00-${traceId}-${spanId}-01`;
const traceOf = async (id: string, type: EventView['type']): Promise<string | undefined> =>
  (await historyOf(id)).find((event) => event.type === type)?.envelope.traceparent;
const linkedTo = ({ traceId, spanId }: ReceivedSpan) => [expect.objectContaining({ traceId, spanId })];

it('a trace leads from the caller to the task, its attempt, what follows from it, and the delivery', async () => {
  const { url } = hooks;
  const event = { types: ['TaskSucceeded' as const], queue: 'receipts' };
  await waybill.trigger('receipt-sent').define({ event, webhook: { url, secret: 'shop' } });

  const { span: checkout, done: order } = await within('checkout', () => waybill.queue('orders').enqueue({ order: 7 }));

  const sendOrder = await receiver.span('send orders');
  expect(sendOrder).toMatchObject({
    traceId: checkout.spanContext().traceId,
    parentSpanId: checkout.spanContext().spanId,
  });
  expect(await traceOf(order.id, 'TaskEnqueued')).toBe(traceparentOf(sendOrder));

  const processOrder = await receiver.span('process orders', order.id);
  expect(processOrder.parentSpanId ?? '').toBe('');
  expect(processOrder.traceId).not.toBe(sendOrder.traceId);
  expect(processOrder.links).toEqual(linkedTo(sendOrder));
  expect(await receiver.span('settle orders', order.id)).toMatchObject({
    traceId: processOrder.traceId,
    parentSpanId: processOrder.spanId,
  });
  await service.eventAfter('0', { task: order.id, type: 'TaskSucceeded' });
  expect(await traceOf(order.id, 'TaskSucceeded')).toBe(traceparentOf(processOrder));

  const sendReceipt = await receiver.span('send receipts');
  expect(sendReceipt).toMatchObject({ traceId: processOrder.traceId, parentSpanId: processOrder.spanId });
  const processReceipt = await receiver.span('process receipts');
  expect(processReceipt.links).toEqual(linkedTo(sendReceipt));

  const delivered = await until('the delivery', () => Promise.resolve(hooks.received[0] ?? null));
  expect(delivered.headers['traceparent']).toBe(traceparentOf(processReceipt));
  expect(receiver.refused).toEqual([]);
});

it('a task tells its traces, and where they are shown, now and as of a moment', async () => {
  const { span, done } = await within('checkout', () => waybill.queue('orders').enqueue({ order: 7 }));
  const { position } = await service.eventAfter('0', { task: done.id, type: 'TaskSucceeded' });
  const { traceId } = await receiver.span('process orders', done.id);
  const link = (id: string) => ({ traceId: id, url: `https://traces.example/trace/${id}` });
  const submission = { ...link(span.spanContext().traceId), attempt: null };
  const traces = [submission, { ...link(traceId), attempt: 1 }];
  expect((await service.waybill.task(done.id).get({ minPosition: position })).traces).toEqual(traces);
  expect((await service.waybill.asOf(done.position).task(done.id).get()).traces).toEqual([submission]);
  const output = await cliOutput(service.url, `task show ${done.id}`);
  for (const line of [`submission  ${submission.url}`, `attempt 1  ${link(traceId).url}`])
    expect(output).toContain(line);
  const { id } = await service.waybill.queue('orders').enqueue({});
  expect((await service.waybill.task(id).get()).traces.filter(({ attempt }) => attempt === null)).toEqual([]);
});

it('spans have the attributes of the conventions for messaging', async () => {
  const { done: order } = await within('checkout', () => waybill.queue('orders').enqueue({ order: 8 }));
  const shared = { 'messaging.system': 'waybill', 'messaging.destination.name': 'orders' };
  const operation = (type: string) => ({ 'messaging.operation.name': type, 'messaging.operation.type': type });
  const [producer, client, consumer] = [4, 3, 5];
  expect(await receiver.span('send orders')).toMatchObject({
    kind: producer,
    attributes: { ...shared, ...operation('send') },
  });
  expect(await receiver.span('process orders', order.id)).toMatchObject({
    kind: consumer,
    attributes: { ...shared, ...operation('process'), 'waybill.task.kind': 'task', 'waybill.task.attempt': 1 },
  });
  expect(await receiver.span('settle orders', order.id)).toMatchObject({
    kind: client,
    attributes: { ...shared, ...operation('settle'), 'waybill.verdict': 'succeed' },
  });
});

it('an attempt that fails is a span that failed', async () => {
  const { id } = await waybill.queue('cards').enqueue({});
  const [span] = [await receiver.span('process cards', id)];
  expect(span).toMatchObject({
    status: { code: 2, message: 'card declined' },
    attributes: { 'error.type': 'business' },
  });
});

it('each of the callers that share a request is recorded with its own trace', async () => {
  const ids = await Promise.all([
    within('one', () => waybill.queue('orders').enqueue({})),
    within('another', () => waybill.queue('orders').enqueue({})),
    service.waybill.queue('orders').enqueue({}),
  ]).then(([one, another, none]) => [one.done.id, another.done.id, none.id]);
  const traces = await Promise.all(ids.map((id) => traceOf(id, 'TaskEnqueued')));
  expect(traces).toEqual([expect.any(String), expect.any(String), undefined]);
  expect(new Set(traces.map((one) => one?.slice(3, 35))).size).toBe(3);
});

it('what many share belongs to no trace: requests of others, and the loops of a worker', async () => {
  const unsampled = trace.wrapSpanContext({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 0 });
  const [sampled, other] = await Promise.all([
    within('sampled', () => waybill.queue('late').enqueue({})),
    context.with(trace.setSpan(context.active(), unsampled), () => waybill.queue('late').enqueue({})),
  ]);
  const begun = waybill.worker({ logger: null }).handle('late', () => undefined);
  await within('boot', () => begun.start());
  for (const { id } of [sampled.done, other]) await service.eventAfter('0', { task: id, type: 'TaskSucceeded' });
  await begun.stop();
  expect(await traceOf(sampled.done.id, 'TaskEnqueued')).toEqual(expect.any(String));
  expect(await traceOf(other.id, 'TaskEnqueued')).toBeUndefined();
  expect(await traceOf(other.id, 'TaskClaimed')).toBeUndefined();
  expect((await receiver.span('process late', other.id)).parentSpanId ?? '').toBe('');
});

it('a list of tasks is sent in one span, which all of them have', async () => {
  const { done } = await within('list', () => waybill.queue('receipts').enqueueMany([{ payload: 1 }, { payload: 2 }]));
  const traces = await Promise.all(done.map((one) => traceOf('id' in one ? one.id : '', 'TaskEnqueued')));
  const span = await until('the span of the list', () =>
    Promise.resolve(receiver.spans.find((one) => one.attributes['messaging.batch.message_count'] === 2) ?? null),
  );
  expect(traces).toEqual([traceparentOf(span), traceparentOf(span)]);
});

it('a trace that nobody keeps is not recorded', async () => {
  const unsampled = trace.wrapSpanContext({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 0 });
  const client = createWaybill({ url: service.url, ...openTelemetry() });
  const { id } = await context.with(trace.setSpan(context.active(), unsampled), () =>
    client.queue('receipts').enqueue({}),
  );
  expect(await traceOf(id, 'TaskEnqueued')).toBeUndefined();
});

it('a task that is repeated under its key within another span is the same task', async () => {
  const submit = (traceparent: string) =>
    service.waybill.queue('orders').enqueue({ order: 9 }, { idempotencyKey: 'order-9', traceparent });
  const [first, again] = [
    await submit('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'),
    await submit('00-aaf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'),
  ];
  expect(again.id).toBe(first.id);
  expect(await traceOf(first.id, 'TaskEnqueued')).toContain('4bf92f35');
});

it('a transaction that is repeated under its key within another span is the same transaction', async () => {
  const submit = async (traceparent: string) => {
    const command = { operation: 'enqueueTask', queue: 'orders', body: { payload: { order: 10 }, traceparent } };
    const answer = await fetch(`${service.url}/v1/transactions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'orders-10' },
      body: JSON.stringify({ commands: [command] }),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const first = await submit('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01');
  expect(await submit('00-aaf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01')).toEqual(first);
  expect(first.status).toBeLessThan(300);
});

it('a trace context that is not valid is ignored', async () => {
  const { id } = await service.waybill.queue('receipts').enqueue({}, { traceparent: 'none' });
  expect(await traceOf(id, 'TaskEnqueued')).toBeUndefined();
});
