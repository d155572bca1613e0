import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { TaskDetails } from '@waybill/client';
import { Deliveries } from '../../../src/steward/deliveries/delivery-run.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { type MailSink, startMailSink } from '../../support/sinks/mail-sink.js';
import { type RawServer, startRawServer } from '../../support/sinks/raw-server.js';
import { startWebhookSink, type WebhookSink, withStatus } from '../../support/sinks/webhook-sink.js';
import { until } from '../../support/until.js';

const MAIL = { to: ['ann@example.com'], subject: 's', text: 't' };
/** Of both processes. */
const WEBHOOK_SLOTS = 2 * 64;
const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

let mails: MailSink;
let healthy: WebhookSink;
let service: RunningService;
beforeAll(async () => {
  [mails, healthy] = await Promise.all([startMailSink(), startWebhookSink()]);
  service = await startService({
    smtpUrl: mails.url,
    mailFrom: 'Waybill <waybill@example.com>',
    webhookSecrets: { shop: SECRET },
    webhookHttp: true,
    webhookNetworks: ['127.0.0.1'],
  });
  await service.addInstance();
});
afterAll(async () => {
  await service.stop();
  await Promise.all([mails.stop(), healthy.stop()]);
});

const orderTo = async (url: string): Promise<string> => {
  const { id } = await service.waybill.deliver({ webhook: { url, secret: 'shop', type: 'com.example.told', data: 1 } });
  return id;
};
const taskThat = (id: string, isSo: (task: TaskDetails) => boolean): Promise<TaskDetails> =>
  until(`delivery '${id}'`, async () => {
    const task = await service.waybill.task(id).get();
    return isSo(task) ? task : null;
  });
const succeeded = (id: string) => taskThat(id, ({ state }) => state === 'succeeded');

describe('a receiver that hangs', () => {
  it.each<[string, (socket: Socket) => void]>([
    ['in silence', (socket) => void socket.resume()],
    [
      'after it switched protocols',
      (socket) =>
        void socket.once('data', () => socket.write('HTTP/1.1 101 x\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')),
    ],
  ])('%s, has few places, and delays no other receiver and no mail', async (_, talk) => {
    let most = 0;
    const bad: RawServer = await startRawServer((socket) => {
      most = Math.max(most, bad.open.size);
      talk(socket);
    });
    await Promise.all(Array.from({ length: 100 }, () => orderTo(`http://127.0.0.1:${bad.port}/`)));
    await until('the receiver to be called', async () => (most > 0 ? true : null));
    const fine = await orderTo(healthy.url);
    const { id: mail } = await service.waybill.deliver({ mail: MAIL });
    await Promise.all([succeeded(fine), succeeded(mail)]);
    expect(most).toBeLessThanOrEqual(3);
    await bad.stop();
  });
});

describe('many hosts that hang', () => {
  it('leave slots for a host that answers, and for a new one', async () => {
    let [most, mostOfOne] = [0, 0];
    const hanging: RawServer[] = [];
    const hang = (socket: Socket): void => {
      socket.resume();
      const each = hanging.map((one) => one.open.size);
      most = Math.max(
        most,
        each.reduce((sum, count) => sum + count),
      );
      mostOfOne = Math.max(mostOfOne, ...each);
    };
    for (let at = 0; at < 40; at++) hanging.push(await startRawServer(hang));
    const [answering, another] = await Promise.all([startWebhookSink(), startWebhookSink()]);
    await succeeded(await orderTo(answering.url));
    const urls = hanging.map(({ port }) => `http://127.0.0.1:${port}/`);
    await Promise.all([...urls, ...urls, ...urls].map(orderTo));
    await until('most of them to be called', async () => (most >= 25 ? true : null));
    await Promise.all([answering.url, answering.url, another.url].map(async (url) => succeeded(await orderTo(url))));
    expect(mostOfOne).toBe(1);
    expect(most).toBeLessThanOrEqual(32 + 16);
    await Promise.all([...hanging, answering, another].map((one) => one.stop()));
  });
});

it('deliveries that hang keep no slot from operations and deletions', async () => {
  const { waybill } = service;
  const hanging: (() => void)[] = [];
  const deliver = jest
    .spyOn(Deliveries.prototype, 'deliver')
    .mockImplementation(() => new Promise<never>((resolve) => hanging.push(resolve as () => void)));
  const ids = await Promise.all(Array.from({ length: WEBHOOK_SLOTS }, () => orderTo(healthy.url)));
  await until('every slot to be taken', async () => (hanging.length === WEBHOOK_SLOTS ? true : null));
  await waybill.queue('emptied').define();
  const { id: pending } = await waybill.queue('emptied').enqueue();
  const { id: operation } = await waybill.operate('cancel', { filter: { queue: 'emptied' } });
  await succeeded(operation!);
  expect(await waybill.task(pending).get()).toMatchObject({ state: 'cancelled' });
  const { id: deletion } = await waybill.queue('emptied').deleteWithTasks();
  await succeeded(deletion!);
  expect(hanging).toHaveLength(WEBHOOK_SLOTS);
  deliver.mockRestore();
  for (const end of hanging) end();
  await Promise.all(ids.map(succeeded));
});

it('deletions that wait for running tasks keep no slot from operations and deliveries', async () => {
  const { waybill } = service;
  const running = [];
  // More than there are slots for operations, in both processes.
  for (let at = 0; at < 7; at++) {
    const queue = waybill.queue(`ending-${at}`);
    await queue.define();
    await queue.enqueue();
    running.push(...(await queue.claim({ worker: 'w1', leaseMs: 3_600_000 })));
    const { id } = await queue.deleteWithTasks();
    await taskThat(id!, ({ state }) => state === 'running');
  }
  await waybill.queue('cleared').define();
  const { id: pending } = await waybill.queue('cleared').enqueue();
  const { id } = await waybill.operate('cancel', { filter: { queue: 'cleared' } });
  await succeeded(id!);
  expect(await waybill.task(pending).get()).toMatchObject({ state: 'cancelled' });
  const { id: mail } = await waybill.deliver({ mail: MAIL });
  await Promise.all([succeeded(await orderTo(healthy.url)), succeeded(mail)]);
  await waybill.settle(running.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'succeed' } })));
});

describe('a receiver that keeps failing', () => {
  it('is tried seldom, says so, and gets its deliveries once it is well again', async () => {
    const receiver = await startWebhookSink();
    const target = new URL(receiver.url).host;
    receiver.answer = withStatus(500);
    const ids = await Promise.all(Array.from({ length: 8 }, () => orderTo(receiver.url)));
    const notTried = await until('a delivery that is not tried', async () => {
      const all = await Promise.all(ids.map((id) => service.waybill.task(id).get()));
      return all.find(({ error }) => error?.message.includes('none is tried before')) ?? null;
    });
    expect(notTried.error!.message).toContain(`Expected '${target}' to take deliveries, but the last `);
    expect(notTried.error!.message).toContain('answered with status 500');
    // A moment later it is tried again, or another one is.
    const reason = await until('a delivery that waits for its target', async () => {
      const all = await Promise.all(ids.map((id) => service.waybill.task(id).why()));
      return all.flatMap(({ reasons }) => reasons).find(({ because }) => because === 'target-failing') ?? null;
    });
    expect(reason).toMatchObject({ target, failures: expect.any(Number) });
    const system = await service.waybill.system.get();
    expect(system.firstFailingTargets).toContainEqual(expect.objectContaining({ target }));
    expect(await (await fetch(`${service.url}/metrics`)).text()).toMatch(/waybill_failing_delivery_targets [1-9]/);

    receiver.answer = withStatus(204);
    await service.passTime('13 hours');
    await until('all deliveries', async () => {
      const all = await Promise.all(ids.map((id) => service.waybill.task(id).get()));
      if (all.every(({ state }) => state === 'succeeded')) return true;
      if (all.some(({ state }) => state === 'pending')) await service.passTime('13 hours');
      return null;
    });
    expect((await service.waybill.system.get()).firstFailingTargets).not.toContainEqual(
      expect.objectContaining({ target }),
    );
    await receiver.stop();
  });

  it('has a label, by which a hold stops what goes there', async () => {
    const target = new URL(healthy.url).host;
    await service.waybill.holds.place('shop-moves', { target });
    const id = await orderTo(healthy.url);
    await taskThat(id, ({ state }) => state === 'held');
    await service.waybill.holds.lift('shop-moves');
    await service.waybill.task(id).release();
    await succeeded(id);
  });
});

it('a steward without a mail server leaves mail to those with one', async () => {
  // The first mail defines the queue.
  await succeeded((await service.waybill.deliver({ mail: MAIL })).id);
  const queue = service.waybill.queue('waybill.mail');
  await queue.pause();
  const { id } = await service.waybill.deliver({ mail: MAIL });
  await service.restart({ smtpUrl: undefined, mailFrom: undefined });
  await service.waybill.queue('waybill.mail').resume();
  await succeeded(await orderTo(healthy.url));
  expect(await service.waybill.task(id).get()).toMatchObject({ state: 'pending', attempt: 0 });
  await service.restart();
  expect(await succeeded(id)).toMatchObject({ attempt: 1 });
});
