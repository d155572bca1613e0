import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import {
  ArrayNotEmpty,
  ArrayUnique,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  validateSync,
  type ValidationOptions,
} from 'class-validator';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { type ApiKey, faultIn } from '../api/access/api-keys.js';
import { HOST_NAME } from '../api/access/hosts.js';
import { faultInInbound, type InboundSecretTexts } from '../api/access/inbound-secrets.js';
import { FOLLOW_SECRET } from '../api/access/follow-tokens.js';
import { USUAL_STREAMS } from '../api/access/open-streams.js';
import { USUAL_LIMITS } from '../api/http/body-budget.js';
import { USUAL_CONNECTIONS } from '../api/http/connections.js';
import { ORIGIN } from '../api/http/cross-origin.js';
import { MOUNT_PATH } from '../api/http/mounted-path.js';
import { FRAME_ANCESTOR } from '../api/http/security-headers.js';
import { faultInSecrets, HOST_PATTERN, type WebhookSecrets } from '../steward/deliveries/delivery-settings.js';
import { faultInRules, type GivenRule } from './failure-rules.js';
import { faultInWitnesses, type WitnessOptions } from '../infrastructure/notary/witness-options.js';
import { bucketIn } from '../infrastructure/payloads/store-url.js';
import type { MetricsTarget } from '../infrastructure/telemetry/otlp-metrics.js';
import { masked } from '../infrastructure/telemetry/masked.js';
import { misspeltVariables } from './misspelt-variables.js';

export const ROLES = ['api', 'projector', 'reactor', 'sweeper', 'relay', 'steward'] as const;
export type Role = (typeof ROLES)[number];

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const LOG_FORMATS = ['json', 'text'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** What can be configured. `docs/reference/configuration.md` describes each setting. */
export class Config {
  /** If absent, the service uses the embedded Postgres in `dataDir`. */
  @IsOptional()
  @ValidateBy(
    { name: 'isPostgresUrl', validator: { validate: isPostgresUrl } },
    expected('to be a URL like postgres://user@host:5432/database'),
  )
  databaseUrl?: string;

  /** If absent, events are stored in Postgres. */
  @IsOptional()
  @Matches(
    /^(esdb|kurrentdb|kurrent|kdb)(\+discover)?:\/\/./,
    expected('to be a URL like esdb://host:2113?tls=false or kurrentdb://host:2113?tls=false'),
  )
  eventStoreUrl?: string;

  /** Prefix of the streams' names, for an event store that other programs use too. */
  @Matches(/^([a-zA-Z0-9_]+\.)?$/, expected('to be letters and digits with a dot at the end'))
  eventStorePrefix = '';

  /** The file of keys with which private halves in the event store are encrypted, so that they can be erased. */
  @IsOptional()
  @IsNotEmpty(expected('to name a file'))
  subjectKeyFile?: string;

  @IsNotEmpty(expected('to name an address to listen on'))
  host = '127.0.0.1';

  @Between(0, 65_535, expected('to be a port number'))
  port = 3000;

  @ArrayNotEmpty(expected('to name at least one role'))
  @ArrayUnique(expected('to name each role once'))
  @IsIn(ROLES, { ...expected(`to be a list of ${ROLES.join(', ')}`), each: true })
  roles: Role[] = [...ROLES];

  @IsNotEmpty(expected('to name a folder'))
  dataDir = '.waybill';

  /** Where the notary keeps its key and what it signed last. Without it, the log is not sealed. */
  @IsOptional()
  @IsNotEmpty(expected('to name a folder'))
  notaryDir?: string;

  /** The folder or bucket of payloads that are too large for the log. Without it, queues that need it refuse large payloads. */
  @IsOptional()
  @ValidateBy(
    { name: 'isPayloadStore', validator: { validate: isPayloadStore } },
    expected(
      'to name a folder, or a bucket like s3://bucket/prefix?region=eu-central-1&endpoint=https://minio.example:9000',
    ),
  )
  payloadStore?: string;

  /** Who the service is to the server of the bucket. */
  @ValidateIf(needsS3)
  @IsNotEmpty(expected('to be an access key, because WAYBILL_PAYLOAD_STORE names a bucket'))
  s3KeyId?: string;

  @ValidateIf(needsS3)
  @IsNotEmpty(expected('to be the secret of AWS_ACCESS_KEY_ID'))
  s3Secret?: string;

  /** Who cosigns the seals. */
  @ValidateBy({
    name: 'isWitnesses',
    validator: {
      validate: (witnesses) => faultInWitnesses(witnesses) === null,
      defaultMessage: (given) =>
        `Expected WAYBILL_WITNESSES to be witnesses like [{"key":"w.example+…","url":"https://w.example"}], but ${faultInWitnesses(given?.value)}`,
    },
  })
  witnesses: WitnessOptions[] = [];

  /** Whether an erasure waits until somebody else approves it. */
  @IsBoolean(expected('to be true or false'))
  erasureApproval = false;

  /** How long backups and archives of the write-ahead log are kept. Absent: nobody has said. */
  @IsOptional()
  @Whole(0, 36_500, 'days')
  backupDays?: number;

  /** Two connections are always in use: one for the locks of the roles, one for wake-ups. */
  @Whole(4, 100, 'connections')
  poolSize = 10;

  /** For the history and for what queries read of events. */
  @Whole(1, 100, 'connections')
  readPoolSize = 4;

  /** The time that the database gives one statement of a query or of the history. */
  @Whole(100, 600_000, 'milliseconds')
  readTimeoutMs = 10_000;

  /** Whether a start ends a drain, and retries the tasks that it stopped. */
  @IsBoolean(expected('to be true or false'))
  resumeStopped = false;

  @Whole(65_536, 16_777_216, 'bytes')
  bodyBytes = USUAL_LIMITS.bodyBytes;

  @Whole(1_048_576, 1_073_741_824, 'bytes')
  bytesInFlight = USUAL_LIMITS.bytesInFlight;

  @Whole(0, 600_000, 'milliseconds')
  shutdownGraceMs = 10_000;

  /** How long a start may take to bring the schema up to date: waits for others, and its own work. */
  @Whole(1_000, 86_400_000, 'milliseconds')
  migrationMs = 300_000;

  /** If absent, the service accepts requests without an API key. */
  @IsOptional()
  @ValidateBy({
    name: 'isApiKeys',
    validator: {
      validate: (keys) => faultIn(keys) === null,
      defaultMessage: (given) =>
        `Expected WAYBILL_API_KEYS to be API keys as 'waybill api-key' prints them, but ${faultIn(given?.value)}`,
    },
  })
  apiKeys?: ApiKey[];

  /** Where the keys came from, if from a file. A change of it takes effect without a restart. */
  @IsOptional()
  apiKeysFile?: string;

  /** What signs follow tokens: the first of them, and all of them count. Without one, there are no such tokens. */
  @Matches(FOLLOW_SECRET, {
    ...expected("to be secrets of 32 characters or more such as 'openssl rand -base64 32' makes, one a line"),
    each: true,
  })
  followSecrets: string[] = [];

  /** Whose pages may follow tasks by tokens. */
  @Matches(ORIGIN, { ...expected('to be a list of origins such as https://shop.example.com'), each: true })
  followOrigins: string[] = [];

  /** The event streams that the API keys of one name, or without API keys one address, may have open at once. */
  @Whole(1, 10_000, 'streams')
  streamsPerHolder = USUAL_STREAMS.streamsPerHolder;

  @Whole(1, 10_000, 'streams')
  streams = USUAL_STREAMS.streams;

  /** The connections that all clients may have open at once. */
  @Whole(10, 100_000, 'connections')
  connections = USUAL_CONNECTIONS.connections;

  /** If absent, an address may have half of what the others leave. */
  @IsOptional()
  @Whole(1, 100_000, 'connections')
  connectionsPerAddress?: number;

  /** Host names under which the service answers besides `localhost` and `host`, if the service requires no API keys. */
  @Matches(HOST_NAME, {
    ...expected('to be a list of names or addresses without ports, such as waybill,[fd00::7]'),
    each: true,
  })
  hosts: string[] = [];

  /** The path below which clients see the service, if a proxy passes on only that. */
  @IsOptional()
  @Matches(MOUNT_PATH, expected('to be a path without a slash at its end, such as /ops'))
  basePath?: string;

  /** Whose pages may show the dashboard in a frame. */
  @Matches(FRAME_ANCESTOR, {
    ...expected('to be a list of origins such as https://ops.example.com, or self'),
    each: true,
  })
  frameAncestors: string[] = [];

  /** The proxies whose `X-Forwarded-For` is trusted. */
  @ValidateBy(
    { name: 'isNetwork', validator: { validate: isNetwork } },
    { ...expected('to be a list of addresses or networks, such as 10.0.0.7,10.1.0.0/16'), each: true },
  )
  trustedProxies: string[] = [];

  /** The header in which the trusted proxies name the person that they have signed in. */
  @IsOptional()
  @ValidateBy(
    {
      name: 'isProxyUserHeader',
      validator: {
        validate: (name, args) => isHeaderName(name) && (args!.object as Config).trustedProxies.length > 0,
      },
    },
    expected('to be the name of a header of its own such as X-Forwarded-User, with WAYBILL_TRUSTED_PROXIES'),
  )
  proxyUserHeader?: string;

  /** The server that takes mail. Without it, mail is refused. */
  @IsOptional()
  @Matches(/^smtps?:\/\/./, expected('to be a URL like smtp://user:password@host:587'))
  smtpUrl?: string;

  /** The sender of mail. */
  @ValidateIf(({ smtpUrl, mailFrom }: Config) => smtpUrl !== undefined || mailFrom !== undefined)
  @Matches(/^[^\r\n]*[^\s@]@[^\s@]+$/, expected('to be an address like waybill@example.com, with WAYBILL_SMTP_URL'))
  mailFrom?: string;

  /** The domains that mail may go to; all if there are none. */
  @Matches(HOST_PATTERN, { ...expected('to be a list of domains, such as example.com,*.example.org'), each: true })
  mailToDomains: string[] = [];

  /** The secrets that sign webhooks, by name. */
  @ValidateBy({
    name: 'isWebhookSecrets',
    validator: {
      validate: (secrets) => faultInSecrets(secrets) === null,
      defaultMessage: (given) =>
        `Expected WAYBILL_WEBHOOK_SECRETS to be secrets like {"shop":"whsec_…"}, but ${faultInSecrets(given?.value)}`,
    },
  })
  webhookSecrets: WebhookSecrets = {};

  /** The secrets under which others sign what they deliver to triggers, by name. */
  @ValidateBy({
    name: 'isInboundSecrets',
    validator: {
      validate: (secrets) => faultInInbound(secrets) === null,
      defaultMessage: (given) =>
        `Expected WAYBILL_INBOUND_SECRETS to be secrets like {"github":"…"}, but ${faultInInbound(given?.value)}`,
    },
  })
  inboundSecrets: InboundSecretTexts = {};

  @IsBoolean(expected('to be true or false'))
  webhookHttp = false;

  /** The addresses that webhooks may reach although they are not public. */
  @ValidateBy(
    { name: 'isNetwork', validator: { validate: isNetwork } },
    { ...expected('to be a list of addresses or networks, such as 10.0.0.7,10.1.0.0/16'), each: true },
  )
  webhookNetworks: string[] = [];

  /** The hosts that webhooks may reach; all if there are none. */
  @Matches(HOST_PATTERN, { ...expected('to be a list of hosts, such as shop.example.com,*.example.org'), each: true })
  webhookHosts: string[] = [];

  /** The ports that webhooks may reach, besides all of the networks above. */
  @Between(1, 65_535, { ...expected('to be a list of ports, such as 443,8443'), each: true })
  webhookPorts: number[] = [443, 80];

  /** Which failures belong together although, or do not although, their messages say so. */
  @ValidateBy({
    name: 'isFailureRules',
    validator: {
      validate: (rules) => faultInRules(rules) === null,
      defaultMessage: (given) =>
        `Expected WAYBILL_FAILURE_RULES to be rules like [{"match":"^no route to .+","as":"no route"}], but ${faultInRules(given?.value)}`,
    },
  })
  failureRules: GivenRule[] = [];

  /** The collector that gets traces and metrics. Without one, nothing of OpenTelemetry is loaded. */
  @IsOptional()
  @ValidateBy(
    { name: 'isHttpUrl', validator: { validate: isHttpUrl } },
    expected('to be an address like http://localhost:4318, to which /v1/traces and /v1/metrics are added'),
  )
  otlpEndpoint?: string;

  /** Where it takes traces, if not at the address above. */
  @IsOptional()
  @ValidateBy(
    { name: 'isHttpUrl', validator: { validate: isHttpUrl } },
    expected('to be an address like http://localhost:4318/v1/traces, which is used as it is'),
  )
  otlpTracesEndpoint?: string;

  /** How it is spoken to. */
  @IsHttpJson()
  otlpProtocol = 'http/json';

  @IsHttpJson()
  otlpTracesProtocol = 'http/json';

  /** `none`: no traces, although there is a collector. */
  @IsIn(['otlp', 'none'], expected('to be otlp or none: the service exports traces in no other way'))
  tracesExporter = 'otlp';

  /** Where it takes metrics, if not at the address above. */
  @IsOptional()
  @ValidateBy(
    { name: 'isHttpUrl', validator: { validate: isHttpUrl } },
    expected('to be an address like http://localhost:4318/v1/metrics, which is used as it is'),
  )
  otlpMetricsEndpoint?: string;

  @IsHttpJson()
  otlpMetricsProtocol = 'http/json';

  /** `none`: no metrics, although there is a collector. */
  @IsIn(['otlp', 'none'], expected('to be otlp or none: Prometheus reads /metrics, which is there with either'))
  metricsExporter = 'otlp';

  @Whole(100, 86_400_000, 'milliseconds')
  metricsEveryMs = 60_000;

  @Whole(100, 86_400_000, 'milliseconds')
  metricsWithinMs = 30_000;

  /** How the collector gets counts. */
  @IsIn(['cumulative'], expected('to be cumulative: the service keeps no differences'))
  metricsTemporality = 'cumulative';

  @IsIn(['explicit_bucket_histogram'], expected('to be explicit_bucket_histogram: the bounds are those of /metrics'))
  metricsHistograms = 'explicit_bucket_histogram';

  /** The log is no business of OpenTelemetry's. */
  @IsIn(['none'], expected('to be none: the service writes its log to standard output, where a collector can read it'))
  logsExporter = 'none';

  /** Whether nothing of OpenTelemetry is used, although there is a collector. */
  @IsBoolean(expected('to be true or false'))
  otelDisabled = false;

  /** Where traces are shown. */
  @IsOptional()
  @Matches(
    /^https?:\/\/[^\s{}]+\{traceId\}[^\s{}]*$/,
    expected('to be an address like https://traces.example/trace/{traceId}'),
  )
  traceUrl?: string;

  @IsIn(LOG_LEVELS, expected(`to be one of ${LOG_LEVELS.join(', ')}`))
  logLevel: LogLevel = 'info';

  /** Defaults to `text` on a terminal. */
  @IsOptional()
  @IsIn(LOG_FORMATS, expected(`to be one of ${LOG_FORMATS.join(', ')}`))
  logFormat?: LogFormat;
}

type Setting = keyof Config;

interface Variable {
  readonly name: string;
  readonly parse?: (text: string) => unknown;
  /** Never shown. May be given as a file: `<name>_FILE`. */
  readonly secret?: boolean;
  /** May be given as a file, although it is no secret. */
  readonly mayBeFile?: boolean;
  /** Without API keys every request is accepted, so an empty value is an error and does not count as absent. */
  readonly keepEmpty?: boolean;
}

function isNetwork(text: unknown): boolean {
  const [address = '', bits, ...more] = String(text).split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** Those that mean something else already cannot also name a person. */
const TAKEN =
  /^(host|cookie|authorization|origin|connection|content-.*|waybill-.*|x-request-id|x-forwarded-(for|host|proto))$/i;

const isHeaderName = (name: unknown): boolean =>
  /^[a-z][a-z0-9-]{0,99}$/i.test(String(name)) && !TAKEN.test(String(name));

function isPayloadStore(text: unknown): boolean {
  const [store, hasScheme] = [String(text), /^\w+:\/\//.test(String(text))];
  return hasScheme ? bucketIn(store) !== null : store !== '';
}

function needsS3({ payloadStore }: Config): boolean {
  return payloadStore !== undefined && bucketIn(payloadStore) !== null;
}

function isHttpUrl(text: unknown): boolean {
  return /^https?:\/\/./.test(String(text)) && URL.canParse(String(text));
}

function isPostgresUrl(text: unknown): boolean {
  return /^postgres(ql)?:\/\/./.test(String(text)) && URL.canParse(String(text));
}

const trueOrFalse = (text: string): unknown => (text === 'true' ? true : text === 'false' ? false : text);
const lowerCase = (text: string): unknown => text.toLowerCase();
const integer = (text: string): unknown => (/^\d{1,15}$/.test(text) ? Number(text) : text);
/**
 * Passes text that is not JSON, and also `null`, to the validation unchanged: null would count as absent, and the
 * service would then require no API keys.
 */
function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) ?? text;
  } catch {
    return text;
  }
}
const list = (text: string): unknown => text.split(',').map((part) => part.trim());
const lines = (text: string): unknown => text.split(/\s*\n\s*/);

export const VARIABLES: Readonly<Record<Setting, Variable>> = {
  databaseUrl: { name: 'DATABASE_URL', secret: true },
  eventStoreUrl: { name: 'EVENT_STORE_URL', secret: true },
  eventStorePrefix: { name: 'EVENT_STORE_PREFIX' },
  subjectKeyFile: { name: 'WAYBILL_SUBJECT_KEY_FILE' },
  host: { name: 'HOST' },
  port: { name: 'PORT', parse: integer },
  roles: { name: 'WAYBILL_ROLES', parse: list },
  dataDir: { name: 'WAYBILL_DATA_DIR' },
  notaryDir: { name: 'WAYBILL_NOTARY_DIR' },
  payloadStore: { name: 'WAYBILL_PAYLOAD_STORE' },
  s3KeyId: { name: 'AWS_ACCESS_KEY_ID' },
  s3Secret: { name: 'AWS_SECRET_ACCESS_KEY', secret: true },
  witnesses: { name: 'WAYBILL_WITNESSES', parse: jsonOrText, mayBeFile: true },
  erasureApproval: { name: 'WAYBILL_ERASURE_APPROVAL', parse: trueOrFalse },
  backupDays: { name: 'WAYBILL_BACKUP_DAYS', parse: integer },
  poolSize: { name: 'WAYBILL_POOL_SIZE', parse: integer },
  readPoolSize: { name: 'WAYBILL_READ_POOL_SIZE', parse: integer },
  readTimeoutMs: { name: 'WAYBILL_READ_TIMEOUT_MS', parse: integer },
  resumeStopped: { name: 'WAYBILL_RESUME_STOPPED', parse: trueOrFalse },
  bodyBytes: { name: 'WAYBILL_BODY_BYTES', parse: integer },
  bytesInFlight: { name: 'WAYBILL_BYTES_IN_FLIGHT', parse: integer },
  shutdownGraceMs: { name: 'WAYBILL_SHUTDOWN_GRACE_MS', parse: integer },
  migrationMs: { name: 'WAYBILL_MIGRATION_MS', parse: integer },
  apiKeys: { name: 'WAYBILL_API_KEYS', parse: jsonOrText, secret: true, keepEmpty: true },
  apiKeysFile: { name: 'WAYBILL_API_KEYS_FILE' },
  followSecrets: { name: 'WAYBILL_FOLLOW_SECRET', parse: lines, secret: true },
  followOrigins: { name: 'WAYBILL_FOLLOW_ORIGINS', parse: list },
  streamsPerHolder: { name: 'WAYBILL_STREAMS_PER_HOLDER', parse: integer },
  streams: { name: 'WAYBILL_STREAMS', parse: integer },
  connections: { name: 'WAYBILL_CONNECTIONS', parse: integer },
  connectionsPerAddress: { name: 'WAYBILL_CONNECTIONS_PER_ADDRESS', parse: integer },
  hosts: { name: 'WAYBILL_HOSTS', parse: list },
  basePath: { name: 'WAYBILL_BASE_PATH' },
  frameAncestors: { name: 'WAYBILL_FRAME_ANCESTORS', parse: list },
  trustedProxies: { name: 'WAYBILL_TRUSTED_PROXIES', parse: list },
  proxyUserHeader: { name: 'WAYBILL_PROXY_USER_HEADER' },
  smtpUrl: { name: 'WAYBILL_SMTP_URL', secret: true },
  mailFrom: { name: 'WAYBILL_MAIL_FROM' },
  mailToDomains: { name: 'WAYBILL_MAIL_TO_DOMAINS', parse: list },
  webhookSecrets: { name: 'WAYBILL_WEBHOOK_SECRETS', parse: jsonOrText, secret: true },
  inboundSecrets: { name: 'WAYBILL_INBOUND_SECRETS', parse: jsonOrText, secret: true },
  webhookHttp: { name: 'WAYBILL_WEBHOOK_HTTP', parse: trueOrFalse },
  webhookNetworks: { name: 'WAYBILL_WEBHOOK_NETWORKS', parse: list },
  webhookHosts: { name: 'WAYBILL_WEBHOOK_HOSTS', parse: list },
  webhookPorts: { name: 'WAYBILL_WEBHOOK_PORTS', parse: (text) => text.split(',').map((part) => integer(part.trim())) },
  failureRules: { name: 'WAYBILL_FAILURE_RULES', parse: jsonOrText, mayBeFile: true },
  otlpEndpoint: { name: 'OTEL_EXPORTER_OTLP_ENDPOINT' },
  otlpTracesEndpoint: { name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' },
  otlpProtocol: { name: 'OTEL_EXPORTER_OTLP_PROTOCOL' },
  otlpTracesProtocol: { name: 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL' },
  tracesExporter: { name: 'OTEL_TRACES_EXPORTER' },
  otlpMetricsEndpoint: { name: 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT' },
  otlpMetricsProtocol: { name: 'OTEL_EXPORTER_OTLP_METRICS_PROTOCOL' },
  metricsExporter: { name: 'OTEL_METRICS_EXPORTER' },
  metricsEveryMs: { name: 'OTEL_METRIC_EXPORT_INTERVAL', parse: integer },
  metricsWithinMs: { name: 'OTEL_METRIC_EXPORT_TIMEOUT', parse: integer },
  metricsTemporality: { name: 'OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE', parse: lowerCase },
  metricsHistograms: { name: 'OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION', parse: lowerCase },
  logsExporter: { name: 'OTEL_LOGS_EXPORTER' },
  otelDisabled: { name: 'OTEL_SDK_DISABLED', parse: (text) => trueOrFalse(text.toLowerCase()) },
  traceUrl: { name: 'WAYBILL_TRACE_URL' },
  logLevel: { name: 'WAYBILL_LOG_LEVEL' },
  logFormat: { name: 'WAYBILL_LOG_FORMAT' },
};

/**
 * Where traces go, as the variables of OpenTelemetry say: https://opentelemetry.io/docs/specs/otel/protocol/exporter/. Undefined: nowhere.
 */
export function tracesTo(
  config: Pick<Config, 'otlpEndpoint' | 'otlpTracesEndpoint' | 'tracesExporter' | 'otelDisabled'>,
): string | undefined {
  const { otlpEndpoint, otlpTracesEndpoint, tracesExporter, otelDisabled } = config;
  if (otelDisabled || tracesExporter === 'none') return undefined;
  return otlpTracesEndpoint ?? belowEndpoint(otlpEndpoint, 'v1/traces');
}

/** Where metrics go, and how often, likewise. */
export function metricsTo(config: Config): MetricsTarget | undefined {
  const { otlpEndpoint, otlpMetricsEndpoint, metricsExporter, otelDisabled } = config;
  if (otelDisabled || metricsExporter === 'none') return undefined;
  const url = otlpMetricsEndpoint ?? belowEndpoint(otlpEndpoint, 'v1/metrics');
  return url === undefined ? undefined : { url, everyMs: config.metricsEveryMs, withinMs: config.metricsWithinMs };
}

const belowEndpoint = (endpoint: string | undefined, path: string): string | undefined =>
  endpoint && `${endpoint.replace(/\/$/, '')}/${path}`;

/** The configuration is invalid. The message names every problem, one per line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads and checks the configuration. An empty variable counts as absent, unless it protects the service. */
export function readConfig(env: Environment): Config {
  const problems: string[] = misspeltVariables(env, names()).map(
    ([name, setting]) => `Expected ${name} to be a setting, but it is none: ${setting} is one`,
  );
  const given: Partial<Record<Setting, unknown>> = {};
  for (const setting of settings()) {
    const { parse = String } = VARIABLES[setting];
    const text = textOf(VARIABLES[setting], env, problems);
    if (text !== undefined) given[setting] = parse(text);
  }
  const config = plainToInstance(Config, given);
  const violations = validateSync(config, { stopAtFirstError: true });
  problems.push(...violations.flatMap(({ constraints = {} }) => Object.values(constraints)));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

export interface ReadOptions {
  /** The connections for the history and for what queries read of events. */
  readonly poolSize: number;
  /** The time that the database gives one statement of a query or of the history. */
  readonly statementMs: number;
}

/** How queries and the history read. */
export const readsOf = ({ readPoolSize, readTimeoutMs }: Config): ReadOptions => ({
  poolSize: readPoolSize,
  statementMs: readTimeoutMs,
});

/** Addresses that stand for all of the machine's, so no client uses them as a name. */
const ANY_ADDRESS = ['0.0.0.0', '::'];

/** The host names under which a service without API keys may be addressed, besides those of the machine itself. */
export const hostsOf = ({ host, hosts }: Config): string[] =>
  ANY_ADDRESS.includes(host) ? hosts : [hostInUrl(host), ...hosts];

/** As an address has it: an IPv6 address in brackets. */
export const hostInUrl = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

/** The effective configuration by the names of its variables, with secrets masked. */
export function describeConfig(config: Config): Record<string, unknown> {
  return Object.fromEntries(settings().map((setting) => [VARIABLES[setting].name, shown(setting, config[setting])]));
}

/** Likewise, without those that have their defaults. */
export function describeGiven(config: Config): Record<string, unknown> {
  const usual = describeConfig(new Config());
  const given = Object.entries(describeConfig(config));
  return Object.fromEntries(given.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(usual[name])));
}

const settings = (): Setting[] => Object.keys(VARIABLES) as Setting[];

const names = (): string[] =>
  Object.values(VARIABLES).flatMap((variable) =>
    hasFile(variable) ? [variable.name, `${variable.name}_FILE`] : [variable.name],
  );

const hasFile = ({ secret = false, mayBeFile = secret }: Variable): boolean => mayBeFile;

function shown(setting: Setting, value: unknown): unknown {
  if (setting === 'apiKeys') return (value as ApiKey[] | undefined)?.map(({ name, may }) => ({ name, may })) ?? null;
  if (setting === 'followSecrets') return (value as string[]).map(masked);
  if (setting === 'webhookSecrets' || setting === 'inboundSecrets') return Object.keys(value as WebhookSecrets);
  return VARIABLES[setting].secret && typeof value === 'string' ? masked(value) : (value ?? null);
}

function textOf(variable: Variable, env: Environment, problems: string[]): string | undefined {
  const { name, keepEmpty } = variable;
  const given = (variable: string) => (env[variable] === '' && !keepEmpty ? undefined : env[variable]);
  const text = given(name);
  const file = hasFile(variable) ? given(`${name}_FILE`) : undefined;
  if (file === undefined) return text;
  if (text !== undefined) problems.push(`Expected either ${name} or ${name}_FILE, but both are set`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    problems.push(`Expected ${name}_FILE to name a readable file, but: ${(error as Error).message}`);
    return undefined;
  }
}

function expected(what: string): ValidationOptions {
  return {
    message: ({ property, value }) => {
      const setting = property as Setting;
      const is = value === undefined || value === null ? 'not set' : `'${String(shown(setting, value))}'`;
      return `Expected ${VARIABLES[setting].name} ${what}, but it is ${is}`;
    },
  };
}

function Whole(least: number, most: number, unit: string): PropertyDecorator {
  return Between(least, most, expected(`to be a number of ${unit} from ${least} to ${most}`));
}

/** The one form in which traces and metrics are sent. */
function IsHttpJson(): PropertyDecorator {
  return IsIn(
    ['http/json'],
    expected('to be http/json, which every collector takes beside the other forms on port 4318'),
  );
}

/** An integer in these bounds. */
function Between(least: number, most: number, said: ValidationOptions): PropertyDecorator {
  const rules = [IsInt(said), Min(least, said), Max(most, said)];
  return (config, setting) => rules.forEach((rule) => rule(config, setting));
}
