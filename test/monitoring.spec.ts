import { parser } from '@prometheus-io/lezer-promql';
import { load } from 'js-yaml';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type RunningService, startService } from './support/running-service.js';

const FOLDER = join(import.meta.dirname, '../examples/monitoring');
const textOf = (path: string): string => readFileSync(join(FOLDER, path), 'utf8');

interface Panel {
  readonly title: string;
  readonly datasource: { readonly type: string; readonly uid: string };
  readonly targets: readonly { readonly expr?: string; readonly rawSql?: string }[];
}

const panelsOf = (dashboard: string): readonly Panel[] =>
  (JSON.parse(textOf(`grafana/dashboards/${dashboard}`)) as { panels: Panel[] }).panels;
const panels = [...panelsOf('waybill.json'), ...panelsOf('waybill-reports.json')];

const { groups } = load(textOf('alerts.yml')) as { groups: { rules: { alert: string; expr: string }[] }[] };
const expressions: [title: string, expr: string][] = [
  ...panels.flatMap(({ title, targets }) =>
    targets.flatMap(({ expr }) => (expr === undefined ? [] : [[title, expr] as [string, string]])),
  ),
  ...groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr] as [string, string])),
];
const statements = panels.flatMap(({ title, targets }) =>
  targets.flatMap(({ rawSql }) => (rawSql === undefined ? [] : [[title, rawSql] as [string, string]])),
);

let service: RunningService;
beforeAll(async () => (service = await startService()));
afterAll(() => service.stop());

/** What Prometheus adds to all series, and a metric of its own. */
const OF_PROMETHEUS = { labels: ['instance', 'job'], metrics: ['up'] };

interface Named {
  readonly metrics: readonly string[];
  readonly labels: readonly string[];
  readonly faults: number;
}

/** What a query names. The variables of Grafana become values. */
function namedIn(expr: string): Named {
  const query = expr.replaceAll('$__rate_interval', '5m');
  const [metrics, labels]: [string[], string[]] = [[], []];
  let faults = 0;
  parser.parse(query).iterate({
    enter: ({ type, from, to, node }) => {
      const text = query.slice(from, to);
      if (type.isError) faults++;
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector') metrics.push(text);
      if (type.name === 'LabelName') labels.push(text);
    },
  });
  return { metrics, labels, faults };
}

/** The labels of each metric that the service tells of, those of histograms by the names of their series. */
async function told(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const labels = new Map<string, Set<string>>();
  for (const [, name] of text.matchAll(/^# TYPE (\w+)/gm)) labels.set(name!, new Set());
  for (const [, name, given = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const known = labels.get(name!) ?? new Set();
    for (const [, label] of given.matchAll(/(\w+)="/g)) known.add(label!);
    labels.set(name!, known);
  }
  return labels;
}

describe('queries of Prometheus', () => {
  let known: ReadonlyMap<string, ReadonlySet<string>>;
  beforeAll(async () => {
    const mail = service.waybill.queue('mail');
    await mail.define();
    await mail.enqueue({ n: 1 }, { key: 'k' });
    const { position } = await service.waybill.deliver({ mail: { to: ['ann@example.com'], subject: 's', text: 't' } });
    await service.caughtUp('queue-stats', position);
    known = await told();
  });

  it.each(expressions)('%s', (_title, expr) => {
    const { metrics, labels, faults } = namedIn(expr);
    expect(faults).toBe(0);
    expect(metrics.length).toBeGreaterThan(0);
    expect(metrics.filter((name) => !known.has(name) && !OF_PROMETHEUS.metrics.includes(name))).toEqual([]);
    const possible = new Set([...metrics.flatMap((name) => [...(known.get(name) ?? [])]), ...OF_PROMETHEUS.labels]);
    const empty = metrics.every((name) => (known.get(name)?.size ?? 0) === 0);
    if (!empty) expect(labels.filter((label) => !possible.has(label))).toEqual([]);
  });

  it('a query that names what does not exist is found', () => {
    expect(namedIn('max by (queue) (rate(waybill_task{state="x"}[5m])').faults).toBeGreaterThan(0);
    expect(namedIn('max by (queues) (waybill_tasks{stat="x"})')).toEqual({
      metrics: ['waybill_tasks'],
      labels: ['queues', 'stat'],
      faults: 0,
    });
  });
});

describe('queries of the views', () => {
  let reader: pg.Client;
  let owner: pg.Client;
  const role = `reports_${randomBytes(4).toString('hex')}`;
  beforeAll(async () => {
    owner = new pg.Client({ connectionString: service.databaseUrl });
    await owner.connect();
    await owner.query(`create role ${role} login password 'reports'; grant usage on schema waybill_read to ${role};
      grant select on all tables in schema waybill_read to ${role}`);
    const url = new URL(service.databaseUrl);
    url.username = role;
    url.password = 'reports';
    reader = new pg.Client({ connectionString: url.href });
    await reader.connect();
  });
  afterAll(async () => {
    await reader.end();
    await owner.query(`drop owned by ${role}; drop role ${role}`);
    await owner.end();
  });

  it.each(statements)('%s', async (_title, statement) => {
    const query = statement.replaceAll(/\$__timeFilter\((\w+)\)/g, "$1 between now() - interval '6 hours' and now()");
    expect(query).not.toContain('$');
    const { fields } = await reader.query(query);
    expect(fields.length).toBeGreaterThan(1);
  });
});

it('each panel asks a source that is provisioned, and all that is mounted exists', () => {
  const { datasources } = load(textOf('grafana/provisioning/datasources/waybill.yml')) as {
    datasources: { uid: string; type: string }[];
  };
  const sources = new Map(datasources.map(({ uid, type }) => [uid, type]));
  for (const { datasource } of panels) expect(sources.get(datasource.uid)).toBe(datasource.type);
  const { services } = load(textOf('compose.yml')) as { services: Record<string, { volumes: string[] }> };
  const mounted = Object.values(services).flatMap(({ volumes }) => volumes.map((volume) => volume.split(':')[0]!));
  expect(mounted).toHaveLength(4);
  for (const path of mounted) expect(existsSync(join(FOLDER, path))).toBe(true);
  const { scrape_configs: scraped } = load(textOf('prometheus.yml')) as { scrape_configs: { job_name: string }[] };
  expect(scraped.map(({ job_name: job }) => job)).toEqual(['waybill']);
});
