import type { Waybill } from '@waybill/client';
import type { Locator, Page } from 'playwright-core';
import { type RunningService, startService } from '../support/running-service.js';
import { type DashboardBrowser, picture, startBrowser } from './chromium.js';
import { type Incident, incident } from './scenes/incident.js';
import { quietMorning } from './scenes/quiet-morning.js';
import { atOnce, succeed, work } from './scenes/stage.js';

let service: RunningService;
let browser: DashboardBrowser;
let scene: Incident;
/** A task that somebody asks about. */
let held: { readonly id: string };
beforeAll(async () => {
  service = await startService();
  browser = await startBrowser(service.url);
  await quietMorning(atOnce(service.as));
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
  it('D-01 says in one line that nothing is wrong', async () => {
    const page = await browser.open('', { width: 1_440 });
    await page.getByText('All is well.').waitFor();
    await picture(page, 'home, quiet');
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });

  it.each([1_440, 390])(
    'D-01 names the failing queue among fifty, since when and why, in the first %d px',
    async (width) => {
      scene ??= await incident(atOnce(service.as));
      const page = await browser.open('', { width, height: 900 });
      const row = page.getByRole('listitem').filter({ hasText: 'ETIMEDOUT' });
      await row.getByText(`68 tasks of ${scene.queue}`).waitFor();
      expect(await row.getByText(/^(for |just now)/).count()).toBe(1);
      expect(await bottomOf(row)).toBeLessThan(FIRST_LOOK_PX);
      await picture(page, `home, incident ${width}`);
      await page.close();
      expect(browser.complaints()).toEqual([]);
    },
  );
});

interface Hand {
  /** Clicks, and keys besides what is typed or pasted. */
  readonly presses: () => number;
  readonly click: (what: Locator) => Promise<void>;
  readonly press: (page: Page, key: string) => Promise<void>;
}

/** Counts what a person presses. */
function counted(): Hand {
  let presses = 0;
  return {
    presses: () => presses,
    click: (what) => (presses++, what.click()),
    press: (page, key) => (presses++, page.keyboard.press(key)),
  };
}

describe('the jobs of an operator', () => {
  it('D-02 a failing group: found, its cause opened, retried, and seen to recover, in three clicks', async () => {
    scene ??= await incident(atOnce(service.as));
    const page = await browser.open('', { width: 1_440 });
    const hand = counted();
    await hand.click(page.getByRole('link', { name: /ETIMEDOUT/ }));
    await page.getByRole('region', { name: 'What changed before' }).getByText('Build 42 began').waitFor();
    await hand.click(page.getByRole('button', { name: 'Retry' }));
    await page.getByRole('dialog').getByText('Try 5 first').waitFor();
    await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Retry' }));
    const recovery = page.getByRole('region', { name: 'Recovery' });
    await recovery.waitFor();
    const { queue } = scene;
    await work(service.waybill, { queue, count: 5, verdict: succeed });
    await work(service.waybill, { queue, count: 63, verdict: succeed });
    await recovery.getByText('68 succeeded').waitFor();
    await picture(page, 'failure, recovered');
    expect(hand.presses()).toBe(3);
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });

  it.each([
    ['its reference', () => 'charge-900'],
    ['its id', (id: string) => id],
    ['the end of its id', (id: string) => id.slice(-8)],
  ])('D-03 why is my task not running: from %s, pasted, in two', async (_, pasted) => {
    scene ??= await incident(atOnce(service.as));
    held ??= await service.waybill.queue(scene.queue).enqueue({}, { reference: 'charge-900', hold: {} });
    const page = await browser.open('', { width: 1_440 });
    await page.getByText(/needs? somebody/).waitFor();
    const hand = counted();
    await hand.press(page, 'Control+k');
    await page.getByPlaceholder('A page, a queue, a batch, or a task').fill(pasted(held.id));
    await page
      .getByRole('option', { name: /charge-900 held/ })
      .first()
      .waitFor();
    await hand.press(page, 'Enter');
    await page.getByRole('heading', { name: 'charge-900' }).waitFor();
    await page
      .getByRole('region', { name: 'Why it is here' })
      .getByText(/held|hold/i)
      .first()
      .waitFor();
    expect(hand.presses()).toBe(2);
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });

  it('D-04 what happened last night: Home says it, one click shows which tasks, another who did what', async () => {
    scene ??= await incident(atOnce(service.as));
    const page = await browser.open('', { width: 1_440 });
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    await page.evaluate(
      `localStorage.setItem('waybill-visits', JSON.stringify({ current: '${hourAgo}', last: null }))`,
    );
    await page.reload();
    const hand = counted();
    const since = page.getByRole('region', { name: 'Since you were here' });
    await since
      .getByText(`of ${scene.queue}`)
      .filter({ hasText: /tasks? of/ })
      .first()
      .waitFor();
    await picture(page, 'home, since you were here');
    await hand.click(since.getByRole('link', { name: 'What people did' }));
    await page.getByText('shorter leases for the new provider').first().waitFor();
    expect(hand.presses()).toBe(1);
    await page.goBack();
    await hand.click(since.getByRole('link', { name: `of ${scene.queue}` }).first());
    await page.getByRole('row').filter({ hasText: 'charge-' }).first().waitFor();
    expect(hand.presses()).toBe(2);
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });

  it('D-05 stop everything for a deployment: in two from Home, with what runs', async () => {
    const { id } = await service.waybill.queue('mail').enqueue();
    const [running] = await service.waybill.queue('mail').claim({ worker: 'worker-1', waitMs: 30_000 });
    expect(running!.taskId).toBe(id);
    const page = await browser.open('', { width: 1_440 });
    const hand = counted();
    await hand.click(page.getByRole('button', { name: 'Drain' }));
    await page
      .getByRole('dialog')
      .getByText(/1 running now may finish/)
      .waitFor();
    // What somebody types at once is why.
    expect(await page.evaluate('document.activeElement.name')).toBe('reason');
    await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Drain' }));
    await page.getByText('The system is draining: no task starts').waitFor();
    expect(hand.presses()).toBe(2);
    expect(await page.getByRole('button', { name: 'Resume' }).count()).toBe(1);
    await service.waybill.settle([{ taskId: id, token: running!.token, verdict: { type: 'succeed' } }]);
    await page.getByRole('region', { name: 'Drain' }).getByText('No task has run since').waitFor();
    await service.waybill.system.resume({ reason: 'deployed' });
    await page.getByRole('button', { name: 'Drain' }).waitFor();
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });
});

describe('who did this, from its page', () => {
  const WHY = 'the file server is being moved';
  const things: Readonly<Record<string, () => Promise<string>>> = {
    queue: async () => (await bob.queue('quiet').pause({ reason: WHY }), 'queues/quiet'),
    policy: async () => {
      const { policyVersion } = await bob.queue('quiet').get();
      await bob.queue('quiet').changePolicy({ leaseMs: 61_000 }, { ifVersion: policyVersion, reason: WHY });
      return 'queues/quiet';
    },
    task: async () => {
      const { id } = await bob.queue('quiet').enqueue();
      await bob.task(id).hold({ reason: WHY });
      return `tasks/${id}`;
    },
    batch: async () => {
      const { id } = await bob.createBatch({ name: 'volumes' });
      await bob.batch(id).abort({ reason: WHY });
      return `batches/${id}`;
    },
    trigger: async () => {
      await bob.trigger('nightly').define({ cron: '0 3 * * *', timeZone: 'UTC', task: { queue: 'quiet' } });
      await bob.trigger('nightly').disable({ reason: WHY });
      return 'triggers/nightly';
    },
    hold: async () => (await bob.holds.place('maps', { collection: 'maps' }, { reason: WHY }), 'holds'),
    resource: async () => (await bob.resources.define('storage', { unit: '%' }, { reason: WHY }), 'holds'),
    operation: async () => {
      const { id } = await bob.operate('hold', { filter: { queue: 'quiet' } }, { reason: WHY });
      return `operations/${id!}`;
    },
    failure: async () => {
      for await (const { id } of bob.failures.list({ state: 'open' })) {
        await bob.failures.ignore(id, { reason: WHY });
        return `failures/${id}`;
      }
      throw new Error('Expected an open group of failures, but there is none');
    },
    system: async () => {
      await bob.system.drain({ reason: WHY });
      await bob.system.resume({ reason: WHY });
      return 'system';
    },
  };
  /** What is pressed where the page itself does not say it. */
  const presses: Readonly<Record<string, (page: Page) => Locator>> = {
    queue: (page) => page.getByRole('link', { name: 'History' }),
    policy: (page) => page.getByRole('link', { name: 'Policy' }),
    system: (page) => page.getByRole('link', { name: 'History', exact: true }),
    resource: (page) => page.getByRole('button', { name: 'History of resource storage' }),
  };
  let bob: Waybill;
  beforeAll(async () => {
    bob = service.as('bob');
    scene ??= await incident(atOnce(service.as));
    await bob.queue('quiet').define();
  });

  it.each(Object.keys(things))('D-06 %s: who and why, in one press at most', async (thing) => {
    const page = await browser.open(await things[thing]!(), { width: 1_440 });
    const hand = counted();
    const press = presses[thing];
    if (press) await hand.click(press(page));
    const said = (text: string) => page.getByText(text).filter({ visible: true }).first();
    await said('bob').waitFor();
    await said(WHY).waitFor();
    expect(hand.presses()).toBeLessThanOrEqual(1);
    await page.close();
    expect(browser.complaints()).toEqual([]);
  });
});
