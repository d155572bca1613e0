import { createLog } from '../../src/infrastructure/telemetry/pino-logger.js';
import { type RunningService, startService } from '../support/running-service.js';
import {
  type OtlpReceiver,
  type ReceivedMetric,
  type ReceivedMetrics,
  startOtlpReceiver,
} from '../support/sinks/otlp-receiver.js';
import { until } from '../support/until.js';

let receiver: OtlpReceiver;
let service: RunningService;
beforeAll(async () => {
  receiver = await startOtlpReceiver();
  service = await startService({ otlpEndpoint: receiver.url, tracesExporter: 'none', metricsEveryMs: 100 });
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

type Series = readonly [series: string, value: number];

const seriesOf = (name: string, labels: readonly (readonly [string, string | number])[]): string =>
  `${name}{${labels.map(([label, value]) => `${label}="${value}"`).join(',')}}`;

/** As `/metrics` has them, buckets that count all up to their bound among them. */
function seriesIn({ name, sum, gauge, histogram }: ReceivedMetric): Series[] {
  return (sum ?? gauge ?? histogram)!.dataPoints.flatMap((point): Series[] => {
    const labels = point.attributes.map(({ key, value }) => [key, value.stringValue!] as const);
    if (!histogram) return [[seriesOf(name, labels), Number(point.asDouble)]];
    let upTo = 0;
    const buckets = point.bucketCounts!.map((count, at): Series => {
      const le = point.explicitBounds![at] ?? '+Inf';
      return [seriesOf(`${name}_bucket`, [...labels, ['le', le]]), (upTo += Number(count))];
    });
    const all: Series[] = [
      [seriesOf(`${name}_sum`, labels), Number(point.sum)],
      [seriesOf(`${name}_count`, labels), Number(point.count)],
    ];
    return [...buckets, ...all];
  });
}

const exportedBy = ({ metrics }: ReceivedMetrics): ReadonlyMap<string, number> => new Map(metrics.flatMap(seriesIn));

async function scraped(): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const lines = Array.from(text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm), ([, name, labels = '', value]): Series => {
    return [`${name}{${labels}}`, value === '+Inf' ? Infinity : Number(value)];
  });
  return new Map(lines);
}

const afterwards = async (): Promise<ReceivedMetrics> => {
  const { length } = receiver.metrics;
  // The round after the next one began after this call.
  return until('two more rounds', async () => {
    expect(receiver.refused).toEqual([]);
    return receiver.metrics[length + 1] ?? null;
  });
};

/** Those that change by themselves between two looks: of the process, of the clock, of requests. */
const MOVES =
  /^(process_|nodejs_|waybill_request_|waybill_\w+_(age|lag)_seconds|waybill_projection_lag|waybill_seal_lag)/;

/** In milliseconds, as a date has them. */
const MADE = 'select trunc(extract(epoch from min(made_at)) * 1000)::float8 as since from schema_versions';

describe('metrics by OTLP', () => {
  it('are those of /metrics, with the same names, labels and values', async () => {
    const mail = service.waybill.queue('mail');
    await mail.define();
    await mail.enqueueMany([{ payload: 1 }, { payload: 2 }, { payload: 3 }]);
    const [claimed] = await mail.claim({ worker: 'w', max: 1 });
    const { taskId, token } = claimed!;
    await service.waybill.settle([{ taskId, token, verdict: { type: 'succeed' } }]);
    const { position } = await mail.pause();
    await service.caughtUp('queue-stats', position);
    const [told, read] = [exportedBy(await afterwards()), await scraped()];
    const still = (all: ReadonlyMap<string, number>) => [...all].filter(([series]) => !MOVES.test(series)).toSorted();
    expect(still(told)).toEqual(still(read));
    expect(told.get('waybill_tasks{queue="mail",state="pending"}')).toBe(2);
    expect(told.get('waybill_task_wait_seconds_count{queue="mail"}')).toBe(1);
    const names = (all: ReadonlyMap<string, number>) => new Set([...all.keys()].map((series) => series.split('{')[0]));
    expect(names(told)).toEqual(names(read));
    expect(receiver.refused).toEqual([]);
  });

  it('say what they are: sums that only grow, gauges, histograms, units, and who counted since when', async () => {
    const { metrics, resource } = await afterwards();
    const one = (name: string) => metrics.find((metric) => metric.name === name)!;
    expect(one('waybill_claims_total')).toMatchObject({
      description: 'Tasks claimed.',
      unit: '',
      sum: { isMonotonic: true, aggregationTemporality: 2 },
    });
    expect(one('waybill_room_used_ratio')).toMatchObject({ unit: '1', gauge: {} });
    expect(one('waybill_task_wait_seconds')).toMatchObject({ unit: 's', histogram: { aggregationTemporality: 2 } });
    expect(one('waybill_payloads_stored_bytes_total').unit).toBe('By');
    expect(resource).toMatchObject({
      'service.name': 'waybill',
      'service.version': expect.any(String),
      'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const { rows } = await service.pool.query<{ since: number }>(MADE);
    const since = (name: string) => Number(BigInt(one(name).sum!.dataPoints[0]!.startTimeUnixNano) / 1_000_000n);
    expect(since('waybill_claims_total')).toBe(rows[0]!.since);
    expect(since('waybill_payloads_stored_total')).toBe(Math.trunc(performance.timeOrigin));
  });
});

it('the last metrics are sent when a service stops', async () => {
  const own = await startOtlpReceiver();
  const short = await startService({ otlpMetricsEndpoint: `${own.url}/v1/metrics`, metricsEveryMs: 86_400_000 });
  const { position } = await short.waybill.queue('last').define();
  await short.caughtUp('queue-stats', position);
  await short.stop();
  await own.stop();
  expect(own.metrics).toHaveLength(1);
  expect(exportedBy(own.metrics[0]!).get('waybill_queue_state{queue="last",state="active"}')).toBe(1);
  expect([own.spans, own.refused]).toEqual([[], []]);
});

it('a collector that is away is one warning, in however many rounds, and keeps nothing from working or stopping', async () => {
  process.env['OTEL_EXPORTER_OTLP_METRICS_TIMEOUT'] = '100';
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const log = createLog({ level: 'warn', format: 'json', destination });
  const lonely = await startService({ otlpMetricsEndpoint: 'http://127.0.0.1:2/v1/metrics', metricsEveryMs: 100 }, log);
  delete process.env['OTEL_EXPORTER_OTLP_METRICS_TIMEOUT'];
  await until('the warning', () => Promise.resolve(lines.length > 0 ? true : null));
  await lonely.waybill.queue('mail').define();
  await lonely.stop();
  expect(lines.map(({ level, context, msg }) => [level, context, msg])).toEqual([
    [
      'warn',
      'OpenTelemetry',
      expect.stringMatching(/^The metrics were not exported: .*ECONNREFUSED.*sends them whole$/),
    ],
  ]);
});
