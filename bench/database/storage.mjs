import pg from 'pg';
import { serverPid } from './server-pid.mjs';

const TOTALS = `
  select (select xact_commit::float8 from pg_stat_database where datname = current_database()) as commits,
         pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as "walBytes",
         pg_database_size(current_database())::float8 as bytes,
         (select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::float8 from pg_stat_user_tables) as "rowsWritten",
         (select coalesce(sum(n_dead_tup), 0)::float8 from pg_stat_user_tables) as "deadRows"`;

/** The events of tasks, in the log of a system that has one. */
const EVENTS = `select count(*)::float8 as events from events where category = 'task'`;

const TABLES = `
  select relname as name, pg_total_relation_size(relid)::float8 as bytes, n_live_tup::float8 as "liveRows",
         n_dead_tup::float8 as "deadRows", autovacuum_count::float8 as vacuums
  from pg_stat_user_tables where n_live_tup + n_dead_tup > 0 order by pg_total_relation_size(relid) desc`;

/**
 * What a database contains and has written, according to Postgres. A connection's work is certainly counted only when
 * it ends. WAL is the whole server's.
 */
export class Storage {
  #client;

  static async open(url) {
    const storage = new Storage(url);
    await storage.#client.connect();
    return storage;
  }

  constructor(url) {
    this.#client = new pg.Client({ connectionString: url });
  }

  async totals() {
    return (await this.#client.query(TOTALS)).rows[0];
  }

  /** The number of events of tasks; null if there is no log. */
  async events() {
    const { rows } = await this.#client.query(`select to_regclass('events') is not null as logged`);
    return rows[0].logged ? (await this.#client.query(EVENTS)).rows[0].events : null;
  }

  serverPid() {
    return serverPid(this.#client);
  }

  async tables() {
    return (await this.#client.query(TABLES)).rows;
  }

  close() {
    return this.#client.end();
  }
}
