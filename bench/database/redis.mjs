import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** `durable` is as durable as Postgres: what was answered is on disk. */
const PERSISTENCE = {
  durable: ['--appendonly', 'yes', '--appendfsync', 'always'],
  memory: ['--appendonly', 'no'],
};

/** The version of the `redis-server` on the PATH; null if there is none. */
export function redisVersion() {
  const { status, stdout } = spawnSync('redis-server', ['--version'], { encoding: 'utf8' });
  return status === 0 ? (/v=([\d.]+)/.exec(stdout)?.[1] ?? 'unknown') : null;
}

/** Starts a Redis on a loopback port, in a temporary folder. */
export async function startRedis(persistence) {
  const dir = mkdtempSync(join(tmpdir(), 'waybill-bench-redis-'));
  const port = await freePort();
  const place = ['--port', port, '--bind', '127.0.0.1', '--dir', dir, '--save', ''];
  const server = spawn('redis-server', [...place, ...PERSISTENCE[persistence]], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit');
  process.once('exit', () => {
    server.kill();
    rmSync(dir, { recursive: true, force: true });
  });
  await Promise.race([
    ready(server),
    ended.then(() => Promise.reject(new Error('Expected Redis to start, but it ended'))),
  ]);
  const stop = async () => {
    server.kill();
    await ended;
  };
  return { port, pid: server.pid, stop };
}

const ready = (server) =>
  new Promise((resolve) => {
    server.stdout.on('data', (lines) => {
      if (String(lines).includes('Ready to accept connections')) resolve();
    });
  });

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return String(port);
}
