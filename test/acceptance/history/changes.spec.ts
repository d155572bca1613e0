import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChangesOptions, ClaimedTask, TaskChange, TriggerHandle } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { type RunningService, startService } from '../../support/running-service.js';
import { type MailSink, startMailSink } from '../../support/sinks/mail-sink.js';
import { startWebhookSink, type WebhookSink } from '../../support/sinks/webhook-sink.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';

let mails: MailSink;
let hooks: WebhookSink;
let service: RunningService;
beforeAll(async () => {
  [mails, hooks] = await Promise.all([startMailSink(), startWebhookSink()]);
  service = await startService({
    smtpUrl: mails.url,
    mailFrom: 'Waybill <waybill@example.com>',
    webhookSecrets: { shop: [`whsec_${Buffer.alloc(32, 'shop').toString('base64')}`] },
    webhookHttp: true,
    webhookNetworks: ['127.0.0.1'],
  });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([mails.stop(), hooks.stop()]);
});

const RETRY = { maxAttempts: 2, classes: ['transient'], backoff: { kind: 'fixed', baseMs: 3_600_000, jitter: 'none' } };

async function listed(options: ChangesOptions): Promise<readonly TaskChange[]> {
  const all: TaskChange[] = [];
  for await (const one of service.waybill.changes(options)) all.push(one);
  return all;
}

const byTask = (changes: readonly TaskChange[]) => new Map(changes.map((change) => [change.task, change]));

/** What is compared of a task as of a position, as the look at the past tells it; null if it was not there. */
async function comparedAt(task: string, position: string) {
  try {
    const { state, step, priority, error } = await service.waybill.asOf(position).task(task).get();
    return { state, step, priority, errorClass: error?.class ?? null };
  } catch {
    return null;
  }
}

async function head(): Promise<string> {
  const { until: end } = await service.waybill.changesPage({ since: '2000-01-01T00:00:00Z', limit: 1 });
  return end.position;
}

describe('what changed between two moments', () => {
  const tasks: string[] = [];
  const moments: string[] = [];

  beforeAll(async () => {
    const queue = service.waybill.queue('mail');
    await queue.define({ retry: RETRY, onFailure: 'retry' } as never);
    await service.waybill.queue('other').define({});
    const claim = async (max: number): Promise<readonly ClaimedTask[]> => queue.claim({ worker: 'w1', max });
    const settle = (claimed: readonly ClaimedTask[], verdict: object) =>
      service.waybill.settle(claimed.map(({ taskId, token }) => ({ taskId, token, verdict }) as never));
    const enqueue = async (name: string, count: number) => {
      for (let n = 0; n < count; n++)
        tasks.push((await service.waybill.queue(name).enqueue(n, { reference: `${name}-${tasks.length}` })).id);
      moments.push(await head());
    };
    await enqueue('mail', 6);
    await enqueue('other', 2);
    const first = await claim(4);
    moments.push(await head());
    await settle(first.slice(0, 1), { type: 'succeed' });
    await settle(first.slice(1, 2), { type: 'fail', error: { message: 'no route', class: 'transient' } });
    await settle(first.slice(2, 3), { type: 'fail', error: { message: 'no such user', class: 'business' } });
    moments.push(await head());
    await settle(first.slice(3), { type: 'return', unstarted: true });
    await service.waybill.task(first[2]!.taskId).retry();
    await service.waybill.task(first[1]!.taskId).prioritise(7);
    moments.push(await head());
    await service.waybill.task(tasks[5]!).abort();
    await service.waybill.task(tasks[7]!).hold({ reason: 'wait' });
    await service.waybill.task(tasks[7]!).release();
    await enqueue('mail', 1);
  });

  it('H-15 is exactly the tasks whose folds differ, between any two of the moments', async () => {
    for (const [at, since] of moments.entries())
      for (const end of moments.slice(at)) {
        const changes = byTask(await listed({ since, until: end, limit: 3 }));
        for (const task of tasks) {
          const [from, to] = [await comparedAt(task, since), await comparedAt(task, end)];
          const change = changes.get(task);
          const expected = JSON.stringify(from) === JSON.stringify(to) ? undefined : { from, to };
          expect([since, end, change && { from: change.from, to: change.to }]).toEqual([since, end, expected]);
        }
        expect([...changes.keys()].filter((task) => !tasks.includes(task))).toEqual([]);
      }
  });

  it('H-15 from A to B and from B to C is from A to C', async () => {
    const [a, b, c] = [moments[0]!, moments[3]!, moments.at(-1)!];
    const [first, second] = [
      byTask(await listed({ since: a, until: b })),
      byTask(await listed({ since: b, until: c })),
    ];
    const whole = byTask(await listed({ since: a, until: c }));
    for (const task of tasks) {
      const [one, other] = [first.get(task), second.get(task)];
      const from = one ? one.from : other?.from;
      const to = other ? other.to : one?.to;
      const isSame = JSON.stringify(from) === JSON.stringify(to);
      const change = whole.get(task);
      expect(change && { from: change.from, to: change.to }).toEqual(isSame ? undefined : { from, to });
    }
  });

  it('is summed up by states, in the same numbers', async () => {
    for (const [at, since] of moments.entries())
      for (const end of moments.slice(at)) {
        const counts = new Map<string, number>();
        for (const { queue, from, to } of await listed({ since, until: end })) {
          const way = `${queue} ${from?.state} ${to.state}`;
          if (from?.state !== to.state) counts.set(way, (counts.get(way) ?? 0) + 1);
        }
        const { moves } = await service.waybill.changesSum({ since, until: end });
        const told = moves!.map(({ queue, from, to, tasks: n }) => [`${queue} ${from ?? undefined} ${to}`, n] as const);
        expect([since, end, Object.fromEntries(told)]).toEqual([since, end, Object.fromEntries(counts)]);
      }
    const { states } = await service.waybill.changesSum({ since: moments[1]!, until: moments[3]!, queue: 'mail' });
    const of = (state: string) => states!.find((one) => one.state === state);
    expect(of('pending')).toMatchObject({ before: 6, after: 3 });
    expect(of('failed')).toMatchObject({ before: 0, after: 1 });
    expect(of('succeeded')).toMatchObject({ before: 0, after: 1 });
  });

  it('pages go on at the two moments of the first, whatever happens meanwhile', async () => {
    const first = await service.waybill.changesPage({ since: moments[0]!, limit: 1 });
    await service.waybill.task(tasks[6]!).abort();
    const seen = [...first.items];
    for (let cursor = first.nextCursor; cursor !== null;) {
      const page = await service.waybill.changesPage({ since: moments[0]!, limit: 1, cursor });
      expect([page.since, page.until]).toEqual([first.since, { ...first.until, settled: true }]);
      seen.push(...page.items);
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(await listed({ since: moments[0]!, until: first.until.position }));
    expect(new Set(seen.map(({ task }) => task)).size).toBe(seen.length);
    const all = { since: moments[0]!, limit: 1 } as const;
    const { nextCursor } = await service.waybill.changesPage(all);
    const refusal = await refusalOf(service.waybill.changesPage({ ...all, queue: 'mail', cursor: nextCursor! }));
    expect(refusal).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
  });

  it('refuses moments that are none, or in the wrong order', async () => {
    const refused = [
      { since: moments[3]!, until: moments[0]! },
      { since: '999999999999999' },
      { since: new Date(Date.now() + 3_600_000) },
      { since: '1h', until: new Date(Date.now() + 3_600_000) },
      { since: 'never' },
    ];
    for (const options of refused)
      expect([options, (await refusalOf(service.waybill.changesPage(options))).code]).toEqual([
        options,
        'INVALID_INPUT',
      ]);
    expect((await refusalOf(service.waybill.changesSum(refused[0]!))).code).toBe('INVALID_INPUT');
  });
});

describe('a cron trigger that tells changes', () => {
  const DAY_MS = 86_400_000;
  /** Half a day from now, so that no occurrence comes within a test. */
  const TIME = new Date(Date.now() + DAY_MS / 2);
  const EVERY_DAY = { cron: `${TIME.getUTCMinutes()} ${TIME.getUTCHours()} * * *`, timeZone: 'UTC' };
  const MAIL = { mail: { to: ['ann@example.com'] } };
  let number = 0;

  /** A queue, and a trigger of its name. */
  async function prepare(to: object = MAIL) {
    const name = `told-${++number}`;
    const [queue, trigger] = [service.waybill.queue(name), service.waybill.trigger(name)];
    await queue.define({});
    const define = (changes: object = {}) =>
      trigger.define({ ...EVERY_DAY, changes: { queue: name, to }, ...changes } as never);
    await define();
    return { name, queue, trigger, define };
  }

  const lastOf = async (trigger: TriggerHandle) => (await trigger.get()).last?.task ?? null;

  /** As if the occurrence of yesterday had not fired. Resolves with the delivery. */
  async function fired(trigger: TriggerHandle): Promise<string> {
    const before = await lastOf(trigger);
    const next = Date.parse((await trigger.get()).next[0]!);
    const yesterday = new Date(next - DAY_MS).toISOString();
    await service.pool.query('update triggers set next_at = $1 where name = $2', [yesterday, trigger.name]);
    // Any event of a queue makes the sweeper look.
    await service.waybill.queue(trigger.name).pause();
    await service.waybill.queue(trigger.name).resume();
    return until('the trigger to have fired', async () => {
      const last = await lastOf(trigger);
      return last === before ? null : last;
    });
  }

  const sent = (task: string) =>
    until('the delivery to be sent', async () =>
      (await service.waybill.task(task).get()).state === 'succeeded' ? true : null,
    );

  async function mailed(task: string): Promise<string> {
    await sent(task);
    const [mail, ...more] = mails.received.filter(({ raw }) => raw.includes(task));
    expect(more).toEqual([]);
    return mail!.raw
      .replace(/=\r\n/g, '')
      .replace(/=E2=86=92/g, '→')
      .replace(/=20/g, ' ');
  }

  it('H-17 mails what has changed since its last mail', async () => {
    const { name, queue, trigger } = await prepare();
    const { id } = await queue.enqueue(1, { reference: 'order-1' });
    const first = await mailed(await fired(trigger));
    expect(first).toContain(`Subject: ${name}: 1 task changed`);
    expect(first).toContain('- order-1: new: pending');
    await queue.enqueue(2, { reference: 'order-2' });
    await service.waybill.task(id).abort();
    const second = await mailed(await fired(trigger));
    expect(second).toContain(`Subject: ${name}: 2 tasks changed`);
    expect(second).toContain('- order-1: pending → aborted');
    expect(second).toContain('- order-2: new: pending');
    const third = await mailed(await fired(trigger));
    expect(third).toContain(`Subject: ${name}: no task changed`);
    expect(third).toContain('No task has changed.');
  });

  it('H-17 calls a webhook with what the list of changes has', async () => {
    const { name, queue, trigger } = await prepare({ webhook: { url: hooks.url, secret: 'shop' } });
    for (const n of [1, 2, 3]) await queue.enqueue(n);
    const task = await fired(trigger);
    await sent(task);
    const [call, ...more] = hooks.received.filter(({ headers }) => headers['webhook-id'] === task);
    expect(more).toEqual([]);
    const { type, subject, data } = JSON.parse(call!.body) as {
      type: string;
      subject: string;
      data: { since: string; until: string; changes: readonly TaskChange[]; more: boolean };
    };
    expect([type, subject, data.more]).toEqual(['dev.waybill.tasks.changed', name, false]);
    expect(data.changes).toHaveLength(3);
    expect(data.changes).toEqual(await listed({ since: data.since, until: data.until, queue: name }));
  });

  it('H-17 goes on where it was after it was disabled and changed, and begins anew when it is defined anew', async () => {
    const { queue, trigger, define } = await prepare();
    const { changes } = (await service.waybill.task(await fired(trigger)).get()).payload as {
      changes: { upTo: string };
    };
    await trigger.disable();
    await queue.enqueue(1);
    await define({ description: 'other' });
    await trigger.enable();
    const next = (await service.waybill.task(await fired(trigger)).get()).payload as {
      changes: { after: string; upTo: string };
    };
    expect(next.changes.after).toBe(changes.upTo);
    await trigger.delete();
    await queue.enqueue(2);
    await define();
    const raw = await mailed(await fired(trigger));
    expect(raw).toContain('No task has changed.');
  });

  it('H-17 tells by hand what has changed so far, and the next delivery tells it, too', async () => {
    const { queue, trigger } = await prepare();
    await queue.enqueue(1, { reference: 'order-7' });
    const id = uuidv7();
    const byHand = await trigger.fire({ id });
    expect((await trigger.fire({ id })).id).toBe(byHand.id);
    expect(await mailed(byHand.id)).toContain('- order-7: new: pending');
    expect(await mailed(await fired(trigger))).toContain('- order-7: new: pending');
  });

  it('is one of times, with latest or skip, of a queue that exists, and instead of a task', async () => {
    const { name, trigger } = await prepare();
    const changes = { queue: name, to: MAIL };
    const refused = [
      { changes },
      { ...EVERY_DAY, changes, task: { queue: name } },
      { ...EVERY_DAY, changes, missed: 'each' },
      { ...EVERY_DAY, changes: { queue: name, to: {} } },
      { ...EVERY_DAY, changes: { queue: name } },
      { event: { types: ['TaskFailed'] }, changes },
      { queue: name, changes },
    ];
    for (const definition of refused)
      expect([definition, (await refusalOf(trigger.define(definition as never))).code]).toEqual([
        definition,
        'INVALID_INPUT',
      ]);
    const other = (queue: string) => trigger.define({ ...EVERY_DAY, changes: { ...changes, queue } });
    expect((await refusalOf(other('nowhere'))).code).toBe('QUEUE_NOT_FOUND');
    expect((await refusalOf(other('waybill.mail'))).code).toBe('QUEUE_RESERVED');
  });
});

describe('a batch that reports twice', () => {
  it('H-16 names in its second report what changed since the first', async () => {
    const queue = service.waybill.queue('parts');
    await queue.define({ retry: { maxAttempts: 1, classes: [] } });
    const batch = await service.waybill.createBatch({ name: 'nightly' });
    for (const payload of [1, 2, 3, 4]) await queue.enqueue(payload, { batch: batch.id });
    await batch.open(4);
    const settleAll = async (verdictOf: (n: number) => object) => {
      const claimed = await queue.claim({ worker: 'w1', max: 10 });
      await service.waybill.settle(
        claimed.map(({ taskId, token }, n) => ({ taskId, token, verdict: verdictOf(n) }) as never),
      );
    };
    const fail = { type: 'fail', error: { message: 'no', class: 'business' } };
    await settleAll((n) => (n === 0 ? { type: 'succeed' } : fail));
    const reported = async (number: number) =>
      until(`report ${number}`, async () => {
        const events = service.waybill.events({ category: 'batch', name: batch.id, type: 'BatchReported' });
        for await (const event of events) if ((event.data as { number: number }).number === number) return event;
        return null;
      });
    const first = await reported(1);
    const failed = (await listed({ since: '2000-01-01T00:00:00Z', batch: batch.id })).filter(
      ({ to }) => to.state === 'failed',
    );
    for (const { task } of failed.slice(0, 2)) await service.waybill.task(task).retry();
    await settleAll((n) => (n === 0 ? { type: 'succeed' } : fail));
    await service.waybill.task(failed[2]!.task).abort();
    const second = await reported(2);
    const changes = await listed({ since: first.position, until: second.position, batch: batch.id });
    const named = changes.map(({ task, from, to }) => ({ task, from: from!.state, state: to.state }));
    const told = (second.data as { changes: readonly object[] }).changes;
    expect(told.length).toBeGreaterThan(0);
    expect(new Set(told)).toEqual(new Set(named.filter(({ from, state }) => from !== state)));
  });
});
