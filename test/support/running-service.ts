import { createWaybill, type EventOptions, type EventView, type Waybill } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { Config } from '../../src/bootstrap/config.js';
import { type EmbeddedWaybill, startWaybill } from '../../src/index.js';
import { createLog } from '../../src/infrastructure/telemetry/pino-logger.js';
import { PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';
import { type Server, startServer } from '../../src/bootstrap/server.js';
import type { DeliverySettings } from '../../src/steward/deliveries/delivery-settings.js';
import { moveTimes } from './pass-time.js';
import { sizeOf } from './sizes.js';
import { createTestDatabase } from './test-database.js';
import { until } from './until.js';

const PATIENCE_MS = 120_000;

const LONGEST_LEASE_MS = 12 * 3_600_000;
const LONGEST_WAIT_MS = 60_000;

/** The service as in production, with all roles, on its own database and port. */
export interface RunningService {
  readonly url: string;
  readonly databaseUrl: string;
  readonly waybill: Waybill;
  readonly pool: PostgresPool;

  /** A client with another actor. */
  as(actor: string): Waybill;

  /** Stops all instances and starts one. `url` and `waybill` are those of the new one from then on. */
  restart(
    more?: Partial<Pick<Config, 'resumeStopped' | 'roles' | 'payloadStore' | keyof DeliverySettings>>,
  ): Promise<void>;

  /** Starts one more instance of the service on the same database. It stops with this one. */
  addInstance(): Promise<Waybill>;

  /** Like `addInstance`, for clients in other processes. */
  addUrl(): Promise<string>;

  /**
   * Starts Waybill within this process on the same database and event store, without roles. It stops with the service.
   */
  embed(): Promise<Waybill>;

  /** Resolves when the follower or reaction has reached the position. */
  caughtUp(follower: string, position: string): Promise<void>;

  /** The first matching event after `after`, now or in the future. */
  eventAfter(after: string, filter: Pick<EventOptions, 'queue' | 'task' | 'category' | 'type'>): Promise<EventView>;

  /**
   * Lets `interval`, of more than twelve hours, pass for all tasks. Resolves when the sweeper has done what follows.
   */
  passTime(interval: string): Promise<void>;

  stop(): Promise<void>;
}

export type ServiceOptions = Partial<
  Pick<
    Config,
    | 'apiKeys'
    | 'eventStoreUrl'
    | 'notaryDir'
    | 'payloadStore'
    | 's3KeyId'
    | 's3Secret'
    | 'witnesses'
    | 'erasureApproval'
    | 'subjectKeyFile'
    | 'backupDays'
    | 'readTimeoutMs'
    | 'trustedProxies'
    | 'proxyUserHeader'
    | 'followSecrets'
    | 'inboundSecrets'
    | 'followOrigins'
    | 'traceUrl'
    | 'otlpEndpoint'
    | 'otlpMetricsEndpoint'
    | 'tracesExporter'
    | 'metricsExporter'
    | 'metricsEveryMs'
    | keyof DeliverySettings
  >
>;

/** On a busy machine an answer may take longer than callers usually wait. A refused connection fails as soon as ever. */
const PATIENT = { timeoutMs: 20_000, retry: { deadlineMs: 120_000 } };

const clientOf = (url: string, actor?: string): Waybill =>
  createWaybill({ url, ...(actor !== undefined && { actor }), ...PATIENT });

/** With API keys, the service requires them. `waybill` and the helpers here have none. */
export async function startService(
  more: ServiceOptions = {},
  log = createLog({ level: 'error', format: 'text' }),
): Promise<RunningService> {
  const database = await createTestDatabase();
  const pool = new PostgresPool({ url: database.url, size: 4 });
  const servers: Server[] = [];
  const embedded: EmbeddedWaybill[] = [];
  const addServer = async (changes: Partial<Config> = {}): Promise<string> => {
    const server = await startServer(Object.assign(configFor(database.url), more, changes), log);
    servers.push(server);
    return server.url!;
  };
  let url = await addServer();
  let waybill = clientOf(url);
  return {
    get url() {
      return url;
    },
    databaseUrl: database.url,
    get waybill() {
      return waybill;
    },
    pool,
    as: (actor) => clientOf(url, actor),
    restart: async (changes) => {
      await Promise.all(servers.splice(0).map((server) => server.stop()));
      url = await addServer(changes);
      waybill = clientOf(url);
    },
    addInstance: async () => clientOf(await addServer()),
    addUrl: () => addServer(),
    embed: async () => {
      const { databaseUrl, eventStoreUrl, eventStorePrefix } = configFor(database.url);
      const store = {
        ...(eventStoreUrl !== undefined && { eventStoreUrl }),
        ...(eventStorePrefix && { eventStorePrefix }),
      };
      embedded.push(await startWaybill({ databaseUrl: databaseUrl!, ...store, roles: [] }));
      return embedded.at(-1)!.waybill;
    },
    caughtUp: (follower, position) => caughtUp(waybill, follower, BigInt(position)),
    eventAfter: (after, filter) => eventAfter(waybill, after, filter),
    passTime: (interval) => passTime(waybill, pool, interval),
    stop: async () => {
      await Promise.all([...embedded, ...servers].map((one) => one.stop()));
      await pool.end();
      await database.drop();
    },
  };
}

/** Whether the events of this run are in a store whose positions do not count them. */
export const isElsewhere = process.env.EVENT_STORE_URL !== undefined;

/**
 * Each connection plans for itself, so in the gate services within a test have few. Those that are processes have as many as in
 * production, which also race there and are killed (ADR 224).
 */
const POOLS = sizeOf({}, { poolSize: 5, readPoolSize: 2 });

/** Lets tests order mail. Nobody takes it, so it waits. */
const MAIL_TO_NOBODY = { smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'waybill@example.com' };

/** With EVENT_STORE_URL the events are in that store, under stream names of the database's own. */
export function configFor(databaseUrl: string): Config {
  const eventStoreUrl = process.env.EVENT_STORE_URL;
  const eventStorePrefix = eventStoreUrl ? `${new URL(databaseUrl).pathname.slice(1)}.` : '';
  const store = { databaseUrl, eventStoreUrl, eventStorePrefix };
  return Object.assign(new Config(), { port: 0, ...store, ...POOLS, ...MAIL_TO_NOBODY });
}

const caughtUp = (waybill: Waybill, follower: string, position: bigint): Promise<void> =>
  until(`'${follower}' to reach position ${position}`, async () => {
    const found = (await waybill.projections()).find(({ name }) => name === follower);
    return found && BigInt(found.position) >= position ? undefined : null;
  });

async function eventAfter(waybill: Waybill, after: string, filter: EventOptions): Promise<EventView> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
  try {
    for await (const event of waybill.events({ ...filter, after, follow: true, signal: patience.signal })) return event;
    throw new Error(`Expected an event as ${JSON.stringify(filter)} after position ${after}, but none came`);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Moves all due times towards now. A wait and a lease that end thereby show that the sweeper has looked for passed limits and for
 * overdue leases since: it may be within a round when the times move.
 */
async function passTime(waybill: Waybill, pool: PostgresPool, interval: string): Promise<void> {
  const swept = waybill.queue(`swept-${uuidv7()}`);
  await swept.define();
  const { id } = await swept.enqueue();
  await swept.claim({ worker: 'clock', leaseMs: LONGEST_LEASE_MS });
  const waits = await swept.enqueue(undefined, { hold: {}, ttlMs: LONGEST_LEASE_MS });
  await moveTimes(pool, interval);
  // Claiming this task wakes the sweeper.
  await swept.enqueue();
  for (let ended = false; !ended;) {
    const [claimedTask] = await swept.claim({ worker: 'clock', waitMs: LONGEST_WAIT_MS });
    if (!claimedTask)
      throw new Error(`Expected the sweeper to end the lease of task '${id}' within ${LONGEST_WAIT_MS} ms`);
    await waybill.settle([{ taskId: claimedTask.taskId, token: claimedTask.token, verdict: { type: 'succeed' } }]);
    ended = claimedTask.taskId === id;
  }
  await eventAfter(waybill, waits.position, { queue: swept.name, type: 'TaskFailed' });
}
