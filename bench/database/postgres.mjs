import '../report/log-on-stderr.mjs';
import pg from 'pg';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../../dist/infrastructure/embedded-postgres/embedded-postgres.js';

/**
 * The Postgres of one run: the embedded one in a temporary folder, or that of DATABASE_URL. Each system gets its own
 * database, so that its writes can be counted.
 */
export class BenchPostgres {
  #admin;
  #databases = new Map();
  #stop;

  static async open() {
    const url = process.env.DATABASE_URL;
    return url ? new BenchPostgres(url, async () => undefined).#connect() : BenchPostgres.#openEmbedded();
  }

  static async #openEmbedded() {
    const dataDir = mkdtempSync(join(tmpdir(), 'waybill-bench-'));
    // As root, Postgres runs as another user, which must be able to enter its folder.
    chmodSync(dataDir, 0o755);
    const server = await startEmbeddedPostgres({ dataDir, log: () => undefined });
    const stop = async () => {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    };
    stopOnSignals(stop);
    return new BenchPostgres(server.url, stop).#connect();
  }

  constructor(url, stop) {
    this.url = url;
    this.#stop = stop;
    this.#admin = new pg.Client({ connectionString: url });
  }

  async #connect() {
    await this.#admin.connect();
    return this;
  }

  /** The URL of the database of this name, which is created on the first call. */
  async database(name) {
    const known = this.#databases.get(name);
    if (known) return known.url;
    const stored = `bench_${process.pid}_${name.toLowerCase()}`;
    await this.#admin.query(`create database ${stored}`);
    const url = Object.assign(new URL(this.url), { pathname: `/${stored}` }).href;
    this.#databases.set(name, { stored, url });
    return url;
  }

  /** Lets the server finish pending writes, so that no system pays for another's. */
  async settle() {
    await this.#admin.query('checkpoint');
  }

  async #left(stored) {
    const end = performance.now() + LEAVING_MS;
    const sessions = async () =>
      (await this.#admin.query('select from pg_stat_activity where datname = $1', [stored])).rows.length;
    while ((await sessions()) > 0 && performance.now() < end) await pause(LOOK_MS);
  }

  async settings() {
    const names = ['server_version', 'fsync', 'synchronous_commit', 'shared_buffers'];
    const shown = names.map((name) => `current_setting('${name}') as ${name}`);
    return (await this.#admin.query(`select ${shown.join(', ')}`)).rows[0];
  }

  async close() {
    for (const { stored } of this.#databases.values()) {
      await this.#left(stored);
      await this.#admin.query(`drop database ${stored} with (force)`);
    }
    await this.#admin.end();
    await this.#stop();
  }
}

/** The connections of a closed pool stay open for a moment. Cut off, they would print errors. */
const LEAVING_MS = 2_000;
const LOOK_MS = 20;

/** The embedded Postgres would otherwise outlive this process. */
function stopOnSignals(stop) {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    let stopping = null;
    process.on(signal, () => {
      // Connections that break now are expected.
      if (!stopping) process.on('uncaughtException', () => undefined);
      stopping ??= stop().then(() => process.exit(130));
    });
  }
}
