import type { Page } from 'playwright-core';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';
import { type DashboardBrowser, inaccessible, picture, startBrowser } from './chromium.js';

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
    await page.getByRole('heading', { name: /^Delete a queue with \d+ tasks?$/ }).waitFor();
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

  it('shows when contents expire and which did last, and the page of such a task says why it has none', async () => {
    const queue = service.waybill.queue('forgetting');
    await queue.define();
    const { id } = await queue.enqueue('quetzal');
    await service.waybill.task(id).abort();
    await service.pool.query(`update tasks set finished_at = now() - interval '31 days' where task_id = $1`, [id]);
    const { policyVersion } = await queue.get();
    await queue.changePolicy({ expireDays: 30 }, { ifVersion: policyVersion });
    const erasure = await until('the contents to expire', async () => {
      const found = (await service.waybill.task(id).history()).find(({ type }) => type === 'TaskErased');
      return found ? String(found.data['erasure']) : null;
    });
    await until('its order to end', async () => (await service.waybill.task(erasure).get()).finishedAt);
    const page = await browser.open('queues/forgetting');
    const expiry = page.getByRole('region', { name: 'Expiry' });
    await expiry.getByText(/erased 30 days after they ended. The service looks for more at .*00:00/).waitFor();
    await expiry.getByText(/^Last, 1 task was erased at /).waitFor();
    expect(await inaccessible(page)).toEqual([]);
    await picture(page, 'expiry');
    const task = await browser.open(`tasks/${id}`);
    await task.getByText('To do its work again, enqueue a new task.').waitFor();
    await task.getByRole('button', { name: 'More' }).click();
    expect(await task.getByRole('button', { name: /^(Delete|Run again)$/ }).allInnerTexts()).toEqual(['Delete']);
    await task.keyboard.press('Escape');
    const erased = task.getByRole('region', { name: 'Erased' });
    await erased.getByText(/: contents of 'forgetting' expire after 30 days\.$/).waitFor();
    expect(await erased.getByRole('link').getAttribute('href')).toContain(erasure);
    await picture(task, 'expired-task');
    expect(browser.complaints()).toEqual([]);
  });

  it('says on the spot that no worker asks for its tasks, and shows one to copy', async () => {
    const queue = service.waybill.queue('deserted');
    await queue.define();
    await queue.enqueueMany([{}, {}]);
    const ago = `now() - interval '90 s' where queue = 'deserted'`;
    await service.pool.query(`update tasks set enqueued_at = ${ago}`);
    await service.pool.query(`update ready set since = ${ago} and since is not null`);
    const page = await browser.open('queues/deserted', { width: 390 });
    const card = page.getByRole('region', { name: '2 tasks wait for a worker' });
    await card.getByText('No worker has claimed from this queue yet. Start a worker.').waitFor();
    await card.getByText('A worker to copy').click();
    await card.getByText(`handle('deserted'`).waitFor();
    expect(await inaccessible(page)).toEqual([]);
    await queue.claim({ worker: 'worker-1', max: 2 });
    await card.waitFor({ state: 'detached' });
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });

  it('folds what nobody has set of a policy, which would be four screens of a phone', async () => {
    const queue = service.waybill.queue('as-ever');
    await queue.define({ leaseMs: 45_000 });
    const page = await browser.open('queues/as-ever?tab=policy', { width: 390, height: 844 });
    await page.getByRole('row', { name: /^leaseMs/ }).waitFor();
    expect(await page.getByRole('row', { name: /^keyRequired/ }).count()).toBe(0);
    expect(await page.evaluate('document.body.scrollHeight')).toBeLessThan(2 * 844);
    await page.getByText(/^\d+ fields as by default$/).click();
    await page.getByRole('row', { name: /^keyRequired/ }).waitFor();
    await page.close();
  });

  it('changes a field of the policy with a reason, after saying what would change, and shows who did', async () => {
    const queue = service.waybill.queue('ruled');
    await queue.define();
    const page = await browser.open('queues/ruled?tab=policy');
    await page.getByText(/^\d+ fields as by default$/).click();
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
    await page.getByRole('row', { name: /^leaseMs 45 s 2 dashboard .* the provider answers faster/ }).waitFor();
    expect(await queue.get()).toMatchObject({ policyVersion: 2, policy: { leaseMs: 45_000 } });
    await page.getByRole('link', { name: 'Version 2: what it changed' }).click();
    await page.getByText('Version 2 beside version 1').waitFor();
    await page.getByText('+ 45 s').waitFor();
    expect(browser.complaints()).toEqual([]);
  });
});

/** Records every text that is drawn on a canvas, and apart what stands at a dashed line, as numbers of marks do. */
const DRAWN = `(() => {
  window.drawn = [];
  window.numbers = [];
  const fillText = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    (this.getLineDash().length > 0 ? window.numbers : window.drawn).push(text);
    return fillText.call(this, text, ...place);
  };
})()`;

/** A queue in which tasks waited, ran, succeeded and failed in every way that a worker reports, and which somebody paused. */
async function busy(name: string) {
  const queue = service.waybill.queue(name);
  await queue.define({ retry: { maxAttempts: 1 } });
  const verdicts = ['business', 'application', 'transient'].map((of) => ({
    type: 'fail' as const,
    error: { class: of as 'business', message: `it is ${of}` },
  }));
  for (const verdict of [...verdicts, { type: 'succeed' as const }]) {
    await queue.enqueue();
    const [claimed] = await queue.claim({ worker: 'w1' });
    await service.waybill.settle([{ taskId: claimed!.taskId, token: claimed!.token, verdict }]);
  }
  await queue.pause({ reason: 'the printer is empty' });
  return queue;
}

/** Moves the pointer into the first chart. */
async function seeTheSameTime(page: Page): Promise<void> {
  const box = (await page.locator('.uplot .u-over').first().boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.8, box.y + box.height / 2);
  const times = page.locator('figcaption [data-at]');
  await until('every chart to say the time', async () => {
    const said = await times.allInnerTexts();
    return said.length === 5 && said[0] !== '' && new Set(said).size === 1 ? said : null;
  });
}

describe('the charts of a queue', () => {
  it('D-11 have axes, units, numbered marks that say what happened, a table, lines that differ without colour, and the same time under the pointer', async () => {
    await busy('charted');
    const page = await browser.open('queues', { width: 1_440 });
    await page.addInitScript({ content: DRAWN });
    await page.goto(page.url().replace('queues', 'queues/charted'));
    await page.reload();
    const charts = page.getByRole('figure');
    await page.getByRole('figure', { name: /^Throughput, tasks per minute: enqueued at most [1-4]/ }).waitFor();
    await page
      .getByRole('figure', { name: /^Run, duration: median at most/ })
      .getByText('duration', { exact: true })
      .waitFor();
    await page.locator('.uplot canvas').nth(4).waitFor();
    const drawn = await until('the axes', async () => {
      const texts = await page.evaluate<string[]>('window.drawn');
      return texts.includes('1') &&
        texts.some((text) => / ms$| s$/.test(text)) &&
        texts.some((text) => /^\d\d:\d\d$/.test(text))
        ? texts
        : null;
    });
    expect(drawn).toContain('0');
    await until('the numbers of the marks', async () =>
      (await page.evaluate<string[]>('window.numbers')).includes('1') ? true : null,
    );
    const marks = page.getByRole('list', { name: 'Marks in the charts' }).getByRole('listitem');
    await marks.filter({ hasText: /^\d .* Queue paused by .*: the printer is empty/ }).waitFor();
    for (const chart of await charts.all()) {
      const dashes = await chart
        .locator('figcaption path')
        .evaluateAll((lines) => lines.map((line) => line.getAttribute('stroke-dasharray')));
      expect(new Set(dashes).size).toBe(dashes.length);
    }
    await picture(page, 'charts');
    expect(browser.complaints()).toEqual([]);
    await seeTheSameTime(page);
    await page.getByText('The figures as a table').click();
    await page.getByRole('table', { name: 'Figures over time' }).getByRole('link').first().click();
    await page.waitForURL(/at=/);
    await page.close();
    browser.complaints(); // nothing was there at the beginning of its first minute
  });

  it('D-11 show the part that somebody draws', async () => {
    await busy('brushed');
    const page = await browser.open('queues/brushed', { width: 1_440 });
    const plots = page.locator('.uplot .u-over');
    await plots.nth(4).waitFor();
    const box = (await plots.first().boundingBox())!;
    const [left, right, y] = [box.x + box.width * 0.8, box.x + box.width * 0.9, box.y + box.height / 2];
    await page.mouse.move(left, y);
    await page.mouse.down();
    await page.mouse.move(right, y, { steps: 5 });
    await page.mouse.up();
    await page.waitForURL(/since=.*until=/);
    await page.getByRole('button', { name: 'Whole range' }).waitFor();
    await page.getByRole('figure', { name: /^Throughput.*enqueued at most 0/ }).waitFor();
    await picture(page, 'charts, a part');
    expect(await inaccessible(page)).toEqual([]);
    await page.getByRole('button', { name: 'Whole range' }).click();
    await page.waitForURL((url) => !url.href.includes('since='));
    await page.getByRole('navigation', { name: 'Range of the charts' }).waitFor();
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });
});
