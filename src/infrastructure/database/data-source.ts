import type pg from 'pg';
import { DataSource, type EntitySchema } from 'typeorm';
import type { Outage } from '../../application/kernel/outage.js';
import { BUSY_MS, connectMsOf } from './connect.js';
import { KEEP_ALIVE_MS, KEPT_CONNECTIONS } from './guarded-client.js';
import { PreparingClient } from './preparing-client.js';
import { LOCK_TIMEOUT_MS, openSession } from './session.js';
import { DATE_TIMES } from './value-parsers.js';

const CONNECT_TIMEOUT_MS = 2_000;

type Entity = (new () => object) | EntitySchema;

export interface DataSourceOptions {
  /** The schema of the functions that queries call; absent if they call none. */
  readonly functions?: string;
  readonly size?: number;
  /** The time-out of every statement; no limit if absent. */
  readonly answerMs?: number;
  /** The time after which the database cancels a statement; no limit if absent. */
  readonly statementMs?: number;
  /** Of the database. */
  readonly outage?: Outage;
}

/** The connections of queries. Only the migrations change the schema, never TypeORM. */
export function createDataSource(
  url: string,
  entities: readonly Entity[],
  { functions, size = 5, answerMs, statementMs, outage }: DataSourceOptions = {},
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
      Client: PreparingClient,
      min: Math.min(size, KEPT_CONNECTIONS),
      outage,
      types: DATE_TIMES,
      // When a statement times out, only a pipelining client gives the connection up.
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      onConnect: (client: pg.Client) =>
        openSession(client, { functions, statementMs, lockMs: LOCK_TIMEOUT_MS }, answerMs ?? BUSY_MS),
      ...(answerMs !== undefined && { query_timeout: answerMs }),
    },
  });
}
