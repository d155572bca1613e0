import { join } from 'node:path';
import { createWaybill } from '@waybill/client';
import { OwnPostgres } from '../../chaos/own-postgres.js';
import { ServiceProcess } from '../../chaos/service-process.js';
import { clockFolder, removeClocks, SteppedClock } from '../../chaos/stepped-clock.js';
import { until } from '../../support/until.js';
import { SCENES } from './scenes.js';
import type { Stage } from './stage.js';

// Start it with `npm run scene -- NAME [port]`. Tells a scene to a service of its own, whose clock runs through the minutes of the scene in
// seconds, and serves its dashboard until it is stopped. Everything is lost then.
const [, , name = 'incident', port = '3000'] = process.argv;
const scene = SCENES[name];
if (!scene)
  throw new Error(`Expected a scene, one of ${Object.keys(SCENES).join(', ')}, but '${name}' is none of them`);

/** From the root, where `npm run` starts this. */
const SERVICE = join(process.cwd(), 'test/dist/processes/src.main.js');

/** How long a process goes on with the time that it read last. */
const READ_EVERY_MS = 1_000;

/** How near a clock is that has been read: on a busy machine, the answer takes its time. Less than any scene lets pass. */
const NEAR_MS = 60_000;

const folder = await clockFolder();
const clock = await SteppedClock.in(folder, 'postgres');
const postgres = await OwnPostgres.start();
// Processes that live on must read their clock again.
const { FAKETIME_NO_CACHE: _, ...stepped } = clock.env;
const env = { ...stepped, FAKETIME_CACHE_DURATION: String(READ_EVERY_MS / 1_000) };
let left = scene.minutes;
await clock.set(-left * 60);
await postgres.pgCtl('restart', ['-m', 'fast'], env);
const { url: databaseUrl } = await postgres.createDatabase();
const service = new ServiceProcess({ databaseUrl, port: Number(port), module: SERVICE, env });
await service.ready();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
const stage: Stage = {
  as: (actor) => createWaybill({ url: service.url, actor }),
  pass: async (minutes) => {
    await clock.set(-(left -= minutes) * 60);
    const read = performance.now() + 2 * READ_EVERY_MS;
    await until('every process to have read its clock', async () =>
      performance.now() > read && (await isBehind(left)) ? true : null,
    );
  },
};
const told = await scene.tell(stage);
await clock.set(0);
console.log(JSON.stringify({ scene: name, dashboard: `${service.url}/dashboard/`, ...told }));

/**
 * Whether the service is so many minutes behind this machine, as the preview of a drain says. It reads the clock of the database every few
 * seconds. What it decided before that would have begun minutes before it was recorded.
 */
async function isBehind(minutes: number): Promise<boolean> {
  const { changes } = await stage.as('clock').preview((as) => as.system.drain());
  const { at } = changes[0]!.events[0]!.data as { readonly at: string };
  return Math.abs(Date.now() - minutes * 60_000 - Date.parse(at)) < NEAR_MS;
}

async function stop(): Promise<void> {
  await service.kill();
  await postgres.remove();
  await removeClocks(folder);
  process.exit();
}
