import { createWaybill } from '@waybill/client';
import { type RunningService, startService } from '../support/running-service.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  await service.waybill.queue('mail').define();
});
afterAll(() => service.stop());

const actorOf = async (id: string) => (await service.waybill.task(id).history())[0]!.envelope.actor;

it.each(['Jürgen', 'Иван', '佐藤', 'ann 😀'])('an actor may have any name: %s', async (actor) => {
  const { id } = await service
    .as(actor)
    .queue('mail')
    .enqueue({}, { idempotencyKey: `key of ${actor}` });
  expect(await actorOf(id)).toBe(actor);
});

it.each([
  ['UTF-8', 'utf8'],
  ['Latin-1', 'latin1'],
] as const)('a name in a header may be %s', async (_, encoding) => {
  const actor = Buffer.from('Jürgen', encoding).toString('latin1');
  const headers = { 'content-type': 'application/json', 'waybill-actor': actor };
  const response = await fetch(`${service.url}/v1/queues/mail/tasks`, { method: 'POST', headers, body: '{}' });
  expect(await actorOf(((await response.json()) as { id: string }).id)).toBe('Jürgen');
});

it('control characters are refused before anything is sent', async () => {
  expect(() => createWaybill({ url: service.url, actor: 'a\nb' })).toThrow('Expected actor to be text without control');
  const queue = service.waybill.queue('mail');
  await expect(queue.enqueue({}, { idempotencyKey: 'a\nb' })).rejects.toThrow('Expected idempotencyKey to be text');
  await expect(queue.enqueue({}, { requestId: 'a\0b' })).rejects.toThrow('Expected requestId to be text');
});
