import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';
import { type DashboardBrowser, inaccessible, startBrowser } from './chromium.js';

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

describe('the page of a queue', () => {
  it('asks how much a deletion takes, stops the running tasks, and deletes the queue', async () => {
    const queue = service.waybill.queue('leaving');
    await queue.define();
    await queue.enqueue();
    await queue.enqueue();
    const [claimed] = await queue.claim({ worker: 'w1' });
    const page = await browser.open('queues/leaving');
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Stop and delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 tasks, of which 1 runs.').waitFor();
    expect(await inaccessible(page)).toEqual([]);
    expect(await queue.get()).toMatchObject({ state: 'active' });
    await dialog.getByLabel('Reason').fill('the supplier is gone');
    await dialog.getByRole('button', { name: 'Stop and delete' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('heading', { name: /deleteQueue/ }).waitFor();
    expect(browser.complaints()).toEqual([]);
    await page.close();
    const { taskId, token } = claimed!;
    await until('the worker to be asked to stop', async () => {
      const [beat] = await service.waybill.extend([{ taskId, token }]);
      return beat && 'cancelRequested' in beat && beat.cancelRequested ? beat : null;
    });
    await service.waybill.settle([{ taskId, token, verdict: { type: 'confirmCancel' } }]);
    await until('the queue to be gone', () =>
      queue.get().then(
        () => null,
        ({ code }: { code?: string }) => (code === 'QUEUE_NOT_FOUND' ? code : null),
      ),
    );
    const events = await service.waybill.task(taskId).history();
    expect(events.at(-1)).toMatchObject({ type: 'TaskDeleted', envelope: { reason: 'the supplier is gone' } });
  });

  it('shows what its retention takes out of the lists, and what it has taken', async () => {
    const queue = service.waybill.queue('keeping');
    await queue.define({ retention: { succeeded: 1 } });
    const { id } = await queue.enqueue();
    const [claimed] = await queue.claim({ worker: 'w1' });
    await service.waybill.settle([{ taskId: id, token: claimed!.token, verdict: { type: 'succeed' } }]);
    const before = await browser.open('queues/keeping');
    const retention = before.getByRole('region', { name: 'Retention' });
    await retention.getByRole('row', { name: 'succeeded 1 0' }).waitFor();
    const { policyVersion } = await queue.get();
    await queue.changePolicy({ retention: { succeeded: 0 } }, { ifVersion: policyVersion });
    await until('the task to be archived', async () => (await service.waybill.task(id).get()).archivedAt);
    const after = await browser.open('queues/keeping');
    await after.getByText('1 task is in the archive. The queue was last looked through at').waitFor();
    expect(browser.complaints()).toEqual([]);
  });

  it('changes a field of the policy with a reason, after saying what would change, and shows who did', async () => {
    const queue = service.waybill.queue('ruled');
    await queue.define();
    const page = await browser.open('queues/ruled?tab=policy');
    await page
      .getByRole('row', { name: /^leaseMs/ })
      .getByRole('button', { name: 'Change' })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('leaseMs, as JSON').fill('45000');
    await dialog.getByLabel('Reason').fill('the provider answers faster');
    await dialog.getByText('Queue policy changed').waitFor();
    await dialog.getByRole('button', { name: 'TypeScript' }).click();
    await dialog.getByText(/await waybill.queue\('ruled'\).changePolicy\({ leaseMs: 45000 }/).waitFor();
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('row', { name: /^leaseMs 45000 2 dashboard .* the provider answers faster/ }).waitFor();
    expect(await queue.get()).toMatchObject({ policyVersion: 2, policy: { leaseMs: 45_000 } });
    await page.getByRole('link', { name: 'Version 2: what it changed' }).click();
    await page.getByText('Version 2 beside version 1').waitFor();
    await page.getByText('+ 45000').waitFor();
    expect(browser.complaints()).toEqual([]);
  });
});
