import { AssertionError } from 'node:assert';
import type { EventView, Waybill } from '@waybill/client';
import { TestWaybill, type TestWaybillOptions } from '@waybill/testing';

let test: TestWaybill;
let waybill: Waybill;

beforeAll(async () => {
  test = await TestWaybill.start({
    now: '2026-03-02T09:00:00Z',
    databaseUrl: process.env['DATABASE_URL'],
    logger: null,
  });
  waybill = test.waybill;
});
afterAll(() => test.stop());

async function history(id: string): Promise<readonly EventView[]> {
  const events: EventView[] = [];
  for await (const event of waybill.events({ task: id })) events.push(event);
  return events;
}

const stateOf = async (id: string) => (await waybill.task(id).get()).state;

describe('a Waybill for tests', () => {
  it('runs the handlers until nothing is ready, also what they enqueue', async () => {
    await waybill.queue('orders').define();
    await waybill.queue('mail').define();
    const sent: unknown[] = [];
    test.handle('orders', async ({ payload }) => {
      await waybill.queue('mail').enqueue({ to: payload.by });
      return 'ordered';
    });
    test.handle('mail', async ({ payload }) => void sent.push(payload));
    const { id } = await waybill.queue('orders').enqueue({ by: 'ann' });
    expect(await stateOf(id)).toBe('pending');
    await test.drain();
    expect([await stateOf(id), sent]).toEqual(['succeeded', [{ to: 'ann' }]]);
  });

  it('says what a queue got', async () => {
    await test.assertEnqueued('mail', { to: 'ann' });
    expect(await test.enqueued('mail')).toMatchObject([{ state: 'succeeded', payload: { to: 'ann' } }]);
    const wrong = test.assertEnqueued('mail', { to: 'bob' });
    await expect(wrong).rejects.toThrow(AssertionError);
    await expect(wrong).rejects.toThrow(`Expected a task in queue 'mail' with {"to":"bob"}, but it has {"to":"ann"}`);
  });

  it('stands still until the clock is moved', async () => {
    const { id } = await waybill.queue('orders').enqueue({ by: 'bob' }, { dueAt: '2026-03-02T09:05:00Z' });
    await test.drain();
    expect(await stateOf(id)).toBe('pending');
    await test.advance('4m');
    expect([test.now().toISOString(), await stateOf(id)]).toEqual(['2026-03-02T09:04:00.000Z', 'pending']);
    await test.advance('1m');
    const times = (await history(id)).map(({ type, recordedAt }) => [type, recordedAt]);
    expect(times[0]).toEqual(['TaskEnqueued', '2026-03-02T09:00:00.000Z']);
    expect(times.at(-1)).toEqual(['TaskSucceeded', '2026-03-02T09:05:00.000Z']);
  });

  it('retries at the times of the policy', async () => {
    const backoff = { kind: 'fixed', baseMs: 600_000, jitter: 'none' } as const;
    await waybill.queue('cards').define({ onFailure: 'retry', retry: { maxAttempts: 3, backoff } });
    const began: string[] = [];
    test.handle('cards', async ({ attempt }) => {
      began.push(test.now().toISOString().slice(11, 16));
      if (attempt < 3) throw new Error('busy');
    });
    const { id } = await waybill.queue('cards').enqueue();
    await test.drain();
    expect([await stateOf(id), began]).toEqual(['pending', ['09:05']]);
    await test.advance('1h');
    expect([await stateOf(id), began]).toEqual(['succeeded', ['09:05', '09:15', '09:25']]);
  });

  it('takes the task from a worker that is not heard of', async () => {
    const queue = waybill.queue('scans');
    await queue.define({ leaseMs: 30_000 });
    const { id } = await queue.enqueue();
    const [claimed] = await queue.claim({ worker: 'gone', server: 'here' });
    expect(claimed).toMatchObject({ taskId: id });
    await test.advance('29s');
    expect(await stateOf(id)).toBe('running');
    await test.advance('2s');
    expect(await stateOf(id)).toBe('pending');
  });

  it('fires triggers at each of their times', async () => {
    await waybill.queue('reports').define();
    await waybill.trigger('hourly').define({ cron: '0 * * * *', timeZone: 'UTC', task: { queue: 'reports' } });
    const at: string[] = [];
    test.handle('reports', async () => void at.push(test.now().toISOString().slice(11, 16)));
    await test.advance('3h');
    expect(at).toHaveLength(3);
    expect(at.every((time) => time.endsWith(':00'))).toBe(true);
  });

  it('lets tasks wait for others', async () => {
    await waybill.queue('parts').define();
    const done: unknown[] = [];
    test.handle('parts', async ({ payload }) => void done.push(payload));
    const first = await waybill.queue('parts').enqueue('first', { dueAt: new Date(test.now().getTime() + 60_000) });
    await waybill.queue('parts').enqueue('second', { after: [{ task: first.id }] });
    await test.drain();
    expect(done).toEqual([]);
    await test.advance('1m');
    expect(done).toEqual(['first', 'second']);
  });

  it('goes on with what a handler enqueued that began after the last look', async () => {
    await waybill.queue('before').define({ finite: true });
    await waybill.queue('mails').define();
    await waybill.queue('afterwards').define({ waitsFor: ['before'] });
    const sent: unknown[] = [];
    test.handle('before', async () => undefined);
    test.handle('mails', async ({ payload }) => void sent.push(payload));
    // The sweep of the drain starts it, because then the queue that it waits for is finished. It takes longer than that sweep.
    test.handle(waybill.queue('afterwards'), async () => {
      for (let look = 0; look < 200; look++) await waybill.queue('mails').get();
      await waybill.queue('mails').enqueue('at last');
    });
    await waybill.queue('afterwards').enqueue();
    await waybill.queue('before').enqueue();
    await waybill.queue('before').closeIntake();
    await test.drain();
    expect(sent).toEqual(['at last']);
  });

  it('keeps large payloads where their queue wants them', async () => {
    const large = waybill.queue('large');
    await large.define({ payloadsOutsideAboveBytes: 1_024 });
    const payload = { text: 'x'.repeat(2_000) };
    const got: unknown[] = [];
    test.handle('large', async (task) => void got.push(task.payload));
    const { id } = await large.enqueue(payload);
    await test.drain();
    expect(got).toEqual([payload]);
    expect(JSON.stringify(await history(id))).not.toContain(payload.text);
  });

  it('sends nothing to anybody', async () => {
    const webhook = { url: 'https://shop.example.com/hook', secret: 'shop', type: 'order.placed', data: {} };
    const refused = 'the test Waybill sends nothing to anybody';
    await expect(waybill.deliver({ webhook })).rejects.toThrow(refused);
    const mail = { to: ['ann@example.org'], subject: 'Hello', text: 'there' };
    await expect(waybill.deliver({ mail })).rejects.toThrow(refused);
  });

  it('refuses what it does not know', async () => {
    const misspelt = { clock: '2026-03-02T09:00:00Z' } as TestWaybillOptions;
    await expect(TestWaybill.start(misspelt)).rejects.toThrow(
      "options of now, databaseUrl, actor, logger, but got 'clock'",
    );
    await expect(TestWaybill.start({ now: 'soon' })).rejects.toThrow("Expected 'now' to be a time, but it is 'soon'");
    await expect(test.advance('an hour')).rejects.toThrow("Expected a duration, such as '5m'");
    expect(() => test.handle('mail', async () => undefined)).toThrow("Expected one handler of queue 'mail'");
  });
});
