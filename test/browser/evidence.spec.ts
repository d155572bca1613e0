import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { verifyProof } from '../../src/maintenance/verify-proof.js';
import { verifiedEvidence } from '../../packages/cli/src/commands/verify-evidence.js';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';
import { type DashboardBrowser, startBrowser } from './chromium.js';

/** Would do something, if a page took it for markup. */
const ATTACK = `</script><img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;

let service: RunningService;
let browser: DashboardBrowser;
let folder: string;
let task: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-evidence-'));
  service = await startService({ notaryDir: join(folder, 'keys') });
  browser = await startBrowser(service.url);
  const { waybill } = service;
  await until('a notary', async () => (await waybill.log.get()).key);
  await waybill.queue('mail').define();
  ({ id: task } = await waybill.queue('mail').enqueue(ATTACK, { description: ATTACK }));
  await waybill.task(task).hold({ reason: ATTACK });
});
afterAll(async () => {
  await browser.close();
  await service.stop();
  await rm(folder, { recursive: true });
});

it('saves a page of evidence that verifies, and that a browser shows as it is, without a network', async () => {
  const page = await browser.open(`tasks/${task}`, { width: 1_440 });
  await page.getByLabel(/Also what it was about/).check();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`task-${task}.html`);
  const file = join(folder, 'evidence.html');
  await download.saveAs(file);
  const key = (await readFile(join(folder, 'keys/key.pub'), 'utf8')).trim();
  const { tasks } = await verifiedEvidence(await readFile(file, 'utf8'), (proof) => verifyProof(proof, key));
  expect(tasks.map(({ events }) => events.map(({ type }) => type))).toEqual([['TaskEnqueued', 'TaskHeld']]);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const address = pathToFileURL(file).href;
  await page.goto(address);
  expect(asked).toEqual([address]);
  expect(await page.title()).toBe(`Evidence of Task ${task}`);
  expect(await page.locator('img').count()).toBe(0);
  expect(await page.getByText(ATTACK, { exact: false }).count()).toBeGreaterThan(0);
  await page.close();
});

it('says why there is no page', async () => {
  const other = await startService();
  try {
    await other.waybill.queue('mail').define();
    const { id } = await other.waybill.queue('mail').enqueue(1);
    const unsealed = await startBrowser(other.url);
    const page = await unsealed.open(`tasks/${id}`, { width: 390 });
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByRole('alert').filter({ hasText: 'nobody seals the log' }).waitFor();
    await unsealed.close();
  } finally {
    await other.stop();
  }
});
