import pg from 'pg';
import { serverPid } from '../database/server-pid.mjs';
import { timeOfProcess, timeOfServer } from './cpu.mjs';

/**
 * The cost of work: microseconds of processor time, in Node and in the server that stores the tasks, and bytes of WAL
 * if that is Postgres.
 */
export class Meter {
  #client;
  #serverPid;
  #pids;

  /** Reads the server at `url` or the process `serverPid`, and this process and those of `pids`. */
  static async open({ url, serverPid: given }, pids = []) {
    if (!url) return new Meter(null, given, pids);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return new Meter(client, await serverPid(client), pids);
  }

  constructor(client, serverPid, pids) {
    this.#client = client;
    this.#serverPid = serverPid;
    this.#pids = pids;
  }

  async read() {
    return { node: this.#node(), server: timeOfServer(this.#serverPid), wal: await this.#wal() };
  }

  close() {
    return this.#client?.end();
  }

  #node() {
    const { user, system } = process.cpuUsage();
    return this.#pids.reduce((sum, pid) => sum + timeOfProcess(pid), user + system);
  }

  async #wal() {
    if (!this.#client) return null;
    const { rows } = await this.#client.query(
      `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal`,
    );
    return rows[0].wal;
  }
}

/** The cost between two readings for each of `count`; null for values that were not read. */
export const costOf = (before, after, count) =>
  Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value === null ? null : (value - before[name]) / count]),
  );
