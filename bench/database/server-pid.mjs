import { readFileSync } from 'node:fs';
import { parentOf } from '../measure/cpu.mjs';

/** The process id of the Postgres server behind a connection; null if it is on another machine. */
export async function serverPid(client) {
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const [{ pid }] = rows;
  return isPostgres(pid) ? parentOf(pid) : null;
}

function isPostgres(pid) {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres');
  } catch {
    return false;
  }
}
