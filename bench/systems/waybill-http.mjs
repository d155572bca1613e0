import { createWaybill } from '@waybill/client';
import { LogFollowers } from '../database/log-followers.mjs';
import { WaybillClient } from './waybill-client.mjs';
import { startService } from './waybill-service.mjs';

/** Waybill as most applications use it: the service in another process, over HTTP. */
export async function open({ url }) {
  const service = await startService(url);
  const followers = await LogFollowers.open(url);
  const client = new WaybillClient(createWaybill({ url: service.url, actor: 'bench' }), followers);
  const stop = () => Promise.all([followers.close(), service.stop()]);
  return Object.assign(client, { pids: [service.pid], stop });
}
