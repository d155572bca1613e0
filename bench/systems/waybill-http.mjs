import { createWaybill } from '@waybill/client';
import { WaybillClient } from './waybill-client.mjs';
import { startService } from './waybill-service.mjs';

/** Waybill as most applications meet it: the service in another process, reached over HTTP. */
export async function open({ url }) {
  const service = await startService(url);
  return Object.assign(new WaybillClient(createWaybill({ url: service.url, actor: 'bench' })), { stop: service.stop });
}
