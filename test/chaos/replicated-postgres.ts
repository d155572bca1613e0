import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Cluster, openCluster } from '../../src/infrastructure/embedded-postgres/cluster.js';
import { until } from '../support/until.js';
import { OwnPostgres } from './own-postgres.js';
import { freePort } from './ports.js';

const run = promisify(execFile);
const log = (): void => undefined;

/** One of two servers, in a folder of its own. */
interface Member {
  readonly data: string;
  readonly port: number;
}

/** What a standby must still find after it was copied. */
const KEPT = 'wal_keep_size=1GB';

/**
 * A primary and its synchronous standby, behind an address that leads to whichever takes writes, as a load balancer or a floating
 * IP does. A commit is answered once the standby has it.
 */
export class ReplicatedPostgres extends OwnPostgres {
  private constructor(
    private readonly home: string,
    private readonly servers: Cluster,
    url: string,
    private readonly address: Server,
    private readonly target: { port: number },
    private primary: Member,
    private standby: Member,
  ) {
    super(home, servers, url);
  }

  static override async start(): Promise<ReplicatedPostgres> {
    const home = await mkdtemp(join(tmpdir(), 'waybill-failover-'));
    await chmod(home, 0o755);
    const servers = await openCluster(home, log);
    const first = { data: join(servers.folder, 'data'), port: await freePort() };
    const second = { data: join(servers.folder, 'standby'), port: await freePort() };
    const target = { port: first.port };
    const address = await listening(target);
    const { port } = address.address() as AddressInfo;
    const url = `postgres://postgres:${servers.password}@127.0.0.1:${port}/postgres?connect_timeout=60`;
    const pair = new ReplicatedPostgres(home, servers, url, address, target, first, second);
    await pair.begin(first);
    await pair.renewStandby();
    return pair;
  }

  /** The primary dies without a word, and the standby takes writes. */
  async failOver(): Promise<void> {
    const [dead, next] = [this.primary, this.standby];
    await this.control(dead, 'stop', ['-m', 'immediate']);
    await this.ask(next, 'select pg_promote()');
    // Nobody could take its commits. The operator, or what promotes standbys, says so until there is a new one.
    await this.ask(next, `alter system set synchronous_standby_names = ''`);
    await this.ask(next, 'select pg_reload_conf()');
    [this.primary, this.standby, this.target.port] = [next, dead, next.port];
  }

  /** Copies the primary while it works, and waits until commits wait for the copy. */
  async renewStandby(): Promise<void> {
    await this.copy(this.primary, this.standby);
    const conninfo = `host=127.0.0.1 port=${this.primary.port} user=postgres password=${this.servers.password} application_name=standby`;
    await this.begin(this.standby, ['-c', `primary_conninfo=${conninfo}`]);
    await this.ask(this.primary, `alter system set synchronous_standby_names = 'standby'`);
    await this.ask(this.primary, 'select pg_reload_conf()');
    await until('the standby to be synchronous', async () => {
      const [{ sync_state: state } = {}] = await this.ask<{ sync_state: string }>(
        this.primary,
        'select sync_state from pg_stat_replication',
      );
      return state === 'sync' ? true : null;
    });
  }

  override async remove(): Promise<void> {
    for (const member of [this.primary, this.standby])
      await this.control(member, 'stop', ['-m', 'immediate']).catch(log);
    this.address.close();
    await rm(this.home, { recursive: true, force: true });
  }

  /** As a base backup does: files that change meanwhile are mended from the write-ahead log, from where the backup began. */
  private async copy(from: Member, to: Member): Promise<void> {
    const client = new pg.Client({ connectionString: this.urlOf(from) });
    await client.connect();
    try {
      await client.query(`select pg_backup_start('standby', true)`);
      await rm(to.data, { recursive: true, force: true });
      // Files may vanish while they are copied.
      await run('cp', ['-a', from.data, to.data]).catch(log);
      const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
      await this.makeStandby(to, rows[0]!.labelfile);
    } finally {
      await client.end();
    }
  }

  private async makeStandby(to: Member, label: string): Promise<void> {
    const wal = join(to.data, 'pg_wal');
    const segments = (await readdir(wal)).filter((name) => /^[0-9A-F]{24}$/.test(name));
    for (const name of [...segments.map((each) => join('pg_wal', each)), 'postmaster.pid', 'postmaster.opts'])
      await rm(join(to.data, name), { force: true });
    await writeFile(join(to.data, 'backup_label'), label);
    await writeFile(join(to.data, 'standby.signal'), '');
    const { uid, gid } = this.servers.user;
    if (uid !== undefined) await run('chown', ['-R', `${uid}:${gid}`, to.data]);
  }

  private begin(member: Member, more: readonly string[] = []): Promise<void> {
    const settings = [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      `port=${member.port}`,
      KEPT,
      'hot_standby=on',
    ];
    const flags = [...settings.flatMap((each) => ['-c', each]), ...more];
    return this.control(member, 'start', ['-o', flags.map((each) => `'${each}'`).join(' ')]);
  }

  private async control(member: Member, action: 'start' | 'stop', args: readonly string[]): Promise<void> {
    const { binaries, folder, user } = this.servers;
    const all = [action, '-D', member.data, '-l', join(folder, `${member.port}.log`), '-w', '-s', ...args];
    await run(binaries.pgCtl, all, { ...user, cwd: '/', env: { PATH: process.env.PATH, LC_ALL: 'C' } });
  }

  private ask<R extends pg.QueryResultRow>(member: Member, text: string): Promise<R[]> {
    return this.query<R>(text, [], this.urlOf(member));
  }

  private urlOf({ port }: Member): string {
    return `postgres://postgres:${this.servers.password}@127.0.0.1:${port}/postgres`;
  }
}

/** Connections end with the server that they lead to. */
async function listening(target: { readonly port: number }): Promise<Server> {
  const address = createServer((client) => {
    const server = connect(target.port, '127.0.0.1');
    for (const [end, other] of [
      [client, server],
      [server, client],
    ] as const)
      end
        .on('error', log)
        .on('close', () => other.destroy())
        .pipe(other);
  });
  address.listen(0, '127.0.0.1');
  await once(address, 'listening');
  return address;
}
