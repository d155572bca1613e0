import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { UnfitSession } from './unfit-session.js';

/**
 * The log is locked for milliseconds at a time. Only a rebuild of the index holds it and its tables longer; callers then
 * get 503 and should try again later.
 */
export const LOCK_TIMEOUT_MS = 5_000;

/** What a connection needs of its session. All times in milliseconds; 0 is no limit. */
export interface SessionNeeds {
  /** The schema of the functions that statements call; absent if they call none. */
  readonly functions?: string | undefined;
  /** The time after which the database cancels a statement. */
  readonly statementMs?: number | undefined;
  /** How long a statement waits for a lock. */
  readonly lockMs?: number;
  /** The time after which the database ends a session that stands still in a transaction. */
  readonly idleInTransactionMs?: number;
}

type Settings = Readonly<Record<string, string>>;

/**
 * A database, a role, a server or a URL may set any of these otherwise, and statements, or what reads their answers,
 * rely on them. The form of texts: what is read and written. Then the rules of a transaction, and times after which the
 * server ends what it should not end.
 */
const PINNED: Settings = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  client_encoding: 'UTF8',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  exit_on_error: 'off',
  idle_session_timeout: '0',
  transaction_timeout: '0',
  // Compiling a statement takes longer than running it.
  jit: 'off',
};

/**
 * By these the server ends a session within a minute after this machine was lost. Without them it would keep the
 * session, and its locks, for two hours. They have no effect on a socket of the same machine, where they read as 0.
 */
const PROBES: Settings = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '10',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '40000',
};

const settingsOf = ({ statementMs = 0, lockMs = 0, idleInTransactionMs = 0 }: SessionNeeds): Settings => ({
  ...PINNED,
  ...PROBES,
  statement_timeout: String(statementMs),
  lock_timeout: String(lockMs),
  idle_in_transaction_session_timeout: String(idleInTransactionMs),
});

/** Names the session's user, so that a pooler which lends a session to several connections is noticed. */
const MARK = 'waybill.session';

/**
 * Older servers lack some settings. An answer that is given before its commit is durable may be lost, so a commit waits
 * at least for this server's disk, or for more if the database is set so. The schema of the functions is the last of the
 * search path, where no table is found or created before those of the others.
 */
const SET = `select current_setting('${MARK}', true) as mark, pg_backend_pid() as pid,
  set_config('${MARK}', $1, false), set_config('synchronous_commit', coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), false),
  set_config('search_path', concat_ws(', ', nullif(current_setting('search_path'), ''), $2::text), false),
  (select count(set_config(name, value, false)) from unnest($3::text[], $4::text[]) as s (name, value)
     where current_setting(name, true) is not null)`;

/** What the driver does not declare: the number of the server's process, as it was told to this client. */
type ServerConnection = Pick<pg.ClientBase, 'query'> & { readonly processID?: number | null };

export interface Session {
  /** The connection's own, until it ends. */
  readonly mark: string;
  /** Whether something stands between this client and the server, because the server has another number. */
  readonly isPooled: boolean;
}

/**
 * Sets what the connection needs, whatever the defaults of the database, the role and a pooler are. Rejects with
 * `UnfitSession` if the session was another connection's.
 */
export async function openSession(client: ServerConnection, needs: SessionNeeds, answerMs: number): Promise<Session> {
  const settings = settingsOf(needs);
  const mark = randomUUID();
  const values = [mark, needs.functions ?? null, Object.keys(settings), Object.values(settings)];
  const { rows } = await client.query<{ mark: string | null; pid: number }>(asked(SET, values, answerMs));
  const [found] = rows;
  if (found?.mark) throw new UnfitSession('lent a session to a second connection, with what the first had set');
  return { mark, isPooled: found!.pid !== client.processID };
}

/** The mark that the session has now: the connection's own, unless a pooler has put another session in its place. */
export async function markOf(client: ServerConnection, answerMs: number): Promise<string | null> {
  const { rows } = await client.query<{ mark: string | null }>(
    asked(`select current_setting('${MARK}', true) as mark`, [], answerMs),
  );
  return rows[0]!.mark;
}

/** The driver knows the time-out of a single query, its types do not. One that is not answered ends its connection. */
export const asked = (text: string, values: unknown[], answerMs: number): pg.QueryConfig =>
  ({ text, values, query_timeout: answerMs }) as pg.QueryConfig;
