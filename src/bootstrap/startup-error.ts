import pg from 'pg';
import { isMissingSocket, isReadOnly } from '../application/kernel/connection-errors.js';
import { BUSY_MS } from '../infrastructure/database/connect.js';
import { SchemaError } from '../infrastructure/database/schema-error.js';
import { UnfitSession } from '../infrastructure/database/unfit-session.js';
import { masked } from '../infrastructure/telemetry/masked.js';

/** The start failed for a reason that a person can fix. The message names it in one sentence. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

const LOOK = 'set DATABASE_URL to a Postgres that this process may use';

/** The message for a failed first connection to the database. Returns an unexpected error unchanged. */
export function databaseError(error: unknown, url: string, answerMs: number): unknown {
  if (error instanceof UnfitSession)
    return new StartupError(`${error.message}: set DATABASE_URL to one.`, { cause: error });
  if (error instanceof SchemaError) return new StartupError(error.message, { cause: error });
  const reason = reasonOf(error, answerMs);
  if (reason === null) return error;
  return new StartupError(`Expected to use the database at '${masked(url)}', but ${reason}; ${LOOK}.`, {
    cause: error,
  });
}

function reasonOf(error: unknown, answerMs: number): string | null {
  if (error instanceof AggregateError) return reasonOf(error.errors[0], answerMs);
  if (!(error instanceof Error) || error instanceof StartupError) return null;
  const code = String((error as { code?: unknown }).code ?? '');
  if (isReadOnly(error)) return 'it is read-only (a standby, or default_transaction_read_only is on)';
  if (error instanceof pg.DatabaseError) return serverSays(error, code);
  if (code === 'ECONNREFUSED' || isMissingSocket(error)) return 'nothing listens there';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its host has no address';
  if (/read timeout/.test(error.message))
    return `it accepts the connection and then does not answer within ${BUSY_MS} ms`;
  if (/timeout|timed out/i.test(error.message)) return `it does not answer within ${answerMs} ms`;
  if (/not queryable/.test(error.message)) return 'it broke the connection off';
  if (code !== '' || /Connection terminated|SSL|SASL|password/i.test(error.message))
    return `the connection failed: ${error.message}`;
  return null;
}

/**
 * 08: what a pooler refuses. 28: access denied. 3D: no such database. 42501: no right to create tables. 53300, 57P: not
 * now.
 */
const SERVER_SAYS = /^(08...|28...|3D...|42501|53300|57P..)$/;

const serverSays = (error: Error, code: string): string | null =>
  SERVER_SAYS.test(code) ? `the server says: ${error.message}` : null;

/** The message for an address that cannot be listened on. */
export function listenError(error: unknown, host: string, port: number): unknown {
  const code = (error as { code?: unknown }).code;
  const at = `Expected to listen on ${host}:${port}, but`;
  if (code === 'EADDRINUSE')
    return new StartupError(`${at} another process does; set PORT to a free port.`, { cause: error });
  if (code === 'EACCES')
    return new StartupError(`${at} that takes more rights; set PORT to 1024 or higher.`, { cause: error });
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new StartupError(`${at} this machine has no such address; set HOST to one that it has.`, { cause: error });
  }
  return error;
}
