import { createWaybill } from '@waybill/client';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { reportServer } from './server.js';

const HELP = `WAYBILL_URL=http://127.0.0.1:3000 npm run example:report-page

Serves a page at http://127.0.0.1:3200 that orders reports and follows them. The service needs WAYBILL_FOLLOW_SECRET_FILE, and
WAYBILL_FOLLOW_ORIGINS=http://127.0.0.1:3200.`;

/** Serves until it is interrupted. Returns the exit code. */
export async function main(args: readonly string[], env: NodeJS.ProcessEnv, checkout: string): Promise<number> {
  const { WAYBILL_URL: url, WAYBILL_API_KEY: apiKey } = env;
  if (!url || args.length > 0) {
    process.stdout.write(`${HELP}\n`);
    return args.includes('--help') ? 0 : 2;
  }
  const waybill = createWaybill({ url, actor: 'shop', ...(apiKey && { apiKey }) });
  await waybill.queue('reports').define();
  const worker = waybill.worker().handle('reports', async (_, { signal }) => {
    await rest(3_000, undefined, { signal });
    return { pages: 12 };
  });
  await worker.start();
  const server = await reportServer({ waybill, url, page: join(checkout, 'examples/report-page/page.js') });
  await once(server.listen(3200, '127.0.0.1'), 'listening');
  process.stdout.write(`  Reports at http://127.0.0.1:3200, made by ${url}\n`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  server.close();
  await worker.stop();
  return 0;
}
