import {
  type BeforeApplicationShutdown,
  type DynamicModule,
  Injectable,
  type InjectionToken,
  Logger,
  Module,
  type Provider,
} from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { packageVersion } from '../api/http/package-file.js';
import { InboundSecrets, type InboundSecretTexts } from '../api/access/inbound-secrets.js';
import { ApplicationModule } from '../application/application.module.js';
import { TaskClaimer } from '../application/claims/task-claimer.js';
import { Clock } from '../application/kernel/clock.port.js';
import { EventReads } from '../application/kernel/event-store.port.js';
import { type Outage, sayUnlessAway } from '../application/kernel/outage.js';
import { MetricsExport } from '../application/kernel/metrics-export.port.js';
import { PayloadStore } from '../application/kernel/payload-store.port.js';
import { NoPayloadStore } from '../infrastructure/payloads/no-payload-store.js';
import { OwnedPayloads } from '../infrastructure/payloads/owned-payloads.js';
import { WakeUps } from '../application/kernel/wake-ups.port.js';
import type { FailureRule } from '../domain/kernel/fingerprint.js';
import { ErasureApproval } from '../infrastructure/ports/postgres-erasures.js';
import { FailureGrouping } from '../application/failure-groups/failure-grouping.port.js';
import type { ReadOptions, Role } from './config.js';
import { BUILD } from './functions.js';
import type { ExternalEventStore } from './event-store.js';
import type { MetricsTarget } from '../infrastructure/telemetry/otlp-metrics.js';
import { PostgresWakeUps } from '../infrastructure/notify/postgres-wake-ups.js';
import { BuildInUse } from '../infrastructure/database/build-in-use.js';
import { createDataSource } from '../infrastructure/database/data-source.js';
import { databaseOutage, PostgresPool, ReadPool } from '../infrastructure/database/postgres-pool.js';
import { EventStoreVersion } from '../projections/system/event-store-version.port.js';
import { groupBy, Grouping, type GroupOf } from '../projections/kernel/grouping.js';
import { ENTITIES, followedBy, QUERY_HANDLERS } from '../projections/read-models.js';
import { PAST } from './past.providers.js';
import { POSTGRES_ADAPTERS, POSTGRES_STORE } from './postgres.providers.js';
import { RolesModule } from './roles.module.js';
import { Tracing } from '../application/kernel/tracing.port.js';
import { TraceLinks } from '../api/operations/trace-links.js';
import type { SealingOptions } from './sealing.js';
import { sealProviders } from './seals.providers.js';

export interface CoreOptions {
  readonly databaseUrl: string;
  readonly poolSize: number;
  readonly reads: ReadOptions;
  readonly roles: readonly Role[];
  /** Rules for messages by which failures do not group well. */
  readonly failureRules?: readonly FailureRule[];
  /** How the log is sealed, if it is. */
  readonly sealing?: SealingOptions | null;
  /** Where payloads are that are too large for the log; null: nowhere. */
  readonly payloads?: PayloadStore | null;
  /** Whether somebody else must approve an erasure. */
  readonly erasureApproval?: boolean;
  /** How long backups are kept; null if nobody has said. */
  readonly backupDays?: number | null;
  /** The secrets under which others sign what they deliver to triggers, by name. */
  readonly inboundSecrets?: InboundSecretTexts;
  /** Where traces are shown: an address with `{traceId}` in it. Absent: nowhere. */
  readonly traceUrl?: string | undefined;
  /** Where a collector takes traces. Absent: nowhere. */
  readonly tracesTo?: string | undefined;
  /** Where a collector takes metrics. Absent: nowhere. */
  readonly metricsTo?: MetricsTarget | undefined;
  /** The event store outside the database, if there is one. */
  readonly externalEventStore?: ExternalEventStore | null;
  /** In place of the database's. For tests, which move it together with that of their database. */
  readonly clock?: Clock;
}

/** Everything but the API: use cases, queries, their adapters in Postgres, and the roles. Has its own buses. */
@Module({})
export class CoreModule {
  static async for(options: CoreOptions): Promise<DynamicModule> {
    const other = await externalEventStore(options);
    const name = `waybill-${++dataSources}`;
    const outage = databaseOutage();
    const groupOf = groupBy(options.failureRules);
    const provided = [
      ...(await tracing(options)),
      ...(await metricsExport(options)),
      ...configured(options, groupOf, outage),
      StopClaiming,
      ...POSTGRES_ADAPTERS,
      ...sealProviders({ isWhole: other !== null, backupDays: options.backupDays ?? null }),
      ...PAST,
      ...(other?.providers ?? POSTGRES_STORE),
      ...(options.clock ? [{ provide: Clock, useValue: options.clock }] : []),
    ];
    return {
      module: CoreModule,
      global: true,
      imports: [
        CqrsModule.forRoot(),
        readSide(options, name, outage),
        { module: ApplicationModule, global: true },
        RolesModule.for(options.roles, other?.roles, followedBy(groupOf), options.sealing),
      ],
      providers: [...provided, ...QUERY_HANDLERS, { provide: DataSource, useExisting: getDataSourceToken(name) }],
      exports: [CqrsModule, DataSource, ...provided.map(tokenOf)],
    };
  }
}

/** Answers waiting claims before the server waits for the requests in progress. */
@Injectable()
class StopClaiming implements BeforeApplicationShutdown {
  constructor(private readonly claimer: TaskClaimer) {}

  beforeApplicationShutdown(): void {
    this.claimer.onApplicationShutdown();
  }
}

/**
 * No statement of the service takes this long. If the database has not answered by then, the connection is given up.
 */
const ANSWER_MS = 30_000;

/** What the container knows the provider by. */
const tokenOf = (provider: Provider): InjectionToken => ('provide' in provider ? provider.provide : provider);

/** Loads the client of EventStoreDB only if needed, because it is a tenth of all modules. */
async function externalEventStore({ externalEventStore: store }: CoreOptions) {
  if (!store) return null;
  const { storeProviders, storeRoles } = await import('./eventstoredb.providers.js');
  return { providers: storeProviders(store), roles: storeRoles };
}

/** Loads OpenTelemetry only if needed. */
async function tracing({ tracesTo }: CoreOptions): Promise<Provider[]> {
  if (tracesTo === undefined) return [];
  const { OtlpTracing } = await import('../infrastructure/telemetry/otlp-tracing.js');
  return [{ provide: Tracing, useFactory: () => new OtlpTracing(tracesTo, packageVersion()) }];
}

async function metricsExport({ metricsTo }: CoreOptions): Promise<Provider[]> {
  if (metricsTo === undefined) return [];
  const { OtlpMetrics } = await import('../infrastructure/telemetry/otlp-metrics.js');
  return [{ provide: MetricsExport, useFactory: () => new OtlpMetrics(metricsTo, packageVersion()) }];
}

/** The connections to the database, and what follows from the configuration. */
function configured(options: CoreOptions, groupOf: GroupOf, outage: Outage): Provider[] {
  const { databaseUrl: url, poolSize, reads, externalEventStore, erasureApproval = false, payloads = null } = options;
  const logger = new Logger('Postgres');
  const onConnectionLost = (error: Error): void =>
    sayUnlessAway(error, `Lost an idle connection: ${error.message}`, (line) => logger.warn(line));
  const pool = { url, functions: BUILD.schema, answerMs: ANSWER_MS, outage, onConnectionLost };
  return [
    { provide: PostgresPool, useValue: new PostgresPool({ ...pool, size: poolSize }) },
    {
      provide: ReadPool,
      useValue: new ReadPool({ ...pool, size: reads.poolSize, statementMs: reads.statementMs }),
    },
    {
      provide: WakeUps,
      inject: [PostgresPool],
      useFactory: (pool: PostgresPool) =>
        externalEventStore ? new PostgresWakeUps(pool, 0) : new PostgresWakeUps(pool),
    },
    {
      provide: BuildInUse,
      inject: [PostgresPool],
      useFactory: (pool: PostgresPool) => new BuildInUse(pool, BUILD.schema),
    },
    { provide: InboundSecrets, useValue: new InboundSecrets(options.inboundSecrets ?? {}) },
    ...(options.traceUrl === undefined ? [] : [{ provide: TraceLinks, useValue: new TraceLinks(options.traceUrl) }]),
    { provide: ErasureApproval, useValue: { isNeeded: erasureApproval } satisfies ErasureApproval },
    {
      provide: PayloadStore,
      inject: [PostgresPool, EventReads],
      useFactory: (pool: PostgresPool, events: EventReads) =>
        payloads === null ? new NoPayloadStore() : new OwnedPayloads(payloads, pool, events),
    },
    { provide: FailureGrouping, useValue: { groupOf } satisfies FailureGrouping },
    { provide: Grouping, useExisting: FailureGrouping },
    { provide: EventStoreVersion, useValue: { version: externalEventStore?.version ?? null } },
  ];
}

/** The names of data sources belong to the whole process, of which an application may have used the default one. */
let dataSources = 0;

/**
 * The connections of queries. The start has already checked the database, so this does not wait for one that is away.
 */
const readSide = ({ databaseUrl, reads }: CoreOptions, name: string, outage: Outage): DynamicModule =>
  TypeOrmModule.forRootAsync({
    name,
    useFactory: () => ({ type: 'postgres', retryAttempts: 0 }),
    dataSourceFactory: () =>
      createDataSource(databaseUrl, ENTITIES, {
        functions: BUILD.schema,
        answerMs: ANSWER_MS,
        statementMs: reads.statementMs,
        outage,
      }).initialize(),
  });
