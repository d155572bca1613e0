import type pg from 'pg';
import { type PostgresConnection, PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';

type Query = pg.QueryConfig | string;
type Send = () => Promise<pg.QueryResult>;

/**
 * Around the statements of a pool. `alone` is what the pool sends by itself and so commits by itself; of a connection's
 * transaction the statements and its commit are told.
 */
export interface StatementHooks {
  alone(query: Query, send: Send, pool: PostgresPool): Promise<pg.QueryResult>;
  within(query: Query, send: Send): Promise<pg.QueryResult>;
  /** `queries`: what was sent in the transaction before. */
  commit(queries: readonly Query[], send: Send): Promise<pg.QueryResult>;
}

/** Puts hooks around the statements of every pool of this process, made before or after. */
export function hookStatements(hooks: StatementHooks): void {
  const { query, connect } = PostgresPool.prototype;
  const sendAlone = query as (this: PostgresPool, query: Query, values?: unknown[]) => Promise<pg.QueryResult>;
  PostgresPool.prototype.query = function (this: PostgresPool, statement: Query, values?: unknown[]) {
    return hooks.alone(statement, () => sendAlone.call(this, statement, values), this);
  } as typeof query;
  PostgresPool.prototype.connect = async function (this: PostgresPool) {
    return hookConnection(await connect.call(this), hooks);
  };
}

function hookConnection(connection: PostgresConnection, hooks: StatementHooks): PostgresConnection {
  const queries: Query[] = [];
  return {
    ...connection,
    query: (statement, values) => {
      const send: Send = () => connection.query(statement, values);
      if (statement === 'commit') return hooks.commit(queries, send);
      queries.push(statement);
      return hooks.within(statement, send);
    },
  };
}

const isNamed = (query: Query, ...names: readonly string[]): boolean =>
  typeof query !== 'string' && names.includes(query.name ?? '');

export const isAppend = (query: Query): boolean => isNamed(query, 'waybill_append');

/** What an append or a claim takes before its event is stored elsewhere. */
export const isReservation = (query: Query): boolean => isNamed(query, 'waybill_reserve', 'waybill_reserve_claims');

export const isConfirmation = (query: Query): boolean => isNamed(query, 'waybill_confirm');

/** The statement by which a follower moves on. */
export const isCheckpoint = (query: Query): boolean => isNamed(query, 'waybill_move_checkpoint');
