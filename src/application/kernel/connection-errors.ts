const READ_ONLY_STATE = '25006';
/**
 * SQLSTATEs after which the same statement may be sent again: shutdown, deadlock, lock time-out, or a server that
 * became a standby.
 */
const PASSING = new Set(['57P01', '57P02', '57P03', '40P01', '40001', '25P03', READ_ONLY_STATE, '55P03']);
/**
 * SQLSTATE classes of lost or refused connections, and of exhausted resources: connections, disk, memory, or a
 * configured limit.
 */
const PASSING_CLASSES = new Set(['08', '53']);
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);
/** The last is TypeORM's, of a statement in a transaction whose connection was lost before it. */
const MESSAGES =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Query runner already released/;

/** Whether the database was unreachable or could not serve, as opposed to refusing the statement. */
export function isConnectionError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = String((error as { code?: unknown }).code ?? '');
  if (PASSING.has(code) || NETWORK.has(code) || PASSING_CLASSES.has(code.slice(0, 2))) return true;
  if (isMissingSocket(error)) return true;
  if (error instanceof AggregateError) return error.errors.some(isConnectionError);
  return MESSAGES.test(error.message);
}

/** What a database that serves says of one statement: deadlock, lock time-out, an idle transaction, or a full disk. */
const OF_ONE_STATEMENT = new Set(['40P01', '40001', '25P03', READ_ONLY_STATE, '55P03', '53100', '53200', '53400']);

/** Whether the database does not serve, whatever is asked of it. */
export const isAway = (error: unknown): error is Error =>
  isConnectionError(error) && !OF_ONE_STATEMENT.has(String((error as { code?: unknown }).code));

/** For people. */
export const READ_ONLY =
  'Expected the database to take writes, but it is read-only: a standby, or default_transaction_read_only is on';

/** Whether the database answers, but takes no writes. */
export const isReadOnly = (error: unknown): boolean =>
  error instanceof Error && ((error as { code?: unknown }).code === READ_ONLY_STATE || isReadOnly(error.cause));

/** Whether the database cancelled the statement because its time was up. Only reads have a limit. */
export const isOverTime = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === '57014';

/** Whether the server's Unix socket is missing. The server removes it when it stops. */
export function isMissingSocket(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' && syscall === 'connect';
}
