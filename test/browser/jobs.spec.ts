import type { Locator } from 'playwright-core';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';
import { type DashboardBrowser, picture, startBrowser } from './chromium.js';
import { type Incident, incident, quietMorning } from './scenes.js';

let service: RunningService;
let browser: DashboardBrowser;
let scene: Incident;
beforeAll(async () => {
  service = await startService();
  browser = await startBrowser(service.url);
  await quietMorning(service.waybill);
});
afterAll(async () => {
  await browser.close();
  await service.stop();
});

/** What an operator sees without scrolling. */
const FIRST_LOOK_PX = 600;

const bottomOf = async (locator: Locator): Promise<number> => {
  const box = await locator.boundingBox();
  return box ? box.y + box.height : Infinity;
};

describe('Home', () => {
  it('says in one line that nothing is wrong', async () => {
    const page = await browser.open('', { width: 1_440 });
    await page.getByText('All is well.').waitFor();
    await picture(page, 'home, quiet');
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });

  it.each([1_440, 390])(
    'names the failing queue among fifty, since when and why, in the first %d px',
    async (width) => {
      scene ??= await incident(service.waybill);
      const page = await browser.open('', { width });
      const row = page.getByRole('listitem').filter({ hasText: 'ETIMEDOUT' });
      await row.getByText(`68 tasks of ${scene.queue}`).waitFor();
      expect(await row.getByText(/since/).count()).toBe(1);
      expect(await bottomOf(row)).toBeLessThan(FIRST_LOOK_PX);
      await picture(page, `home, incident ${width}`);
      await page.close();
      expect(browser.complaints()).toEqual([]);
    },
  );
});

/** Counts what a person presses. */
function counted(): { readonly clicks: () => number; readonly click: (what: Locator) => Promise<void> } {
  let clicks = 0;
  return {
    clicks: () => clicks,
    click: async (what) => {
      clicks++;
      await what.click();
    },
  };
}

describe('the jobs of an operator', () => {
  it('a failing group: found, its cause opened, retried, and seen to recover, in three clicks', async () => {
    scene ??= await incident(service.waybill);
    const page = await browser.open('', { width: 1_440 });
    const hand = counted();
    await hand.click(page.getByRole('link', { name: /ETIMEDOUT/ }));
    await page.getByText('Build 42 began to work on payments').waitFor();
    await hand.click(page.getByRole('button', { name: 'Retry' }));
    await page.getByRole('dialog').getByText('Try 5 first').waitFor();
    await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Retry' }));
    const recovery = page.getByRole('region', { name: 'Recovery' });
    await recovery.waitFor();
    await succeed(5);
    await succeed(63);
    await recovery.getByText('68 succeeded').waitFor();
    await picture(page, 'failure, recovered');
    expect(hand.clicks()).toBe(3);
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });

  it('why is my task not running: from its pasted reference, in two', async () => {
    scene ??= await incident(service.waybill);
    const page = await browser.open('', { width: 1_440 });
    await page.getByText('things need somebody').or(page.getByText('thing needs somebody')).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('A page, a queue, or a task').fill('charge-120');
    await page
      .getByRole('option', { name: /charge-120 failed/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'charge-120' }).waitFor();
    await page.getByText(/It failed/).waitFor();
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });

  it('stop everything for a deployment: in two, with what runs', async () => {
    const page = await browser.open('system', { width: 1_440 });
    const hand = counted();
    await hand.click(page.getByRole('button', { name: 'Drain' }));
    await page
      .getByRole('dialog')
      .getByText(/running now may finish/)
      .waitFor();
    await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Drain' }));
    await page.getByText('draining', { exact: true }).waitFor();
    expect(hand.clicks()).toBe(2);
    await service.waybill.system.resume();
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });

  it('who did this: in one, by the name', async () => {
    await service.waybill.queue('quiet-1').pause({ reason: 'the file server is being moved' });
    const page = await browser.open('activity', { width: 1_440 });
    const row = page.getByRole('row').filter({ hasText: 'Queue paused' });
    await row.getByText('the file server is being moved').waitFor();
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });
});

/** Settles so many retried tasks as succeeded. */
async function succeed(count: number): Promise<void> {
  let settled = 0;
  while (settled < count) {
    const tasks = await service.waybill
      .queue(scene.queue)
      .claim({ worker: 'worker-1', max: count - settled, waitMs: 30_000 });
    const verdicts = tasks.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'succeed' as const } }));
    await service.waybill.settle(verdicts);
    settled += tasks.length;
  }
  await until('the queue to be caught up', async () => (settled >= count ? true : null));
}
