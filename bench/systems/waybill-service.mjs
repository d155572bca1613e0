import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const HERE = join(import.meta.dirname, '../..');

/** Starts Waybill's service, that of another compiled checkout if given, in a process of its own on a loopback port. `more`: of its environment. */
export async function startService(databaseUrl, checkout = HERE, more = {}) {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DATABASE_URL: databaseUrl,
    PORT: '0',
    WAYBILL_LOG_FORMAT: 'text',
    ...more,
  };
  const service = spawn(process.execPath, [join(checkout, 'dist/main.js')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(service, 'exit');
  process.once('exit', () => service.kill());
  const url = await Promise.race([address(service), ended.then(() => failed())]);
  const stop = async () => {
    service.kill();
    await ended;
  };
  return { url, pid: service.pid, stop };
}

const address = (service) =>
  new Promise((resolve) => {
    let log = '';
    service.stdout.on('data', (lines) => {
      log += String(lines);
      const [, url] = /Listening on (http:\/\/[\d.:]+)/.exec(log) ?? [];
      if (url) resolve(url);
    });
  });

function failed() {
  throw new Error('Expected the service to listen, but it ended');
}
