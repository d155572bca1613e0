import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { assertKnown, createWaybill, type OptionNames, type Telemetry, type Waybill } from '@waybill/client';
import { faultInInbound, type InboundSecretTexts } from '../api/access/inbound-secrets.js';
import { Operations } from '../api/operations/operations.js';
import { Config, readsOf, type Role, ROLES } from '../bootstrap/config.js';
import { faultInRules, failureRulesOf, type GivenRule } from '../bootstrap/failure-rules.js';
import { AppModule } from '../bootstrap/app.module.js';
import type { CoreOptions } from '../bootstrap/core.module.js';
import { type Database, openDatabase } from '../bootstrap/database.js';
import { openEventStore } from '../bootstrap/event-store.js';
import { DatabaseClock } from '../infrastructure/database/database-clock.js';
import { Roles } from '../bootstrap/roles.js';
import type { DeliverySettings } from '../steward/deliveries/delivery-settings.js';
import { Steward } from '../steward/steward.js';
import { EmbeddedModule } from './embedded.module.js';
import { assertMountable, createMounted, type MountOptions, type Serve } from './mount.js';
import { InProcessTransport } from '../in-process/in-process-transport.js';

export interface EmbeddedOptions {
  /** The URL of your Postgres. If absent, one is started in `dataDir`. */
  readonly databaseUrl?: string;
  /**
   * The URL of an EventStoreDB or KurrentDB for the events: `esdb://host:2113?tls=false`, `kurrentdb://...`. If absent, they are stored in
   * Postgres.
   */
  readonly eventStoreUrl?: string;
  /**
   * A prefix for the names of its streams, if other programs use the store too. Defaults to that of the environment.
   */
  readonly eventStorePrefix?: string;
  /** As WAYBILL_SUBJECT_KEY_FILE: the file of keys with which private halves in that store are encrypted. */
  readonly subjectKeyFile?: string;
  /** Defaults to `.waybill`. */
  readonly dataDir?: string;
  readonly poolSize?: number;
  /** The background work of this process. Defaults to all of it. */
  readonly roles?: readonly Exclude<Role, 'api'>[];
  /** The actor that the history records for everything the client does. */
  readonly actor?: string;
  /** As the client's options of these names. */
  readonly agent?: string;
  readonly traceparent?: () => string | undefined;
  readonly telemetry?: Telemetry;
  /** Whether the client's queries wait until they reflect its own newest command; true if absent. */
  readonly readYourWrites?: boolean;
  /** The server for mail, and the secrets and targets of webhooks. */
  readonly deliveries?: Partial<DeliverySettings>;
  /** The secrets under which others sign what they deliver to triggers, by name, as in `WAYBILL_INBOUND_SECRETS`. */
  readonly inboundSecrets?: InboundSecretTexts;
  /** Rules for messages by which failures do not group well, as in `WAYBILL_FAILURE_RULES`. */
  readonly failureRules?: readonly GivenRule[];
  /** Lets your application serve the dashboard and the API itself, with `serve`. */
  readonly http?: MountOptions;
  /** Receives messages for people. */
  readonly log?: (line: string) => void;
}

const OPTIONS: OptionNames<EmbeddedOptions> = {
  databaseUrl: true,
  eventStoreUrl: true,
  eventStorePrefix: true,
  subjectKeyFile: true,
  dataDir: true,
  poolSize: true,
  roles: true,
  actor: true,
  agent: true,
  traceparent: true,
  telemetry: true,
  readYourWrites: true,
  deliveries: true,
  inboundSecrets: true,
  failureRules: true,
  http: true,
  log: true,
};

const DELIVERIES: OptionNames<DeliverySettings> = {
  smtpUrl: true,
  mailFrom: true,
  mailToDomains: true,
  webhookSecrets: true,
  webhookHttp: true,
  webhookNetworks: true,
  webhookHosts: true,
  webhookPorts: true,
};

export interface EmbeddedWaybill {
  readonly waybill: Waybill;
  /** Answers requests to the dashboard and the API. Throws `TypeError` if the options have no `http`. */
  readonly serve: Serve;
  /** Calls in progress fail as unreachable, so stop workers first. Safe to call twice. */
  stop(): Promise<void>;
}

type NestOptions = NonNullable<Parameters<typeof NestFactory.createApplicationContext>[1]>;

/** Logs only problems, because an embedding application has its own messages at the start. */
const QUIET: NestOptions = { logger: ['fatal', 'error', 'warn'] };

/**
 * Starts Waybill within this process, without a port. It has its own dependency injection container, so nothing of it
 * can clash with the host's. Hosts that are Nest applications pass `nest`, because the logger belongs to the whole
 * process.
 */
export async function startWaybill(options: EmbeddedOptions = {}, nest: NestOptions = QUIET): Promise<EmbeddedWaybill> {
  assertKnown('Waybill', options, OPTIONS);
  assertKnown('deliveries', options.deliveries ?? {}, DELIVERIES);
  if (options.http) assertMountable(options.http);
  const fault = faultInRules(options.failureRules ?? []);
  if (fault !== null) throw new TypeError(`Expected failureRules to be rules, but ${fault}`);
  const faultInSecrets = faultInInbound(options.inboundSecrets ?? {});
  if (faultInSecrets !== null)
    throw new TypeError(`Expected inboundSecrets to be secrets by name, but ${faultInSecrets}`);
  const defaults = new Config();
  const { poolSize, dataDir, eventStorePrefix: prefix } = defaults;
  const { actor, agent, traceparent, telemetry, readYourWrites = true, roles = ROLES, log = () => undefined } = options;
  const database = await openDatabase({ databaseUrl: options.databaseUrl, dataDir: options.dataDir ?? dataDir, log });
  try {
    const { eventStoreUrl, eventStorePrefix = prefix, subjectKeyFile } = options;
    const externalEventStore = await openEventStore({
      eventStoreUrl,
      eventStorePrefix,
      subjectKeyFile,
      databaseUrl: database.url,
      log,
    });
    const core = {
      databaseUrl: database.url,
      poolSize: options.poolSize ?? poolSize,
      reads: readsOf(defaults),
      roles,
      failureRules: failureRulesOf(options.failureRules ?? []),
      inboundSecrets: options.inboundSecrets,
      externalEventStore,
    };
    const deliveries = Object.assign(new Config(), options.deliveries);
    const { context, serve } = await createContext(core, deliveries, options.http, nest);
    await startRoles(context, roles);
    const transport = new InProcessTransport(context.get(Operations));
    const waybill = createWaybill({ transport, readYourWrites, actor, agent, traceparent, telemetry });
    return { waybill, serve, stop: stopOnce(transport, context, database) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

interface Created {
  readonly context: INestApplicationContext;
  readonly serve: Serve;
}

/** With HTTP only if it is asked for, because it costs a start some hundred milliseconds. */
async function createContext(
  core: CoreOptions,
  deliveries: DeliverySettings,
  http: MountOptions | undefined,
  { logger }: NestOptions,
): Promise<Created> {
  const rules = { logger, abortOnError: false } as const;
  if (http) return createMounted(AppModule.for(core, deliveries), http, rules);
  const context = await NestFactory.createApplicationContext(EmbeddedModule.for(core, deliveries), rules);
  return { context, serve: notMounted };
}

const notMounted: Serve = () => {
  throw new TypeError("Expected Waybill to be started with the option 'http', which says where it is mounted");
};

async function startRoles(context: INestApplicationContext, roles: readonly Role[]): Promise<void> {
  try {
    await context.get(DatabaseClock).start();
    context.get(Roles).start(...(roles.includes('steward') ? [context.get(Steward)] : []));
  } catch (error) {
    await context.close();
    throw error;
  }
}

function stopOnce(
  transport: InProcessTransport,
  context: INestApplicationContext,
  database: Database,
): () => Promise<void> {
  let stopping: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    transport.close();
    database.stopWatching();
    await context.close();
    await database.close();
  };
  return () => (stopping ??= stop());
}
