import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Logger } from 'pino';
import type { CommandContext } from '../application/kernel/command-context.js';
import { newId } from '../application/kernel/new-id.js';
import { ResumeSystem } from '../application/system/drain-system.handler.js';
import { configureApi, createHttpAdapter } from '../api/bootstrap.js';
import { followTokensOf } from '../api/access/follow-tokens.js';
import type { WaybillHttpAdapter } from '../api/http/http-adapter.js';
import { AppModule } from './app.module.js';
import { type Config, hostsOf, metricsTo, readsOf, tracesTo } from './config.js';
import { failureRulesOf } from './failure-rules.js';
import { drainBeforeClose } from './drain.js';
import type { ExternalEventStore } from './event-store.js';
import { KeyFile } from './key-file.js';
import { GetSystem } from '../projections/system/system.queries.js';
import { DatabaseClock } from '../infrastructure/database/database-clock.js';
import { PinoLogger } from '../infrastructure/telemetry/pino-logger.js';
import { payloadStoreOf } from './payload-store.js';
import { Roles } from './roles.js';
import type { SealingOptions } from './sealing.js';
import { Steward } from '../steward/steward.js';
import { listenError } from './startup-error.js';

export interface App {
  /** The address of the API; null without the role `api`. */
  readonly url: string | null;
  /** Refuses new requests and finishes those in progress. */
  close(): Promise<void>;
}

export interface Stores {
  readonly databaseUrl: string;
  readonly externalEventStore: ExternalEventStore | null;
}

/** Starts the process's roles. The stores must be ready. */
export async function startApp(config: Config, stores: Stores, log: Logger): Promise<App> {
  const app = await createApp(config, stores, log);
  const keyFile = keyFileOf(config, app);
  keyFile?.start();
  const close = async (): Promise<void> => {
    keyFile?.stop();
    await app.close();
  };
  try {
    await app.init();
    await app.get(DatabaseClock).start();
    const url = config.roles.includes('api') ? await listen(app, config) : null;
    app.get(Roles).start(...(config.roles.includes('steward') ? [app.get(Steward)] : []));
    if (config.resumeStopped) await resumeStopped(app);
    return { url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function keyFileOf({ apiKeysFile }: Config, app: NestFastifyApplication): KeyFile | null {
  const { keys } = app.getHttpAdapter() as unknown as WaybillHttpAdapter;
  return keys && apiKeysFile !== undefined ? new KeyFile(apiKeysFile, keys) : null;
}

async function resumeStopped(app: NestFastifyApplication): Promise<void> {
  const { state, stopped } = await app.get(QueryBus).execute(new GetSystem());
  if (state === 'draining' || stopped > 0) await app.get(CommandBus).execute(new ResumeSystem(true, STARTED()));
}

const STARTED = (): CommandContext => ({ actor: 'service', correlationId: newId(), reason: 'WAYBILL_RESUME_STOPPED' });

const sealingOf = ({ notaryDir: folder, witnesses }: Config): SealingOptions | null =>
  folder === undefined ? null : { folder, witnesses };

async function createApp(config: Config, stores: Stores, log: Logger): Promise<NestFastifyApplication> {
  const { poolSize, roles, apiKeys, trustedProxies, proxyUserHeader, basePath, frameAncestors } = config;
  const { bodyBytes, bytesInFlight, streams, streamsPerHolder, connections, connectionsPerAddress } = config;
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.for(
      {
        ...stores,
        poolSize,
        reads: readsOf(config),
        roles,
        sealing: sealingOf(config),
        erasureApproval: config.erasureApproval,
        backupDays: config.backupDays ?? null,
        payloads: payloadStoreOf(config),
        failureRules: failureRulesOf(config.failureRules),
        inboundSecrets: config.inboundSecrets,
        traceUrl: config.traceUrl,
        tracesTo: tracesTo(config),
        metricsTo: metricsTo(config),
      },
      config,
    ),
    createHttpAdapter({
      apiKeys,
      trustedProxies,
      proxyUserHeader,
      path: basePath,
      frameAncestors,
      followTokens: followTokensOf(config.followSecrets),
      followOrigins: config.followOrigins,
      hosts: hostsOf(config),
      bodies: { bodyBytes, bytesInFlight },
      streamLimits: { streams, streamsPerHolder },
      connections: { connections, connectionsPerAddress },
    }),
    { logger: new PinoLogger(log), abortOnError: false },
  );
  configureApi(app);
  drainBeforeClose(app.getHttpAdapter().getInstance(), config.shutdownGraceMs);
  return app;
}

async function listen(app: NestFastifyApplication, { host, port }: Config): Promise<string> {
  try {
    // The router would serve 'localhost' by two servers, of which one knows no limits.
    await app.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port });
    return await app.getUrl();
  } catch (error) {
    throw listenError(error, host, port);
  }
}
