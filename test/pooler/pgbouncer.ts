import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../support/until.js';

export interface PgBouncer {
  /** The URL of the database, through the pooler. */
  readonly url: string;
  close(): Promise<void>;
}

/** Debian installs it where only the path of root leads. */
const PROGRAM = process.env.PGBOUNCER_PATH ?? '/usr/sbin/pgbouncer';

/** It refuses to run as root, and changes to this user, which Debian's packages of Postgres make. */
const asUser = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];

/** PgBouncer before the database, with these settings besides its defaults. */
export async function pgbouncerTo(databaseUrl: string, settings: Record<string, string>): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), `waybill-pooler-${randomBytes(4).toString('hex')}-`));
  await chmod(folder, 0o755);
  const port = await freePort();
  const config = join(folder, 'pgbouncer.ini');
  await writeFile(config, textOf(databaseUrl, { listen_addr: '127.0.0.1', listen_port: String(port), ...settings }));
  const pooler = spawn(PROGRAM, [...asUser, '-q', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  const said: Buffer[] = [];
  pooler.stderr.on('data', (data: Buffer) => said.push(data));
  pooler.on('error', (error) => said.push(Buffer.from(`${error.message}: on Debian, apt-get install pgbouncer`)));
  await until('PgBouncer to listen', async () => {
    if (pooler.exitCode !== null || pooler.pid === undefined)
      throw new Error(`Expected PgBouncer to start, but it did not: ${Buffer.concat(said).toString()}`);
    return answers(port);
  });
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${port}`;
  return { url: url.href, close: () => end(pooler, folder) };
}

async function end(pooler: ChildProcess, folder: string): Promise<void> {
  const ended = once(pooler, 'exit');
  // It keeps nothing, and which signal ends it at once depends on its version.
  pooler.kill('SIGKILL');
  await ended;
  await rm(folder, { recursive: true, force: true });
}

function textOf(databaseUrl: string, settings: Record<string, string>): string {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const server = `host=${hostname} port=${port || 5432} user=${username} password='${password}'`;
  const all = { auth_type: 'any', pool_mode: 'session', unix_socket_dir: '', ...settings };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  return `[databases]\n${pathname.slice(1)} = ${server}\n[pgbouncer]\n${lines.join('\n')}\n`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

const answers = (port: number): Promise<true | null> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(null));
  });
