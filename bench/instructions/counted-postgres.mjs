import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { openCluster } from '../../dist/infrastructure/embedded-postgres/cluster.js';
import { COUNT, instructionsIn } from './cachegrind.mjs';

/** Vacuums and checkpoints come by time, and are of no life in particular. */
const SETTINGS = [
  'autovacuum=off',
  'checkpoint_timeout=1h',
  'max_wal_size=8GB',
  'shared_buffers=256MB',
  'wal_compression=on',
];
const START_MS = 120_000;

/** A new Postgres of the installed package, each process of which counts its instructions if `isCounted`. */
export class CountedPostgres {
  #server;
  #folder;
  #counts;

  static async start({ isCounted }) {
    const folder = mkdtempSync(join(tmpdir(), 'waybill-instructions-'));
    // As root, Postgres runs as another user, which must be able to enter its folder.
    chmodSync(folder, 0o755);
    const cluster = await openCluster(folder, () => undefined);
    const postgres = new CountedPostgres(folder);
    await postgres.#start(cluster, isCounted);
    return postgres;
  }

  constructor(folder) {
    this.#folder = folder;
    this.#counts = join(folder, 'counts');
  }

  async #start({ folder, user, binaries, password }, isCounted) {
    mkdirSync(this.#counts);
    if (user.uid !== undefined) chownSync(this.#counts, user.uid, user.gid);
    const port = await freePort();
    const program = join(dirname(binaries.pgCtl), 'postgres');
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`, ...SETTINGS];
    const command = [program, '-D', join(folder, 'data'), ...settings.flatMap((setting) => ['-c', setting])];
    const [first, ...rest] = isCounted ? [...COUNT(join(this.#counts, '%p')), ...command] : command;
    this.#server = spawn(first, rest, { ...user, cwd: '/', stdio: 'ignore' });
    this.url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres?connect_timeout=120`;
    await this.#answers();
  }

  async #answers() {
    for (const end = performance.now() + START_MS; ; await pause(200)) {
      const client = new pg.Client({ connectionString: this.url });
      try {
        await client.connect();
        return await client.end();
      } catch (error) {
        if (performance.now() > end || this.#server.exitCode !== null) throw error;
      }
    }
  }

  /** Stops it, and returns the instructions of all processes that served clients, whose ids are given. */
  async stop(backends) {
    this.#server.kill('SIGINT');
    await once(this.#server, 'exit');
    const counts = backends.map((pid) => instructionsIn(join(this.#counts, String(pid))));
    rmSync(this.#folder, { recursive: true, force: true });
    return counts.reduce((sum, count) => sum + count, 0);
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
