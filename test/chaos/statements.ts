import type pg from 'pg';
import { type PostgresConnection, PostgresPool } from '../../src/infrastructure/database/postgres-pool.js';

type Query = pg.QueryConfig | string;
type Send = () => Promise<pg.QueryResult>;

/**
 * Hooks around the statements of a pool. `alone` gets statements that the pool sends, and so commits, one by one. For a
 * transaction, the hooks get its statements and its commit.
 */
export interface StatementHooks {
  alone(query: Query, send: Send, pool: PostgresPool): Promise<pg.QueryResult>;
  within(query: Query, send: Send): Promise<pg.QueryResult>;
  /** `queries`: the earlier statements of the transaction. */
  commit(queries: readonly Query[], send: Send): Promise<pg.QueryResult>;
}

/** Puts hooks around the statements of every pool of this process, present or future. */
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

/** A claim sends its commit as an object, together with its append. */
export const isCommitOfClaim = (query: Query): boolean => typeof query !== 'string' && query.text === 'commit';

/** The statements by which an append or a claim reserves, before its event is stored elsewhere. */
export const isReservation = (query: Query): boolean => isNamed(query, 'waybill_reserve', 'waybill_reserve_claims');

export const isConfirmation = (query: Query): boolean => isNamed(query, 'waybill_confirm');

/** Lets some of the tasks go that an append left to the sweeper. */
export const isChunk = (query: Query): boolean =>
  typeof query === 'string' && /waybill_(open|unblock)_rest/.test(query);

/** Looks for tasks to abort, before they are. */
export const isCascade = (query: Query): boolean => typeof query === 'string' && query.includes('waybill_to_abort');

/** Looks for tasks to stop while the system drains, or to resume afterwards, before they are. */
export const isDrain = (query: Query): boolean => isNamed(query, 'waybill_runs_to_stop', 'waybill_stopped_tasks');

/** Saves which tasks a bulk operation gives its command to next, before it does. */
export const isBulkCheckpoint = (query: Query): boolean =>
  typeof query === 'string' && query.includes('insert into bulk_checkpoints');

/** The statement with which a follower moves its checkpoint. */
export const isCheckpoint = (query: Query): boolean => isNamed(query, 'waybill_move_checkpoint');

/** The statement with which the follower of failures counts them. */
export const countsFailures = (query: Query): boolean =>
  (typeof query === 'string' ? query : query.text).includes('insert into failure_groups ');

/** The statement with which the reaction to failures moves its checkpoint. */
export const movesReturns = (query: Query): boolean =>
  typeof query !== 'string' && isCheckpoint(query) && query.values?.[0] === 'reopen-returned-failures';
