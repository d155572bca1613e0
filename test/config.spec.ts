import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ConfigError,
  describeConfig,
  describeGiven,
  hostsOf,
  readConfig,
  VARIABLES,
  type Environment,
  metricsTo,
  tracesTo,
} from '../src/bootstrap/config.js';

const problemsOf = (env: Environment): readonly string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

/** 24 bytes. */
const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz';

const WITNESS = {
  key: 'w.example+d8ee6d38+BBCkLlGmIUH8RFI8Ayy7ruZqB6IeFce+JTNq2TSxNZ8Y',
  url: 'https://w.example',
};

function fileOf(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'waybill-config-')), 'value');
  writeFileSync(file, text);
  return file;
}

describe('a misspelt variable', () => {
  it.each([
    ['WAYBILL_POOLSIZE', 'WAYBILL_POOL_SIZE'],
    ['WAYBILL_APIKEYS', 'WAYBILL_API_KEYS'],
    ['WAYBILL_API_KYES', 'WAYBILL_API_KEYS'],
    ['WAYBILL_API_KEY_FILE', 'WAYBILL_API_KEYS_FILE'],
    ['WAYBILL_ROLE', 'WAYBILL_ROLES'],
  ])('is refused, with the setting that was meant: %s', (name, meant) => {
    expect(problemsOf({ [name]: '20' })).toEqual([`Expected ${name} to be a setting, but it is none: ${meant} is one`]);
  });

  it('is neither one of clients, of Kubernetes or of somebody else, nor empty', () => {
    const others = ['URL', 'ACTOR', 'API_KEY', 'PORT', 'SERVICE_HOST', 'SERVICE_PORT', 'PORT_3000_TCP', 'SHOP_QUEUE'];
    const env = Object.fromEntries(others.map((name) => [`WAYBILL_${name}`, 'x']));
    expect(problemsOf({ ...env, WAYBILL_POOLSIZE: '' })).toEqual([]);
  });
});

const METRICS = {
  otlpMetricsProtocol: 'http/json',
  metricsExporter: 'otlp',
  metricsEveryMs: 60_000,
  metricsWithinMs: 30_000,
  metricsTemporality: 'cumulative',
  metricsHistograms: 'explicit_bucket_histogram',
  logsExporter: 'none',
};

const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/' };

describe('the configuration of exported metrics', () => {
  it.each([
    [{}, undefined],
    [COLLECTOR, { url: 'http://c:4318/v1/metrics', everyMs: 60_000, withinMs: 30_000 }],
    [
      { ...COLLECTOR, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://m:4318/in', OTEL_METRIC_EXPORT_INTERVAL: '15000' },
      { url: 'http://m:4318/in', everyMs: 15_000, withinMs: 30_000 },
    ],
    [
      { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://m:4318/in', OTEL_METRIC_EXPORT_TIMEOUT: '500' },
      { url: 'http://m:4318/in', everyMs: 60_000, withinMs: 500 },
    ],
    [{ ...COLLECTOR, OTEL_METRICS_EXPORTER: 'none' }, undefined],
    [{ ...COLLECTOR, OTEL_SDK_DISABLED: 'true' }, undefined],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t:4318/in' }, undefined],
  ])('sends metrics as OpenTelemetry says: %j', (env, to) => {
    expect(metricsTo(readConfig(env))).toEqual(to);
  });

  it('takes what it does by itself in any case of letters', () => {
    const given = {
      OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'CUMULATIVE',
      OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION: 'EXPLICIT_BUCKET_HISTOGRAM',
      OTEL_LOGS_EXPORTER: 'none',
    };
    expect(problemsOf(given)).toEqual([]);
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', 'localhost', 'to be an address like http://localhost:4318/v1/metrics'],
    ['OTEL_EXPORTER_OTLP_METRICS_PROTOCOL', 'grpc', 'to be http/json'],
    ['OTEL_METRICS_EXPORTER', 'prometheus', 'to be otlp or none: Prometheus reads /metrics'],
    ['OTEL_METRIC_EXPORT_INTERVAL', '15s', 'to be a number of milliseconds from 100'],
    ['OTEL_METRIC_EXPORT_TIMEOUT', '0', 'to be a number of milliseconds from 100'],
    ['OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE', 'delta', 'to be cumulative'],
    [
      'OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION',
      'base2_exponential_bucket_histogram',
      'to be explicit_bucket_histogram',
    ],
    ['OTEL_LOGS_EXPORTER', 'otlp', 'to be none: the service writes its log to standard output'],
  ])('refuses %s=%s', (name, value, what) => {
    expect(problemsOf({ [name]: value })).toEqual([expect.stringContaining(`Expected ${name} ${what}`)]);
  });
});

describe('the configuration of traces', () => {
  it('names a collector, and where traces are shown', () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318',
      WAYBILL_TRACE_URL: 'https://t.example/{traceId}',
    };
    expect(readConfig(env)).toMatchObject({
      otlpEndpoint: 'http://localhost:4318',
      traceUrl: 'https://t.example/{traceId}',
    });
  });

  it.each([
    [{}, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/' }, 'http://c:4318/v1/traces'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t:4318/in' }, 'http://t:4318/in'],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t:4318/in' },
      'http://t:4318/in',
    ],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_TRACES_EXPORTER: 'none' }, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_SDK_DISABLED: 'true' }, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_SDK_DISABLED: 'TRUE' }, undefined],
  ])('sends traces as OpenTelemetry says: %j', (env, to) => {
    expect(tracesTo(readConfig(env))).toBe(to);
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318', 'to be an address like http://localhost:4318'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'localhost', 'to be an address like http://localhost:4318/v1/traces'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'to be http/json'],
    ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'http/protobuf', 'to be http/json'],
    ['OTEL_TRACES_EXPORTER', 'zipkin', 'to be otlp or none'],
    ['OTEL_SDK_DISABLED', 'yes', 'to be true or false'],
    ['WAYBILL_TRACE_URL', 'https://t.example/', 'to be an address like https://traces.example/trace/{traceId}'],
    ['WAYBILL_TRACE_URL', 'javascript:{traceId}', 'to be an address like https://traces.example/trace/{traceId}'],
  ])('refuses %s=%s', (name, value, what) => {
    expect(problemsOf({ [name]: value })).toEqual([expect.stringContaining(`Expected ${name} ${what}`)]);
  });
});

describe('the configuration', () => {
  it('has a default for every setting', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      roles: ['api', 'projector', 'reactor', 'sweeper', 'relay', 'steward'],
      dataDir: '.waybill',
      poolSize: 10,
      readPoolSize: 4,
      readTimeoutMs: 10_000,
      streamsPerHolder: 100,
      streams: 1_000,
      connections: 10_000,
      shutdownGraceMs: 10_000,
      migrationMs: 300_000,
      bodyBytes: 4 * 1024 * 1024,
      bytesInFlight: 32 * 1024 * 1024,
      erasureApproval: false,
      resumeStopped: false,
      followSecrets: [],
      followOrigins: [],
      frameAncestors: [],
      webhookSecrets: {},
      inboundSecrets: {},
      webhookHttp: false,
      webhookNetworks: [],
      webhookHosts: [],
      webhookPorts: [443, 80],
      failureRules: [],
      witnesses: [],
      mailToDomains: [],
      otlpProtocol: 'http/json',
      otlpTracesProtocol: 'http/json',
      tracesExporter: 'otlp',
      ...METRICS,
      otelDisabled: false,
      logLevel: 'info',
      eventStorePrefix: '',
      hosts: [],
      trustedProxies: [],
    });
  });

  it.each([
    ['', 'it is empty: leave it out to accept requests without a key'],
    [' \n', 'it is empty: leave it out to accept requests without a key'],
    ['[]', 'it is empty: leave it out to accept requests without a key'],
  ])(
    'refuses an empty list of API keys, such as %j, also in a file, because the service would then require none',
    (keys, fault) => {
      const refusal = `Expected WAYBILL_API_KEYS to be API keys as 'waybill api-key' prints them, but ${fault}`;
      expect(problemsOf({ WAYBILL_API_KEYS: keys })).toEqual([refusal]);
      expect(problemsOf({ WAYBILL_API_KEYS_FILE: fileOf(keys) })).toEqual([refusal]);
    },
  );

  it('refuses an empty name of a file of API keys', () => {
    const [problem] = problemsOf({ WAYBILL_API_KEYS_FILE: '' });
    expect(problem).toContain('Expected WAYBILL_API_KEYS_FILE to name a readable file, but: ENOENT');
  });

  it('is read from environment variables', () => {
    const config = readConfig({
      DATABASE_URL: 'postgres://me:secret@db/waybill',
      HOST: '0.0.0.0',
      PORT: '8080',
      WAYBILL_ROLES: 'projector, sweeper',
      WAYBILL_DATA_DIR: '/var/lib/waybill',
      WAYBILL_NOTARY_DIR: '/etc/waybill/notary',
      WAYBILL_PAYLOAD_STORE: '/srv/payloads',
      WAYBILL_POOL_SIZE: '20',
      WAYBILL_READ_POOL_SIZE: '2',
      WAYBILL_READ_TIMEOUT_MS: '500',
      WAYBILL_STREAMS_PER_HOLDER: '7',
      WAYBILL_STREAMS: '70',
      WAYBILL_CONNECTIONS: '50',
      WAYBILL_CONNECTIONS_PER_ADDRESS: '5',
      WAYBILL_SHUTDOWN_GRACE_MS: '500',
      WAYBILL_MIGRATION_MS: '60000',
      WAYBILL_RESUME_STOPPED: 'true',
      WAYBILL_SMTP_URL: 'smtp://me:secret@mail:587',
      WAYBILL_MAIL_FROM: 'Waybill <waybill@example.com>',
      WAYBILL_WEBHOOK_SECRETS: `{"shop":"${SECRET}"}`,
      WAYBILL_INBOUND_SECRETS: '{"github":"a secret of GitHub"}',
      WAYBILL_WEBHOOK_HTTP: 'true',
      WAYBILL_WEBHOOK_NETWORKS: '10.0.0.0/8, fd00::7',
      WAYBILL_WEBHOOK_HOSTS: 'shop.example.com, *.example.org',
      WAYBILL_WEBHOOK_PORTS: '443, 8443',
      WAYBILL_FAILURE_RULES: '[{"match":"a.c","as":"abc"}]',
      WAYBILL_WITNESSES: JSON.stringify([WITNESS]),
      WAYBILL_MAIL_TO_DOMAINS: 'example.com',
      WAYBILL_LOG_LEVEL: 'debug',
      WAYBILL_LOG_FORMAT: 'text',
      WAYBILL_ERASURE_APPROVAL: 'true',
      WAYBILL_BACKUP_DAYS: '30',
      WAYBILL_HOSTS: 'waybill, [fd00::7]',
      WAYBILL_TRUSTED_PROXIES: '10.0.0.7,fd00::/8',
      WAYBILL_BODY_BYTES: '65536',
      WAYBILL_BYTES_IN_FLIGHT: '1048576',
    });
    expect(config).toEqual({
      bodyBytes: 65_536,
      bytesInFlight: 1_048_576,
      databaseUrl: 'postgres://me:secret@db/waybill',
      host: '0.0.0.0',
      port: 8080,
      roles: ['projector', 'sweeper'],
      dataDir: '/var/lib/waybill',
      notaryDir: '/etc/waybill/notary',
      payloadStore: '/srv/payloads',
      poolSize: 20,
      readPoolSize: 2,
      readTimeoutMs: 500,
      streamsPerHolder: 7,
      streams: 70,
      connections: 50,
      connectionsPerAddress: 5,
      shutdownGraceMs: 500,
      migrationMs: 60_000,
      erasureApproval: true,
      backupDays: 30,
      resumeStopped: true,
      smtpUrl: 'smtp://me:secret@mail:587',
      mailFrom: 'Waybill <waybill@example.com>',
      webhookSecrets: { shop: SECRET },
      inboundSecrets: { github: 'a secret of GitHub' },
      webhookHttp: true,
      webhookNetworks: ['10.0.0.0/8', 'fd00::7'],
      webhookHosts: ['shop.example.com', '*.example.org'],
      webhookPorts: [443, 8443],
      otlpProtocol: 'http/json',
      otlpTracesProtocol: 'http/json',
      tracesExporter: 'otlp',
      ...METRICS,
      otelDisabled: false,
      failureRules: [{ match: 'a.c', as: 'abc' }],
      witnesses: [WITNESS],
      mailToDomains: ['example.com'],
      logLevel: 'debug',
      logFormat: 'text',
      eventStorePrefix: '',
      hosts: ['waybill', '[fd00::7]'],
      followSecrets: [],
      followOrigins: [],
      frameAncestors: [],
      trustedProxies: ['10.0.0.7', 'fd00::/8'],
    });
  });

  it.each([
    ['127.0.0.1', ['127.0.0.1', 'waybill']],
    ['0.0.0.0', ['waybill']],
    ['::', ['waybill']],
    ['fd00::7', ['[fd00::7]', 'waybill']],
    ['queue.internal', ['queue.internal', 'waybill']],
  ])('with HOST=%s serves that host name too, unless it stands for all addresses', (host, names) => {
    expect(hostsOf(readConfig({ HOST: host, WAYBILL_HOSTS: 'waybill' }))).toEqual(names);
  });

  it.each(['http://waybill', 'waybill:3000', 'way bill', '*', 'a,,b', '::1'])('refuses %s as hosts', (hosts) => {
    const [problem] = problemsOf({ WAYBILL_HOSTS: hosts });
    expect(problem).toContain(
      'Expected WAYBILL_HOSTS to be a list of names or addresses without ports, such as waybill',
    );
  });

  it.each(['proxy', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0', 'fd00::/129', '10.0.0.1,'])(
    'refuses %s as trusted proxies',
    (proxies) => {
      const [problem] = problemsOf({ WAYBILL_TRUSTED_PROXIES: proxies });
      expect(problem).toContain('Expected WAYBILL_TRUSTED_PROXIES to be a list of addresses or networks, such as');
    },
  );

  it('reads where clients see the service, and who may frame its pages', () => {
    const { basePath, frameAncestors } = readConfig({
      WAYBILL_BASE_PATH: '/tools/ops',
      WAYBILL_FRAME_ANCESTORS: 'self, https://desk.example.com:8443',
    });
    expect({ basePath, frameAncestors }).toEqual({
      basePath: '/tools/ops',
      frameAncestors: ['self', 'https://desk.example.com:8443'],
    });
  });

  it.each([
    ['WAYBILL_BASE_PATH', 'ops'],
    ['WAYBILL_BASE_PATH', '/ops/'],
    ['WAYBILL_BASE_PATH', '/o"ps'],
    ['WAYBILL_FRAME_ANCESTORS', '*'],
    ['WAYBILL_FRAME_ANCESTORS', "'none'; script-src *"],
  ])('refuses %s=%s', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([expect.stringMatching(`^Expected ${name} to be`)]);
  });

  it('reads the secrets that sign follow tokens, one a line, and shows none of them', () => {
    const [first, second] = ['a'.repeat(44), 'b'.repeat(44)];
    const config = readConfig({ WAYBILL_FOLLOW_SECRET_FILE: fileOf(`${first}\n${second}\n`) });
    expect(config.followSecrets).toEqual([first, second]);
    expect(JSON.stringify(describeConfig(config))).not.toContain('aaaa');
  });

  it.each(['', 'short', `${'a'.repeat(44)}\nshort`])(
    'refuses %j as secrets of follow tokens, and does not show it',
    (secret) => {
      const [problem] = problemsOf({ WAYBILL_FOLLOW_SECRET_FILE: fileOf(secret) });
      expect(problem).toMatch(
        /^Expected WAYBILL_FOLLOW_SECRET to be secrets of 32 characters or more .+, but it is '\*\*\*/,
      );
      expect(problem).not.toContain('short');
    },
  );

  it.each(['*', 'shop.example.com', 'https://Shop.example.com', 'https://shop.example.com/'])(
    'refuses %s as an origin that may follow tasks',
    (origin) => {
      const [problem] = problemsOf({ WAYBILL_FOLLOW_ORIGINS: origin });
      expect(problem).toContain('Expected WAYBILL_FOLLOW_ORIGINS to be a list of origins such as');
    },
  );

  it('reads the header in which proxies name persons, and only with proxies that are trusted', () => {
    const named = { WAYBILL_PROXY_USER_HEADER: 'X-Forwarded-User' };
    expect(readConfig({ ...named, WAYBILL_TRUSTED_PROXIES: '10.0.0.7' }).proxyUserHeader).toBe('X-Forwarded-User');
    expect(problemsOf(named)).toEqual([
      "Expected WAYBILL_PROXY_USER_HEADER to be the name of a header of its own such as X-Forwarded-User, with WAYBILL_TRUSTED_PROXIES, but it is 'X-Forwarded-User'",
    ]);
  });

  it.each(['two words', 'Authorization', 'cookie', 'Waybill-Actor', 'X-Forwarded-For', 'x:y'])(
    'refuses %s as the header that names persons',
    (header) => {
      const [problem] = problemsOf({ WAYBILL_PROXY_USER_HEADER: header, WAYBILL_TRUSTED_PROXIES: '10.0.0.7' });
      expect(problem).toContain('Expected WAYBILL_PROXY_USER_HEADER to be the name of a header of its own');
    },
  );

  it.each([
    ['WAYBILL_BODY_BYTES', '65535'],
    ['WAYBILL_BODY_BYTES', '16777217'],
    ['WAYBILL_BYTES_IN_FLIGHT', '1048575'],
    ['WAYBILL_BYTES_IN_FLIGHT', '4MiB'],
  ])('refuses %s=%s', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([
      expect.stringMatching(`Expected ${name} to be a number of bytes from \\d+ to \\d+, but it is '${value}'`),
    ]);
  });

  it('treats an empty variable as absent', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '' })).toEqual(readConfig({}));
  });

  it('reports every problem at once', () => {
    const problems = problemsOf({
      DATABASE_URL: 'mysql://me:secret@db/waybill',
      PORT: '80a',
      WAYBILL_ROLES: 'api,projektor',
      WAYBILL_POOL_SIZE: '1',
      WAYBILL_LOG_LEVEL: 'loud',
    });
    expect(problems).toEqual([
      "Expected DATABASE_URL to be a URL like postgres://user@host:5432/database, but it is 'mysql://me:***@db/waybill'",
      "Expected PORT to be a port number, but it is '80a'",
      "Expected WAYBILL_ROLES to be a list of api, projector, reactor, sweeper, relay, steward, but it is 'api,projektor'",
      "Expected WAYBILL_POOL_SIZE to be a number of connections from 4 to 100, but it is '1'",
      "Expected WAYBILL_LOG_LEVEL to be one of fatal, error, warn, info, debug, trace, silent, but it is 'loud'",
    ]);
  });

  it.each([
    ['shop', 'it is no JSON object'],
    ['["whsec_x"]', 'it is no JSON object'],
    [
      '{"a b":"x"}',
      "a name has other characters than letters, digits, '.', '-' and '_', does not begin with a letter or a digit, or is longer than 100",
    ],
    ['{"shop":[]}', "'shop' has 0 secrets instead of one or two"],
    [`{"shop":["${SECRET}","${SECRET}","${SECRET}"]}`, "'shop' has 3 secrets instead of one or two"],
    ['{"shop":"hunter2"}', "'shop' is no text like whsec_… with 24 to 64 bytes in base64"],
    [
      `{"shop":{"secret":"${SECRET}"}}`,
      `'shop' should have as hosts a list such as ["shop.example.com","*.example.org"]`,
    ],
    [
      `{"shop":{"secret":"${SECRET}","hosts":["https://a"]}}`,
      `'shop' should have as hosts a list such as ["shop.example.com","*.example.org"]`,
    ],
    ['{"shop":{"hosts":["a.example.com"]}}', "'shop' has no secret"],
    [`{"shop":{"secret":"${SECRET}","hosts":["a.example.com"],"host":1}}`, "'shop' has 'host', which is unknown"],
    [
      '{"shop":{"secret":"hunter2","hosts":["a.example.com"]}}',
      "'shop' is no text like whsec_… with 24 to 64 bytes in base64",
    ],
    ['{"shop":"whsec_aHVudGVyMg=="}', "'shop' is no text like whsec_… with 24 to 64 bytes in base64"],
  ])('refuses %s as secrets of webhooks, without showing them', (secrets, fault) => {
    const refusal = `Expected WAYBILL_WEBHOOK_SECRETS to be secrets like {"shop":"whsec_…"}, but ${fault}`;
    expect(problemsOf({ WAYBILL_WEBHOOK_SECRETS: secrets })).toEqual([refusal]);
    expect(problemsOf({ WAYBILL_WEBHOOK_SECRETS_FILE: fileOf(secrets) })).toEqual([refusal]);
  });

  it.each([
    ['WAYBILL_WEBHOOK_HOSTS', 'https://a.example.com'],
    ['WAYBILL_WEBHOOK_HOSTS', 'a.example.com:443'],
    ['WAYBILL_WEBHOOK_HOSTS', '*'],
    ['WAYBILL_WEBHOOK_PORTS', '443,https'],
    ['WAYBILL_WEBHOOK_PORTS', '0'],
    ['WAYBILL_WEBHOOK_PORTS', '65536'],
    ['WAYBILL_MAIL_TO_DOMAINS', 'ann@example.com'],
  ])('refuses %s=%s', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([expect.stringContaining(`Expected ${name} to be a list of `)]);
  });

  it.each([
    ['github', 'it is no JSON object'],
    ['{"a b":"a secret of GitHub"}', 'a name has other characters'],
    ['{"github":"too short"}', "'github' is no text of 16 to 256 characters"],
    ['{"github":["a secret of GitHub",7]}', "'github' is no text of 16 to 256 characters"],
    ['{"github":[]}', "'github' has 0 secrets instead of one or two"],
    ['{"github":{"secret":"a secret of GitHub"}}', "'github' is no text of 16 to 256 characters"],
  ])('refuses %s as secrets of deliveries, without showing them', (secrets, fault) => {
    const [refusal] = problemsOf({ WAYBILL_INBOUND_SECRETS: secrets });
    expect(refusal).toContain(`Expected WAYBILL_INBOUND_SECRETS to be secrets like {"github":"…"}, but ${fault}`);
    expect(refusal).not.toMatch(/a secret of|too short/);
  });

  it('tells people only those that were given', () => {
    expect(describeGiven(readConfig({}))).toEqual({});
    expect(describeGiven(readConfig({ PORT: '4000', HOST: '127.0.0.1' }))).toEqual({ PORT: 4000 });
  });

  it('shows the names of the secrets of deliveries only', () => {
    const config = readConfig({
      WAYBILL_INBOUND_SECRETS_FILE: fileOf('{"github":["a secret of GitHub","another secret text"]}'),
    });
    expect(describeConfig(config)).toMatchObject({ WAYBILL_INBOUND_SECRETS: ['github'] });
  });

  it('shows the names of the secrets of webhooks only', () => {
    const config = readConfig({ WAYBILL_WEBHOOK_SECRETS: `{"shop":"${SECRET}"}` });
    expect(describeConfig(config)).toMatchObject({ WAYBILL_WEBHOOK_SECRETS: ['shop'] });
  });

  it('needs a sender for mail', () => {
    const problem =
      'Expected WAYBILL_MAIL_FROM to be an address like waybill@example.com, with WAYBILL_SMTP_URL, but it is not set';
    expect(problemsOf({ WAYBILL_SMTP_URL: 'smtp://mail' })).toEqual([problem]);
  });

  it.each(['-1', '65536', '1e3', '3.5'])('refuses port %s', (port) => {
    expect(problemsOf({ PORT: port })).toEqual([`Expected PORT to be a port number, but it is '${port}'`]);
  });

  it.each(['esdb', 'kurrentdb', 'kdb', 'kurrent'])('accepts %s: as the URL of an event store', (scheme) => {
    const url = `${scheme}+discover://me:secret@a,b?tls=false`;
    expect(readConfig({ EVENT_STORE_URL: url, EVENT_STORE_PREFIX: 'w1.' })).toMatchObject({ eventStorePrefix: 'w1.' });
    expect(describeConfig(readConfig({ EVENT_STORE_URL: url })).EVENT_STORE_URL).toBe(
      `${scheme}+discover://me:***@a,b?tls=false`,
    );
    expect(problemsOf({ EVENT_STORE_URL: 'http://localhost:2113', EVENT_STORE_PREFIX: 'a-b' })).toEqual([
      "Expected EVENT_STORE_URL to be a URL like esdb://host:2113?tls=false or kurrentdb://host:2113?tls=false, but it is 'http://localhost:2113'",
      "Expected EVENT_STORE_PREFIX to be letters and digits with a dot at the end, but it is 'a-b'",
    ]);
  });

  it('reads a secret from a file', () => {
    const file = fileOf('postgres://me:secret@db/waybill\n');
    expect(readConfig({ DATABASE_URL_FILE: file }).databaseUrl).toBe('postgres://me:secret@db/waybill');
    expect(problemsOf({ DATABASE_URL_FILE: file, DATABASE_URL: 'postgres://db/waybill' })).toEqual([
      'Expected either DATABASE_URL or DATABASE_URL_FILE, but both are set',
    ]);
  });

  it('names the file that it cannot read', () => {
    const [problem] = problemsOf({ DATABASE_URL_FILE: '/nowhere/url' });
    expect(problem).toMatch(/^Expected DATABASE_URL_FILE to name a readable file, but: ENOENT.*'\/nowhere\/url'$/);
  });

  it('is shown without its secrets', () => {
    const shown = describeConfig(readConfig({ DATABASE_URL: 'postgres://me:secret@db/waybill' }));
    expect(shown).toMatchObject({ DATABASE_URL: 'postgres://me:***@db/waybill', PORT: 3000, EVENT_STORE_URL: null });
    expect(JSON.stringify(shown)).not.toContain('secret');
  });

  it.each([
    ['postgres://me:hidden@db/w', 'postgres://me:***@db/w'],
    ['postgres://me@corp:hidden@db/w', 'postgres://me@corp:***@db/w'],
    ['postgres://me:hid\nden@db/w', 'postgres://me:***@db/w'],
    ['postgres://me@db:5432/w?sslmode=require', 'postgres://me@db:5432/w?sslmode=require'],
    ['postgres:///w?user=me&password=hidden', 'postgres:///w?user=me&password=***'],
    [
      'postgres://db:5432/w?sslpassword=hid@den&sslmode=require',
      'postgres://db:5432/w?sslpassword=***&sslmode=require',
    ],
    ['postgres://db/w?p%61ssword=hidden&PASSWORD=hidden#hidden', 'postgres://db/w?p%61ssword=***&PASSWORD=***'],
    ['postgresql://me:h%69dden@db/w?sslkey=hidden', 'postgresql://me:***@db/w?sslkey=***'],
  ])('shows %s as %s', (url, shown) => {
    expect(describeConfig(readConfig({ DATABASE_URL: url })).DATABASE_URL).toBe(shown);
  });

  it.each([
    ['esdb://me:hidden@a:2113,b:2113?tls=false', 'esdb://me:***@a:2113,b:2113?tls=false'],
    ['esdb://me@corp:hidden@a:2113?tls=false', 'esdb://me@corp:***@a:2113?tls=false'],
    ['esdb://a?tls=false&password=hid@den', 'esdb://a?tls=false&password=***'],
  ])("shows the event store's URL %s as %s", (url, shown) => {
    expect(describeConfig(readConfig({ EVENT_STORE_URL: url })).EVENT_STORE_URL).toBe(shown);
  });

  it.each([
    ['host=db password=hidden', '***'],
    ['hidden', '***'],
    ['Postgres://me:hidden@db/w', 'Postgres://me:***@db/w'],
    ['mysql://db/w?password=hidden', 'mysql://db/w?password=***'],
    ['postgres://me:hidden@db:99999/w', 'postgres://me:***@db:99999/w'],
  ])('refuses %s, shown as %s', (url, shown) => {
    expect(problemsOf({ DATABASE_URL: url })).toEqual([
      `Expected DATABASE_URL to be a URL like postgres://user@host:5432/database, but it is '${shown}'`,
    ]);
  });

  const entry = { name: 'shop', sha256: 'a'.repeat(64), may: ['enqueue'] };

  it('accepts API keys, and shows their names', () => {
    const config = readConfig({ WAYBILL_API_KEYS: JSON.stringify([entry]) });
    expect(config.apiKeys).toEqual([entry]);
    expect(describeConfig(config).WAYBILL_API_KEYS).toEqual([{ name: 'shop', may: ['enqueue'] }]);
    expect(JSON.stringify(describeConfig(config))).not.toContain(entry.sha256);
  });

  it.each([
    ['no json', 'it is not a JSON list of keys'],
    ['{}', 'it is not a JSON list of keys'],
    ['null', 'it is not a JSON list of keys'],
    ['[1]', 'key 1 is not an object'],
    [JSON.stringify([entry, { ...entry, sha256: 'secret' }]), "key 2 should have as 'sha256' 64 hexadecimal digits"],
    [JSON.stringify([{ ...entry, name: 'a:b' }]), "key 1 should have as 'name' a name of up to 100 letters, digits"],
    [
      JSON.stringify([{ ...entry, may: ['fly'] }]),
      "key 1 should have as 'may' a list of read, metrics, enqueue, work, deliver, operate, erase, audit, or of permissions for one queue such as enqueue:mail",
    ],
    ...['metrics:mail', 'enqueue:', 'enqueue:a b', 'enqueue:a:b'].map((grant): [string, string] => [
      JSON.stringify([{ ...entry, may: [grant] }]),
      "key 1 should have as 'may' a list of",
    ]),
    ...[{}, { requestsPerMinute: 0 }, { perDay: 1 }, 5].map((quota): [string, string] => [
      JSON.stringify([{ ...entry, quota }]),
      "key 1 should have as 'quota' requestsPerMinute, bytesPerMinute, tasksPerMinute, recipientsPerMinute or runningTasks, each a whole number from 1 on",
    ]),
    [JSON.stringify([{ ...entry, expiresAt: 'soon' }]), "key 1 should have as 'expiresAt' a time such as"],
    [JSON.stringify([{ ...entry, queues: ['mail'] }]), "key 1 has 'queues', which is unknown"],
    [JSON.stringify([entry, { ...entry, name: 'other' }]), 'it lists one key twice'],
  ])('refuses %s as keys', (keys, fault) => {
    const [problem, ...more] = problemsOf({ WAYBILL_API_KEYS: keys });
    expect(problem).toContain(
      `Expected WAYBILL_API_KEYS to be API keys as 'waybill api-key' prints them, but ${fault}`,
    );
    expect(more).toEqual([]);
  });

  it('is described variable by variable in the manual', () => {
    const manual = readFileSync(join(import.meta.dirname, '../docs/reference/configuration.md'), 'utf8');
    const described = [...manual.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name);
    expect(described.sort()).toEqual(
      Object.values(VARIABLES)
        .map(({ name }) => name)
        .sort(),
    );
  });
});
