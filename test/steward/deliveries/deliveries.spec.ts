import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TaskDetails, Waybill } from '@waybill/client';
import { Webhook } from 'standardwebhooks';
import { uuidv7 } from 'uuidv7';
import { type RunningService, startService } from '../../support/running-service.js';
import { type MailSink, startMailSink } from '../../support/sinks/mail-sink.js';
import { startWebhookSink, type WebhookSink, withStatus } from '../../support/sinks/webhook-sink.js';
import { until } from '../../support/until.js';
import { AllowedTargets } from '../../../src/steward/deliveries/allowed-target.js';
import { FailedDelivery } from '../../../src/steward/deliveries/refused-delivery.js';
import { WebhookSender } from '../../../src/steward/deliveries/send-webhook.js';

const [NEW, OLD] = ['bmV3LW5ldy1uZXctbmV3LW5ldy1uZXct', 'b2xkLW9sZC1vbGQtb2xkLW9sZC1vbGQt'].map(
  (key) => `whsec_${key}`,
);
const QUEUE = 'waybill.deliveries';

let mails: MailSink;
let hooks: WebhookSink;
let service: RunningService;
beforeAll(async () => {
  [mails, hooks] = await Promise.all([startMailSink(), startWebhookSink()]);
  service = await startService({
    smtpUrl: mails.url,
    mailFrom: 'Waybill <waybill@example.com>',
    webhookSecrets: { shop: [NEW!, OLD!] },
    webhookHttp: true,
    webhookNetworks: ['127.0.0.1'],
  });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([mails.stop(), hooks.stop()]);
});

const MAIL = { to: ['ann@example.com', 'bob@example.com'], subject: 'Stock counted', text: 'All 7 are there.\n' };
const hook = (data: unknown = 1) => ({ url: hooks.url, secret: 'shop', type: 'com.example.counted', data });

const taskThat = (id: string, isSo: (task: TaskDetails) => boolean): Promise<TaskDetails> =>
  until(`delivery '${id}'`, async () => {
    const task = await service.waybill.task(id).get();
    return isSo(task) ? task : null;
  });
const ended = (id: string): Promise<TaskDetails> => taskThat(id, ({ finishedAt }) => finishedAt !== null);
const failedOnce = (id: string): Promise<TaskDetails> =>
  taskThat(id, ({ attempt, state }) => attempt > 0 && state === 'pending');

async function deliverAll(number: number, url: string): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < number; n++) ids.push((await service.waybill.deliver({ webhook: { ...hook(n), url } })).id);
  return ids;
}

const callsOf = (id: string) => hooks.received.filter(({ headers }) => headers['webhook-id'] === id);
const mailsOf = (id: string) => mails.received.filter(({ raw }) => raw.includes(id));

describe('the queues of deliveries', () => {
  it.each(['waybill.deliveries', 'waybill.mail'])('take limits before the first delivery: %s', async (name) => {
    const queue = service.waybill.queue(name);
    await expect(queue.get()).rejects.toMatchObject({ code: 'QUEUE_NOT_FOUND' });
    const { position } = await queue.setLimit({ label: 'target', value: 'shop.example.com', maxRunning: 1 });
    const { policy } = await queue.get({ minPosition: position });
    expect(policy).toMatchObject({ onFailure: 'retry', maxLost: 22, perLabel: { label: 'target' } });
    await queue.unsetLimit({ label: 'target', value: 'shop.example.com' });
  });
});

describe('a delivery by mail', () => {
  it('is a task, and has its id in the Message-ID', async () => {
    const { id } = await service.as('ann').deliver({ mail: MAIL }, { reason: 'the count is done' });
    const messageId = `<${id}@example.com>`;
    expect(await ended(id)).toMatchObject({
      queue: 'waybill.mail',
      kind: 'mail',
      state: 'succeeded',
      result: { messageId, accepted: MAIL.to, rejected: [] },
    });
    const [{ to, raw }, ...more] = mailsOf(id) as [MailSink['received'][number]];
    expect(more).toEqual([]);
    expect(to).toEqual(MAIL.to);
    for (const line of [`Message-ID: ${messageId}`, 'From: Waybill <waybill@example.com>', 'Subject: Stock counted'])
      expect(raw).toContain(line);
    expect(raw).toContain('All 7 are there.');
  });

  it('is tried again with the same message if the server is in trouble', async () => {
    mails.refusal = 451;
    const one = { mail: { ...MAIL, to: ['ann@example.com'] } };
    const { id } = await service.waybill.deliver(one);
    expect((await failedOnce(id)).error?.message).toContain('Expected the mail server to take the mail, but: ');
    await service.passTime('13 hours');
    await ended(id);
    expect(mailsOf(id)).toHaveLength(1);
  });

  it('fails at once if the server refuses it for good, and may be retried by hand', async () => {
    mails.refusal = 550;
    const { id } = await service.waybill.deliver({ mail: { ...MAIL, to: ['nobody@example.com'] } });
    expect(await ended(id)).toMatchObject({ state: 'failed', attempt: 1, error: { class: 'business' } });
    await service.waybill.task(id).retry();
    expect((await taskThat(id, ({ state }) => state === 'succeeded')).result).toMatchObject({
      messageId: `<${id}@example.com>`,
    });
  });
});

describe('a limited target', () => {
  it('is called no more often than it may be, and others are not delayed', async () => {
    const other = await startWebhookSink();
    const target = new URL(hooks.url).host;
    const [before] = await deliverAll(1, hooks.url);
    await ended(before!);
    await service.waybill
      .queue(QUEUE)
      .setLimit(
        { label: 'target', value: target, rate: { starts: 1, perMs: 3_600_000, burst: 2 } },
        { reason: 'its rate limit' },
      );
    const limited = await deliverAll(4, hooks.url);
    const free = await deliverAll(6, other.url);
    for (const id of free) expect((await ended(id)).state).toBe('succeeded');
    for (const id of limited.slice(0, 2)) expect((await ended(id)).state).toBe('succeeded');
    const { reasons } = await service.waybill.task(limited[2]!).why();
    expect(reasons).toContainEqual({
      because: 'rate',
      label: 'target',
      labelValue: target,
      until: expect.any(String),
    });
    expect(limited.map((id) => callsOf(id).length)).toEqual([1, 1, 0, 0]);
    await service.waybill.queue(QUEUE).unsetLimit({ label: 'target', value: target });
    for (const id of limited) expect((await ended(id)).state).toBe('succeeded');
    await other.stop();
  });

  it('is a limit of the queues of deliveries, and of no other of the service', async () => {
    const limit = { label: 'target', maxRunning: 1 };
    await service.waybill.deliver({ mail: MAIL });
    expect(await service.waybill.queue('waybill.mail').setLimit(limit)).toMatchObject({ recorded: true });
    expect(await service.waybill.queue('waybill.mail').unsetLimit({ label: 'target' })).toMatchObject({
      recorded: true,
    });
    await expect(service.waybill.queue('waybill.operations').setLimit(limit)).rejects.toMatchObject({
      code: 'QUEUE_RESERVED',
    });
  });
});

describe('a delivery by webhook', () => {
  it('is a CloudEvent, signed with every secret of its name', async () => {
    const { id } = await service.waybill.deliver({ webhook: { ...hook({ items: 7 }), subject: 'shelf 4' } });
    const { enqueuedAt } = await ended(id);
    const [{ headers, body }] = callsOf(id) as [WebhookSink['received'][number]];
    expect(headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
    const event = { specversion: '1.0', id, time: enqueuedAt, datacontenttype: 'application/json' };
    const told = { type: 'com.example.counted', source: '/deliveries', subject: 'shelf 4', data: { items: 7 } };
    for (const secret of [NEW, OLD])
      expect(new Webhook(secret!).verify(body, headers as Record<string, string>)).toEqual({ ...event, ...told });
    expect(() => new Webhook('whsec_c29tZXRoaW5nLWVsc2Utc29tZXRoaW5n').verify(body, headers as never)).toThrow(
      'No matching signature found',
    );
  });

  it('is tried again with the same webhook-id and body, and shows why', async () => {
    hooks.answer = withStatus(500);
    const { id } = await service.waybill.deliver({ webhook: hook() });
    const { error } = await failedOnce(id);
    expect(error).toMatchObject({ class: 'transient', message: expect.stringContaining('answered with status 500') });
    hooks.answer = withStatus(204);
    await service.passTime('13 hours');
    expect(await ended(id)).toMatchObject({ state: 'succeeded', result: { status: 204 } });
    const [first, second, ...more] = callsOf(id);
    expect(more).toEqual([]);
    expect(second!.body).toBe(first!.body);
  });

  it('fails at once if the receiver wants no more', async () => {
    hooks.answer = withStatus(410);
    const { id } = await service.waybill.deliver({ webhook: hook() });
    expect(await ended(id)).toMatchObject({ state: 'failed', attempt: 1 });
    hooks.answer = withStatus(204);
  });

  it('given a process that stops before the answer, is sent again with the same webhook-id', async () => {
    let hasArrived = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (hasArrived = resolve));
    hooks.answer = () => hasArrived();
    const { id } = await service.waybill.deliver({ webhook: hook() });
    await arrived;
    hooks.answer = withStatus(204);
    await service.restart();
    await ended(id);
    expect(callsOf(id)).toHaveLength(2);
  });

  describe('to an address that is not listed, is refused', () => {
    const url = 'https://127.0.0.2/hook';
    const webhook = { url, secret: 'shop' };
    const orders: readonly [string, string, (name: string) => Promise<unknown>][] = [
      ['when it is ordered', '/webhook/url', () => service.waybill.deliver({ webhook: { ...hook(), url } })],
      ['in a batch', '/reportTo/webhook/url', (name) => service.waybill.createBatch({ name, reportTo: { webhook } })],
      [
        'in a trigger',
        '/webhook/url',
        (name) => service.waybill.trigger(name).define({ event: { types: ['TaskFailed'] }, webhook }),
      ],
      [
        'in a trigger that tells of its troubles',
        '/notify/webhook/url',
        (name) =>
          service.waybill
            .trigger(name)
            .define({ cron: '0 0 1 1 *', timeZone: 'UTC', task: { queue: QUEUE }, notify: { webhook } }),
      ],
    ];
    it.each(orders)('%s', async (_, pointer, order) => {
      await expect(order(`refused-${uuidv7()}`)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringContaining(
          `${pointer}: Expected a webhook to have a public address, but it is '127.0.0.2' (loopback)`,
        ),
      });
    });
  });

  describe('with a secret that the configuration does not have, is refused', () => {
    const webhook = { url: 'https://example.com/hook', secret: 'toString' };
    const orders: readonly [string, string, (name: string) => Promise<unknown>][] = [
      ['when it is ordered', '/webhook/secret', () => service.waybill.deliver({ webhook: { ...hook(), ...webhook } })],
      [
        'in a batch',
        '/reportTo/webhook/secret',
        (name) => service.waybill.createBatch({ name, reportTo: { webhook } }),
      ],
      [
        'in a trigger',
        '/webhook/secret',
        (name) => service.waybill.trigger(name).define({ event: { types: ['TaskFailed'] }, webhook }),
      ],
    ];
    it.each(orders)('%s', async (_, pointer, order) => {
      await expect(order(`unsigned-${uuidv7()}`)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: `${pointer}: Expected WAYBILL_WEBHOOK_SECRETS to have the secret 'toString', but it has not`,
      });
    });
  });

  it('waits for its secret if the configuration has lost it since the order', async () => {
    const settings = { webhookSecrets: {}, webhookHttp: true, webhookNetworks: ['127.0.0.1'] } as never;
    const sending = new WebhookSender(settings, new AllowedTargets(settings)).send(
      { webhook: { url: hooks.url, secret: 'shop' }, event: { type: 't', source: '/s', data: 1 } },
      { taskId: uuidv7(), enqueuedAt: new Date().toISOString() },
      new AbortController().signal,
    );
    await expect(sending).rejects.toBeInstanceOf(FailedDelivery);
    await expect(sending).rejects.toThrow("to have the secret 'shop', but it has not");
  });
});

describe('an order of a delivery', () => {
  const order = (): Parameters<Waybill['deliver']>[0] => ({ id: uuidv7(), webhook: hook() });

  it('given twice under one id, is one delivery', async () => {
    const one = order();
    expect((await service.waybill.deliver(one)).status).toBe('enqueued');
    expect((await service.waybill.deliver(one)).status).toBe('existing');
    await ended(one.id!);
    expect(callsOf(one.id!)).toHaveLength(1);
  });

  it.each([
    ['nothing', {}],
    ['mail and a webhook', { mail: MAIL, webhook: { url: 'https://example.com', secret: 's', type: 't', data: 1 } }],
    ['no recipient', { mail: { ...MAIL, to: [] } }],
    ['a recipient that is a header', { mail: { ...MAIL, to: ['ann@example.com\r\nBcc: eve@example.com'] } }],
    ['two recipients in one', { mail: { ...MAIL, to: ['ann@example.com,eve@example.com'] } }],
    ['a subject of two lines', { mail: { ...MAIL, subject: 'a\nb' } }],
    ['a password in the URL', { webhook: { url: 'https://a:b@example.com', secret: 's', type: 't', data: 1 } }],
    ['no URL', { webhook: { url: 'https://exa mple.com', secret: 's', type: 't', data: 1 } }],
    ['another scheme', { webhook: { url: 'file:///etc/passwd', secret: 's', type: 't', data: 1 } }],
  ] as const)('is refused with %s', async (_, one) => {
    await expect(service.waybill.deliver(one as never)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

it('shows secrets in no event', async () => {
  const { id } = await service.waybill.deliver({ webhook: hook() });
  await ended(id);
  const shown = JSON.stringify([await service.waybill.task(id).get(), await service.waybill.task(id).history()]);
  for (const secret of [NEW, OLD]) expect(shown).not.toContain(secret!.slice('whsec_'.length));
});
