import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import type { Writable } from 'node:stream';
import { isAway, isConnectionError } from '../../application/kernel/connection-errors.js';
import { Outage } from '../../application/kernel/outage.js';
import { BUSY_MS, connectMsOf } from './connect.js';
import { CopyOut, type OnRow } from './copy-out.js';
import { GuardedClient, type GuardedClientOptions, KEEP_ALIVE_MS, KEPT_CONNECTIONS } from './guarded-client.js';
import { LOCK_TIMEOUT_MS, openSession } from './session.js';
import { TEXT_TIMES } from './value-parsers.js';

export interface PoolOptions {
  readonly url: string;
  readonly size: number;
  /** The schema of the functions that statements call; absent if they call none. */
  readonly functions?: string;
  /** The time-out of every statement; no limit if absent. */
  readonly answerMs?: number;
  /** The time after which the database cancels a statement; no limit if absent. */
  readonly statementMs?: number;
  /** Called for connections that broke while idle, which the pool replaces. Not called after the pool has ended. */
  readonly onConnectionLost?: (error: Error) => void;
  /** Of the database. All pools of one share it. */
  readonly outage?: Outage;
}

/** The pool passes its options on to its clients. */
type ClientPool = pg.PoolConfig & Pick<GuardedClientOptions, 'outage'>;

/** Called for every statement before it is sent. Tests count statements with it. */
export type StatementListener = (text: string) => void;

export const databaseOutage = (): Outage =>
  new Outage({
    of: 'Postgres',
    gone: 'The database is away, and is tried until it is back',
    back: 'The database is back after',
  });

const CONNECT_TIMEOUT_MS = 2_000;
/** A process that stands still in a transaction would keep its rows from others, also from one that takes over. */
const IDLE_IN_TRANSACTION_MS = 5_000;
/** The connections of the write side. Times come back as RFC 3339 text in UTC, bigints as text. */
@Injectable()
export class PostgresPool implements OnApplicationShutdown {
  private readonly pool: pg.Pool;
  private readonly outage: Outage;
  private readonly listeners = new Set<StatementListener>();
  private ended: Promise<void> | null = null;

  constructor(options: PoolOptions) {
    const { functions, statementMs } = options;
    const needs = { functions, statementMs, lockMs: LOCK_TIMEOUT_MS, idleInTransactionMs: IDLE_IN_TRANSACTION_MS };
    const connectMs = connectMsOf(options.url, CONNECT_TIMEOUT_MS);
    this.outage = options.outage ?? databaseOutage();
    const config: ClientPool = {
      Client: GuardedClient,
      outage: this.outage,
      connectionString: options.url,
      max: options.size,
      min: Math.min(options.size, KEPT_CONNECTIONS),
      // Sends statements of one connection that do not wait for each other together.
      pipeline: true,
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      ...(options.answerMs !== undefined && { query_timeout: options.answerMs }),
      // The pool waits for it, although the pool's types want nothing back.
      onConnect: (client): unknown => openSession(client, needs, options.answerMs ?? BUSY_MS),
      application_name: 'waybill',
      types: TEXT_TIMES,
    };
    this.pool = new pg.Pool(config);
    const lent = new WeakMap<object, number>();
    // Without a listener, the pool would throw the error.
    this.pool.on('error', (error) => {
      if (!this.ended) options.onConnectionLost?.(error);
    });
    this.pool.on('acquire', (client) => void lent.set(client, performance.now()));
    this.pool.on('release', (error, client) => {
      if (!error) this.outage.reached(lent.get(client)!);
    });
  }

  async query<Row extends pg.QueryResultRow = pg.QueryResultRow>(
    query: pg.QueryConfig | string,
    values?: unknown[],
  ): Promise<pg.QueryResult<Row>> {
    this.tell(query);
    return this.noting(this.send<Row>(query, values));
  }

  /** Gives the rows of a select without parameters one by one, as COPY writes them in binary: of much text in a third of the time (ADR 209). */
  async copyOut(select: string, onRow: OnRow): Promise<void> {
    const copy = new CopyOut(select, onRow);
    this.tell(select);
    await this.noting(this.pool.query(copy as unknown as pg.QueryConfig));
    copy.end();
  }

  /** A connection for one caller, for a transaction or for LISTEN. `release(error)` discards a broken one. */
  async connect(): Promise<PostgresConnection> {
    const client = await this.noting(this.pool.connect());
    return {
      client,
      query: (query, values) => {
        this.tell(query);
        sendTogether(client);
        return this.noting(typeof query === 'string' ? client.query(query, values) : client.query(query));
      },
      release: (error) => client.release(error ?? false),
    };
  }

  onStatement(listener: StatementListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Waits for the current queries, but not for the server to close its side of the connections. Safe to call twice. */
  end(): Promise<void> {
    return (this.ended ??= this.pool.end());
  }

  onApplicationShutdown(): Promise<void> {
    return this.end();
  }

  /** Keeps the connection if the database refused the statement: the pool itself would discard it, and all that it has planned. */
  private async send<Row extends pg.QueryResultRow>(query: pg.QueryConfig | string, values?: unknown[]) {
    const client = await this.pool.connect();
    try {
      const result = await (typeof query === 'string' ? client.query<Row>(query, values) : client.query<Row>(query));
      client.release();
      return result;
    } catch (error) {
      const isRefusal = error instanceof pg.DatabaseError && !isConnectionError(error);
      client.release(isRefusal ? undefined : (error as Error));
      throw error;
    }
  }

  /** Whoever awaits the answer finds its error noted. */
  private noting<T>(answer: Promise<T>): Promise<T> {
    const began = performance.now();
    answer.catch((error: unknown) => {
      if (isAway(error)) this.outage.missed(error, began);
    });
    return answer;
  }

  private tell(query: pg.QueryConfig | string): void {
    for (const listener of this.listeners) listener(typeof query === 'string' ? query : (query.name ?? query.text));
  }
}

/** The connections for reads of the history, which may be long, and must not take those of commands. */
@Injectable()
export class ReadPool extends PostgresPool {}

export interface PostgresConnection {
  readonly client: pg.PoolClient;
  /** The caller knows the shape of its statement's rows. */
  query(query: pg.QueryConfig | string, values?: unknown[]): Promise<pg.QueryResult<any>>;
  release(error?: Error): void;
}

/** Where `pg` writes. It writes each statement by itself, unless the stream is corked. */
interface Connected {
  readonly connection: { readonly stream: Writable };
}

/** What is sent to a connection before the next turn of the event loop goes in one write. */
function sendTogether(client: pg.ClientBase): void {
  const { stream } = (client as unknown as Connected).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}
