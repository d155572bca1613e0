import { join } from 'node:path';
import { createWaybill } from '@waybill/client';
import { OwnPostgres } from '../../chaos/own-postgres.js';
import { ServiceProcess } from '../../chaos/service-process.js';
import { clockFolder, removeClocks, SteppedClock } from '../../chaos/stepped-clock.js';
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

const folder = await clockFolder();
const clock = await SteppedClock.in(folder, 'postgres');
const postgres = await OwnPostgres.start();
let left = scene.minutes;
await clock.set(-left * 60);
await postgres.pgCtl('restart', ['-m', 'fast'], clock.env);
const { url: databaseUrl } = await postgres.createDatabase();
const service = new ServiceProcess({ databaseUrl, port: Number(port), module: SERVICE, env: clock.env });
await service.ready();
const stage: Stage = {
  as: (actor) => createWaybill({ url: service.url, actor }),
  pass: async (minutes) => clock.set(-(left -= minutes) * 60),
};
const told = await scene.tell(stage);
await clock.set(0);
console.log(JSON.stringify({ scene: name, dashboard: `${service.url}/dashboard/`, ...told }));

async function stop(): Promise<void> {
  await service.kill();
  await postgres.remove();
  await removeClocks(folder);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
