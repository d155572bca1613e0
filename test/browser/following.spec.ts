import { createWaybill } from '@waybill/client';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { reportServer } from '../../examples/report-page/server.js';
import { PERMISSIONS } from '../../src/api/access/api-keys.js';
import { followTask } from '@waybill/client/follow';
import { type RunningService, startService } from '../support/running-service.js';
import { startBrowser } from './chromium.js';

const PAGE = join(import.meta.dirname, '../../examples/report-page/page.js');
const KEY = 'wb_shop';
const apiKeys = [{ name: 'shop', sha256: createHash('sha256').update(KEY).digest('hex'), may: [...PERMISSIONS] }];

let service: RunningService;
let server: Server | undefined;
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
  server?.close();
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

it('makes a token on the page of a task, with which its end is followed, and says how elsewhere', async () => {
  const waybill = createWaybill({ url: service.url, apiKey: KEY, timeoutMs: 20_000 });
  const queue = waybill.queue('followed');
  await queue.define();
  const { id } = await queue.enqueue({ secret: 'payload' });
  const dashboard = await startBrowser(service.url);
  const page = await dashboard.open(`tasks/${id}`, { width: 1_440 });
  await page.getByLabel('API key', { exact: true }).fill(KEY);
  await page.getByRole('button', { name: 'Use it in this tab' }).click();
  const card = page.getByRole('region', { name: 'Follow it from a browser' });
  await card.getByLabel('Valid for').selectOption('10 min');
  await card.getByText('The same elsewhere').click();
  await card.getByText(`npx waybill task follow-token --expires-in 600 ${id}`).waitFor();
  await card.getByRole('button', { name: 'TypeScript' }).click();
  await card.getByText(`await waybill.task('${id}').followToken({ expiresInMs: 600000 });`).waitFor();
  await card.getByRole('button', { name: 'Make a token' }).click();
  const token = await card.getByLabel('The token', { exact: true }).innerText();
  expect(Number(token.split('.')[2]) * 1_000 - Date.now()).toBeLessThanOrEqual(600_000);
  const [task] = await queue.claim({ worker: 'w1', waitMs: 30_000 });
  await waybill.settle([{ taskId: id, token: task!.token, verdict: { type: 'succeed', result: { pages: 3 } } }]);
  const seen: unknown[] = [];
  for await (const { state, result } of followTask(service.url, token)) seen.push([state, result]);
  expect(seen.at(-1)).toEqual(['succeeded', { pages: 3 }]);
  await page.close();
  expect(dashboard.complaints().filter((text) => !text.includes('401'))).toEqual([]);
  await dashboard.close();
});

it('D-18 A service without a secret for tokens says on the page of the task what to configure', async () => {
  const other = await startService();
  await other.waybill.queue('mail').define();
  const { id } = await other.waybill.queue('mail').enqueue(1);
  const dashboard = await startBrowser(other.url);
  const page = await dashboard.open(`tasks/${id}`, { width: 390 });
  await page.getByRole('button', { name: 'Make a token' }).click();
  await page.getByRole('alert').filter({ hasText: 'WAYBILL_FOLLOW_SECRET_FILE' }).waitFor();
  expect(await page.getByLabel('The token', { exact: true }).count()).toBe(0);
  await dashboard.close();
  await other.stop();
});
