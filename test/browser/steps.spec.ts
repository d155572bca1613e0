import { type RunningService, startService } from '../support/running-service.js';
import { type DashboardBrowser, inaccessible, overhang, picture, startBrowser } from './chromium.js';

let service: RunningService;
let browser: DashboardBrowser;
beforeAll(async () => {
  service = await startService();
  browser = await startBrowser(service.url);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

const STEPS = ['Estimating', 'Downloading', 'Processing', 'Recording', 'Notify'];

/** A task that failed while it was processed. */
async function failedTask(): Promise<string> {
  const queue = service.waybill.queue('deposits');
  await queue.define({ steps: STEPS });
  await queue.enqueue({ manifest: 'https://example.org/manifest.checkm' }, { reference: 'ark-4711' });
  const [task] = await queue.claim({ worker: 'repository-1' });
  const { taskId, token } = task!;
  const lease = { taskId, token };
  const data = { spaceNeeded: 4_711 };
  await service.waybill.settle([
    { ...lease, verdict: { type: 'completeStep', step: 'Estimating', then: 'continue', data } },
    { ...lease, verdict: { type: 'completeStep', step: 'Downloading', then: 'continue', data: { whole: ['a.tif'] } } },
    { ...lease, verdict: { type: 'fail', error: { message: "Expected the digest of 'a.tif', but got another" } } },
  ]);
  return taskId;
}

describe('the steps of a task', () => {
  it('show what is done and where it begins again, with its data, and lead to the tasks of a step', async () => {
    const id = await failedTask();
    const page = await browser.open(`tasks/${id}`);
    const track = page.getByRole('region', { name: 'Steps' });
    await track.getByRole('listitem').first().waitFor();
    expect(await track.getByRole('listitem').allInnerTexts()).toEqual([
      'Estimating\ndone',
      'Downloading\ndone',
      'Processing\nfailed; a retry begins here',
      'Recording\nnot begun',
      'Notify\nnot begun',
    ]);
    expect(await track.locator('[aria-current=step]').innerText()).toContain('Processing');
    await page.getByRole('heading', { name: 'Data that attempts recorded' }).waitFor();
    await page.getByRole('region', { name: 'Data that attempts recorded' }).getByText('spaceNeeded').waitFor();
    await picture(page, 'steps of a failed task');
    expect(await inaccessible(page)).toEqual([]);
    await service.waybill.queue('deposits').enqueue({});
    await track.getByRole('link', { name: 'Processing' }).click();
    await page.getByRole('link', { name: id.slice(-8) }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    expect(await page.getByLabel('Search tasks').inputValue()).toBe('queue:deposits step:"Processing"');
  });

  it('fit into a narrow window in the dark', async () => {
    const id = await failedTask();
    const page = await browser.open(`tasks/${id}`, { width: 320, colorScheme: 'dark' });
    await page.getByRole('region', { name: 'Steps' }).waitFor();
    await picture(page, 'steps, dark, narrow');
    expect(await inaccessible(page)).toEqual([]);
    expect(await overhang(page)).toBe(0);
  });
});
