import { afterEach, beforeEach, expect, it } from '@jest/globals';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { createWaybill } from '@waybill/client';
import { StubService } from '../../client/test/support/stub-service.js';
import { openTelemetry } from '../src/index.js';

let service: StubService;
beforeEach(async () => {
  service = await StubService.start();
});
afterEach(() => service.close());

const CLAIMED = {
  taskId: 't1',
  queue: 'mail',
  kind: 'task',
  attempt: 1,
  token: '1.s',
  claimId: 'c',
  leaseMs: 30_000,
  payload: 1,
  data: {},
};

it('the metrics are those of the conventions for messaging', async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const waybill = createWaybill({ url: service.url, ...openTelemetry({ meterProvider }) });
  service
    .on('POST /v1/queues/mail/tasks', {
      status: 201,
      body: { id: 't1', status: 'enqueued', position: '1', revision: 0 },
    })
    .on('POST /v1/queues/mail/claims', { body: { tasks: [CLAIMED] } }, { body: { tasks: [] } })
    .on('POST /v1/settlements', { body: { results: [{ id: 't1', state: 'failed' }] } })
    .on('POST /v1/queues/mail/turns', { body: { results: [{ id: 't1', state: 'failed' }], tasks: [] } });

  await waybill.queue('mail').enqueue(1);
  const worker = waybill.worker({ logger: null, waitMs: 0 });
  worker.handle('mail', (_task, run) => run.fail('transient', 'busy'));
  await worker.start();
  await service.received('POST /v1/queues/mail/claims', 2);
  await worker.stop();
  await reader.forceFlush();

  const points = exporter
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
    .flatMap(({ descriptor, dataPoints }) =>
      dataPoints.map(({ attributes, value }) => ({
        name: descriptor.name,
        unit: descriptor.unit,
        operation: attributes['messaging.operation.name'],
        queue: attributes['messaging.destination.name'],
        error: attributes['error.type'],
        count: typeof value === 'number' ? value : value.count,
      })),
    );
  const of = (name: string, unit: string, operation: string, error?: string) => ({
    name: `messaging.${name}`,
    unit,
    operation,
    queue: 'mail',
    error,
    count: 1,
  });
  expect(points).toHaveLength(5);
  expect(points).toEqual(
    expect.arrayContaining([
      of('client.sent.messages', '{message}', 'send'),
      of('client.consumed.messages', '{message}', 'process'),
      of('client.operation.duration', 's', 'send'),
      of('client.operation.duration', 's', 'settle'),
      of('process.duration', 's', 'process', 'transient'),
    ]),
  );
  await meterProvider.shutdown();
});
