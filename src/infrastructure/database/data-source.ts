import { DataSource, type EntitySchema } from 'typeorm';
import { connectMsOf } from './first-contact.js';
import { toFunctionsIn } from './functions.js';
import { GuardedClient, KEEP_ALIVE_MS, SERVER_PROBES } from './guarded-client.js';

const CONNECT_TIMEOUT_MS = 2_000;
/** Only a rebuild locks the tables for longer. Readers then get 503, as writers do. */
const LOCK_TIMEOUT_MS = 5_000;

type Entity = (new () => object) | EntitySchema;

export interface DataSourceOptions {
  /** The schema of the functions that queries call; absent if they call none. */
  readonly functions?: string;
  readonly size?: number;
  /** The time-out of every statement; no limit if absent. */
  readonly answerMs?: number;
  /** The time after which the database cancels a statement; no limit if absent. */
  readonly statementMs?: number;
}

/** The connections of queries. Only the migrations change the schema, never TypeORM. */
export function createDataSource(
  url: string,
  entities: readonly Entity[],
  { functions, size = 5, answerMs, statementMs }: DataSourceOptions = {},
): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    entities: [...entities],
    synchronize: false,
    poolSize: size,
    connectTimeoutMS: connectMsOf(url, CONNECT_TIMEOUT_MS),
    applicationName: 'waybill-queries',
    extra: {
      Client: GuardedClient,
      // When a statement times out, only a pipelining client gives the connection up.
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      options: SERVER_PROBES,
      ...(functions !== undefined && { onConnect: toFunctionsIn(functions) }),
      ...(answerMs !== undefined && { query_timeout: answerMs }),
      ...(statementMs !== undefined && { statement_timeout: statementMs }),
    },
  });
}
