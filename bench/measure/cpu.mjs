import { readFileSync } from 'node:fs';

/**
 * The processor time that this process and its Postgres server have taken so far; on a machine with other work it says what the time on
 * the clock cannot. Null where the server is on another machine, or the system is no Linux.
 */
export async function cpuTimes(pool) {
  try {
    const { rows } = await pool.query('select pg_backend_pid() as pid');
    const server = parentOf(rows[0].pid);
    const processes = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ');
    const { user, system } = process.cpuUsage();
    return { node: user + system, postgres: new Map(processes.flatMap((pid) => timeOf(pid) ?? [])) };
  } catch {
    return null;
  }
}

/** Microseconds between two looks. A server process that ended or began meanwhile is left out: it would count as less than nothing. */
export function cpuBetween(before, after) {
  const both = [...after.postgres].filter(([pid]) => before.postgres.has(pid));
  const postgres = both.reduce((sum, [pid, time]) => sum + time - before.postgres.get(pid), 0);
  return { node: after.node - before.node, postgres };
}

const parentOf = (pid) => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1]);

/** As an entry of a map; null where the process ended since it was listed. */
function timeOf(pid) {
  try {
    const [nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
    return [[pid, Number(nanoseconds) / 1_000]];
  } catch {
    return null;
  }
}
