import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { Cluster } from '../../src/infrastructure/embedded-postgres/cluster.js';
import { hasCode } from '../../src/infrastructure/embedded-postgres/errors.js';
import { give, userFor } from '../../src/infrastructure/embedded-postgres/system-user.js';
import { until } from '../support/until.js';
import { OwnPostgres } from './own-postgres.js';
import { freePort } from './ports.js';

const runs = promisify(execFile);

/** Debian's. The embedded Postgres has no programs for backups. */
const PROGRAMS = '/usr/lib/postgresql/15/bin';
const GUIDE = join(import.meta.dirname, '../../docs/how-to/restore-to-a-point-in-time.md');

/** What the guide tells people to type, below a heading. */
async function commandsBelow(heading: string): Promise<string> {
  const section = (await readFile(GUIDE, 'utf8')).split(`\n## ${heading}\n`)[1]!;
  return /^```sh\n([\s\S]*?)^```$/m.exec(section)![1]!;
}

/** A Postgres that archives its write-ahead log, is backed up while it works, and is restored elsewhere as it was at a moment. */
export class ArchivedPostgres extends OwnPostgres {
  private backups = 0;
  private restores = 0;

  private constructor(
    private readonly home: string,
    private readonly server: Cluster,
    url: string,
  ) {
    super(home, server, url);
  }

  static override async start(): Promise<ArchivedPostgres> {
    const home = await mkdtemp(join(tmpdir(), 'waybill-restores-'));
    const user = await userFor(home);
    await give(home, user);
    const password = randomBytes(24).toString('hex');
    const binaries = { initdb: join(PROGRAMS, 'initdb'), pgCtl: join(PROGRAMS, 'pg_ctl') };
    const port = await freePort();
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres?connect_timeout=60`;
    const postgres = new ArchivedPostgres(home, { folder: home, user, binaries, password }, url);
    await postgres.create(port);
    await postgres.type(await commandsBelow('Archive the write-ahead log'));
    return postgres;
  }

  async backUp(): Promise<void> {
    this.backups++;
    await this.type(await commandsBelow('Take base backups'));
  }

  /** Resolves when everything that was committed before is in the archive. */
  async archived(): Promise<void> {
    const [switched] = await this.query<{ segment: string }>('select pg_walfile_name(pg_switch_wal()) as segment');
    await until('the archive to have the last segment', async () => {
      const [last] = await this.query<{ segment: string | null }>(
        'select last_archived_wal as segment from pg_stat_archiver',
      );
      return last!.segment !== null && last!.segment >= switched!.segment ? true : null;
    });
  }

  /** All its processes die at once, and its data is gone. */
  async destroy(): Promise<void> {
    const [first] = (await readFile(join(this.data, 'postmaster.pid'), 'utf8')).split('\n');
    const others = await this.query<{ pid: number }>('select pid from pg_stat_activity');
    const pids = [Number(first), ...others.map(({ pid }) => pid)];
    for (const pid of pids) reached(pid, 'SIGKILL');
    await until('the server to be gone', async () => (pids.some((pid) => reached(pid, 0)) ? null : true));
    await rm(this.data, { recursive: true, maxRetries: 10 });
  }

  /** As it was at the moment, from the newest base backup, in a folder of its own. The server knows no names of zones when it reads its settings, not even `Z`. */
  async restore(asOf: Date): Promise<void> {
    this.restores++;
    await this.type(await commandsBelow('Restore'), { TARGET: asOf.toISOString().replace('Z', '+00') });
  }

  override async remove(): Promise<void> {
    await this.type('pg_ctl --pgdata="$PGDATA" --mode=immediate --wait --silent stop').catch(() => undefined);
    await rm(this.home, { recursive: true, force: true });
  }

  private get data(): string {
    return join(this.home, `data-${this.restores}`);
  }

  private async create(port: number): Promise<void> {
    const file = join(this.home, 'password');
    await writeFile(file, this.server.password, { mode: 0o600 });
    await give(file, this.server.user);
    await this.type('initdb --username=postgres --pwfile="$PASSWORD" --auth=scram-sha-256 --encoding=UTF8 --locale=C', {
      PASSWORD: file,
    });
    const settings = ["listen_addresses = '127.0.0.1'", `port = ${port}`, "unix_socket_directories = ''", ''];
    await appendFile(join(this.data, 'postgresql.conf'), settings.join('\n'));
    await this.type('pg_ctl --pgdata="$PGDATA" --log="$PGDATA.log" --wait --silent start');
  }

  /** Runs commands of a shell as the user of the server. */
  private async type(commands: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
    const env = {
      PATH: [PROGRAMS, process.env.PATH].join(delimiter),
      LC_ALL: 'C',
      SERVER_URL: this.url,
      PGDATA: this.data,
      ARCHIVE: join(this.home, 'archive'),
      BACKUP: join(this.home, `backup-${this.backups}`),
      ...more,
    };
    await runs('sh', ['-euc', commands], { ...this.server.user, cwd: '/', env });
  }
}

/** Whether the process was there to get the signal. */
function reached(pid: number, signal: 'SIGKILL' | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (hasCode(error, 'ESRCH')) return false;
    throw error;
  }
}
