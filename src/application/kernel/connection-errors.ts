/** SQLSTATEs after which the same statement may be sent again: shutdown, deadlock, lock time-out, a server that became a standby. */
const PASSING = new Set(['57P01', '57P02', '57P03', '40P01', '40001', '25P03', '25006', '55P03']);
/** Lost or refused connections; no room: connections, disk, memory, or a limit that the server was set. */
const PASSING_CLASSES = new Set(['08', '53']);
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);
const MESSAGES =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/;

/** Whether the database was out of reach or in no state to serve, rather than refusing what was sent. */
export function isConnectionError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = String((error as { code?: unknown }).code ?? '');
  if (PASSING.has(code) || NETWORK.has(code) || PASSING_CLASSES.has(code.slice(0, 2))) return true;
  if (isMissingSocket(error)) return true;
  if (error instanceof AggregateError) return error.errors.some(isConnectionError);
  return MESSAGES.test(error.message);
}

/** What a server's socket in the file system leaves when the server is away: nothing. */
export function isMissingSocket(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' && syscall === 'connect';
}
