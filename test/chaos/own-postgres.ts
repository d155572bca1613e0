import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import {
  type Cluster,
  openCluster,
  runningPort,
  shutDown,
} from '../../src/infrastructure/embedded-postgres/cluster.js';
import { startEmbeddedPostgres } from '../../src/infrastructure/embedded-postgres/embedded-postgres.js';
import type { TestDatabase } from '../support/test-database.js';

const log = (): void => undefined;

/** A Postgres of the test's own, as durable as in production, for faults that hit the whole server. */
export class OwnPostgres {
  protected constructor(
    /** Removed with the server. */
    private readonly folder: string,
    private readonly cluster: Cluster,
    /** Leads to the port. A server that starts again has the same one. */
    readonly url: string,
  ) {}

  /** Creates one in the given folder, which stays, or in one of its own. */
  static async start(given?: string): Promise<OwnPostgres> {
    const dataDir = given ?? (await mkdtemp(join(tmpdir(), 'waybill-chaos-')));
    // As root, Postgres runs as another user, which must be able to enter the folder.
    await chmod(dataDir, 0o755);
    const { url } = await startEmbeddedPostgres({ dataDir, log });
    const overTcp = new URL(url);
    overTcp.searchParams.delete('host');
    overTcp.searchParams.set('connect_timeout', '60');
    return new OwnPostgres(
      given === undefined ? dataDir : join(dataDir, 'postgres'),
      await openCluster(dataDir, log),
      overTcp.href,
    );
  }

  /** A database for one run, which stays until the server is removed. */
  async createDatabase(): Promise<TestDatabase> {
    const name = `run_${randomBytes(6).toString('hex')}`;
    await this.query(`create database ${name}`);
    const url = new URL(this.url);
    url.pathname = `/${name}`;
    return { url: url.href, drop: () => Promise.resolve() };
  }

  /** Runs a statement on a connection of its own. */
  async query<R extends pg.QueryResultRow>(text: string, values: unknown[] = [], url = this.url): Promise<R[]> {
    const client = new pg.Client({ connectionString: url });
    // The server may go away while this is connected.
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<R>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** A start uses the port and the settings of the last one. `env`: more variables for the server. */
  async pgCtl(action: 'start' | 'stop' | 'restart', args: readonly string[] = [], env = {}): Promise<void> {
    const { binaries, folder, user } = this.cluster;
    const data = join(folder, 'data');
    const flags = action === 'start' ? ['-o', await this.lastFlags()] : [];
    const all = [action, '-D', data, '-l', join(folder, 'server.log'), '-w', '-s', ...args, ...flags];
    const options = { ...user, cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C', ...env } };
    await promisify(execFile)(binaries.pgCtl, all, options);
  }

  /** From now on it is a standby without a primary: in recovery, and read-only. */
  async becomeStandby(): Promise<void> {
    await writeFile(join(this.cluster.folder, 'data/standby.signal'), '');
    await this.pgCtl('restart', ['-m', 'fast']);
  }

  async promote(): Promise<void> {
    await this.query('select pg_promote()');
  }

  /** Without a checkpoint: whatever is not in the write-ahead log is lost. */
  crash(): Promise<void> {
    return this.pgCtl('restart', ['-m', 'immediate']);
  }

  /** Starts the server if it is not running. */
  async ensureRunning(): Promise<void> {
    if ((await runningPort(this.cluster)) === undefined) await this.pgCtl('start');
  }

  async remove(): Promise<void> {
    await shutDown(this.cluster).catch(log);
    await rm(this.folder, { recursive: true, force: true });
  }

  private async lastFlags(): Promise<string> {
    const options = await readFile(join(this.cluster.folder, 'data/postmaster.opts'), 'utf8');
    return options.trim().split(' ').slice(1).join(' ');
  }
}
