import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { configureApi, createHttpAdapter } from './api/bootstrap.js';
import { AppModule } from './app.module.js';
import type { Config } from './config.js';
import { type Database, openDatabase } from './database.js';
import { drainBeforeClose } from './drain.js';
import { openEventStore, type OtherStore } from './event-store.js';
import { PinoLogger } from './infrastructure/telemetry/pino-logger.js';
import { Roles } from './roles.js';
import { listenTrouble } from './startup-error.js';

export interface Server {
  /** Where it listens; null without the role `api`. */
  readonly url: string | null;
  /** Refuses what is new, finishes what is in hand, then closes. May be called twice. */
  stop(): Promise<void>;
}

/** Starts the process's roles. Throws `StartupError` where a person can put right what is in the way. */
export async function startServer(config: Config, log: Logger): Promise<Server> {
  const { databaseUrl, dataDir } = config;
  const database = await openDatabase({ databaseUrl, dataDir, log: (line) => log.info(line) });
  let app: NestFastifyApplication | null = null;
  try {
    const { eventStoreUrl, eventStorePrefix } = config;
    const { url: ownUrl } = database;
    const toLog = (line: string): void => log.info(line);
    const otherStore = await openEventStore({ eventStoreUrl, eventStorePrefix, databaseUrl: ownUrl, log: toLog });
    app = await createApp(config, { url: ownUrl, otherStore }, log);
    const url = config.roles.includes('api') ? await listen(app, config) : null;
    app.get(Roles).start();
    return { url, stop: stopOnce(app, database) };
  } catch (error) {
    await app?.close();
    await database.close();
    throw error;
  }
}

async function createApp(
  config: Config,
  { url, otherStore }: { readonly url: string; readonly otherStore: OtherStore | null },
  log: Logger,
): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.for({ databaseUrl: url, poolSize: config.poolSize, roles: config.roles, otherStore }),
    createHttpAdapter(),
    { logger: new PinoLogger(log), abortOnError: false },
  );
  configureApi(app);
  drainBeforeClose(app.getHttpAdapter().getInstance(), config.shutdownGraceMs);
  await app.init();
  return app;
}

async function listen(app: NestFastifyApplication, { host, port }: Config): Promise<string> {
  try {
    await app.listen({ host, port });
    return await app.getUrl();
  } catch (error) {
    throw listenTrouble(error, host, port);
  }
}

function stopOnce(app: NestFastifyApplication, database: Database): () => Promise<void> {
  let stopping: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    await app.close();
    await database.close();
  };
  return () => (stopping ??= stop());
}
