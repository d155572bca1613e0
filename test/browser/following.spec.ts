import { createWaybill } from '@waybill/client';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { reportServer } from '../../examples/report-page/server.js';
import { PERMISSIONS } from '../../src/api/access/api-keys.js';
import { type RunningService, startService } from '../support/running-service.js';

const PAGE = join(import.meta.dirname, '../../examples/report-page/page.js');
const KEY = 'wb_shop';
const apiKeys = [{ name: 'shop', sha256: createHash('sha256').update(KEY).digest('hex'), may: [...PERMISSIONS] }];

let service: RunningService;
let server: Server;
let browser: Browser;
let port: number;
beforeAll(async () => {
  port = await freePort();
  const followOrigins = [`http://127.0.0.1:${port}`];
  service = await startService({ apiKeys, followSecrets: ['s'.repeat(44)], followOrigins });
  browser = await chromium.connect(process.env.CHROMIUM_URL!);
});
afterAll(async () => {
  await browser.close();
  server.close();
  await service.stop();
});

async function freePort(): Promise<number> {
  const taken = createServer();
  await once(taken.listen(0, '127.0.0.1'), 'listening');
  const { port: free } = taken.address() as AddressInfo;
  taken.close();
  return free;
}

it('H-60 A page of another origin follows its own task with the hook, up to its result', async () => {
  const waybill = createWaybill({ url: service.url, apiKey: KEY, timeoutMs: 20_000 });
  const reports = waybill.queue('reports');
  await reports.define();
  server = await reportServer({ waybill, url: service.url, page: PAGE });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.getByRole('button', { name: 'Order a report' }).click();
  await page.getByText('Your report waits for its turn.').waitFor();
  const [task] = await reports.claim({ worker: 'w1', waitMs: 30_000 });
  await page.getByText('Your report is being made.').waitFor();
  const verdict = { type: 'succeed', result: { pages: 12 } } as const;
  await waybill.settle([{ taskId: task!.taskId, token: task!.token, verdict }]);
  await page.getByText('It has 12 pages.').waitFor();
  expect(await page.getByRole('listitem').allTextContents()).toEqual(['TaskEnqueued', 'TaskClaimed', 'TaskSucceeded']);
  expect(complaints).toEqual([]);
  await page.close();
});
