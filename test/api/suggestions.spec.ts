import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createWaybill, type Waybill } from '@waybill/client';
import { createHash } from 'node:crypto';
import { type ApiKey, PERMISSIONS } from '../../src/api/access/api-keys.js';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

const keyOf = (name: string, may: ApiKey['may']): ApiKey => ({
  name,
  may,
  sha256: createHash('sha256').update(`wb_${name}`).digest('hex'),
});
const KEYS = [keyOf('boss', [...PERMISSIONS]), keyOf('mailer', ['read:mail'])];

let service: RunningService;
const as = (name: string): Waybill => createWaybill({ url: service.url, apiKey: `wb_${name}` });
const FAILURE = { message: 'connect ETIMEDOUT to db-3', class: 'transient' } as const;

beforeAll(async () => {
  service = await startService({ apiKeys: KEYS });
  const boss = as('boss');
  await boss.queue('mail').define({ search: ['order.id'], retry: { maxAttempts: 1, classes: [] } });
  await boss
    .queue('mail-print')
    .define({ search: ['sheet'], steps: ['read', { name: 'write' }] }, { description: 'Printers' });
  await boss.queue('mail').enqueue(1, { kind: 'letter', labels: { customer: 'acme', region: 'eu west' } });
  await boss.queue('mail').enqueue(2, { kind: 'card', labels: { customer: 'acme' } });
  await boss.queue('mail').enqueue(3, { kind: 'card', labels: { customer: 'apex' } });
  await boss.queue('mail-print').enqueue(4, { kind: 'catalogue', labels: { customer: 'secret', colour: 'red' } });
  const [claimed] = await boss.queue('mail').claim({ worker: 'w1', build: 'build-41', waitMs: 10_000 });
  await boss.queue('mail-print').claim({ worker: 'w2', build: 'build-42', waitMs: 10_000, steps: ['read'] });
  await boss.settle([{ taskId: claimed!.taskId, token: claimed!.token, verdict: { type: 'fail', error: FAILURE } }]);
  // Makes tasks of the service itself.
  await boss.operate('hold', { filter: { queue: 'mail', state: 'pending' } });
  await until('the failure to be in its group', async () => (await boss.failures.list().next()).value ?? null);
});
afterAll(() => service.stop());

async function suggested(q: string, name = 'boss'): Promise<string[]> {
  const { items } = await as(name).tasks.suggestions(q);
  return items.map(({ text }) => text);
}

describe('suggestions for a search', () => {
  it.each<[string, string[]]>([
    ['st', ['state:', 'step:']],
    ['kind:card S', ['state:', 'step:', 'since:']],
    ['la', ['label.']],
    ['label.', ['label.customer:', 'label.colour:', 'label.region:']],
    ['label.re', ['label.region:']],
    ['payload.', ['payload.order.id:', 'payload.sheet:']],
    ['queue:', ['mail', 'mail-print']],
    ['queue:MAIL-', ['mail-print']],
    ['queue:mail,mail-p', ['mail-print']],
    ['state:f', ['failed']],
    ['error:tr', ['transient']],
    ['kind:', ['card', 'catalogue', 'letter']],
    ['kind:ca', ['card', 'catalogue']],
    ['queue:mail kind:ca', ['card']],
    ['label.customer:a', ['acme', 'apex']],
    ['label.region:', ['"eu west"']],
    ['label.none:', []],
    ['worker:w', ['w1', 'w2']],
    ['queue:mail worker:w', ['w1']],
    ['step:', ['read', 'write']],
    ['build:', ['build-42', 'build-41']],
    ['actor:b', []],
    ['constructor:', []],
    ['a word', []],
  ])('of %s are %j', async (q, texts) => {
    expect(await suggested(q)).toEqual(texts);
  });

  it('are all fields where nothing is written yet', async () => {
    const texts = await suggested('');
    expect(texts).toEqual(
      expect.arrayContaining(['id:', 'queue:', 'state:', 'label.', 'payload.', 'since:', 'ended>']),
    );
  });

  it('stand in the place of what is written, and say what they are', async () => {
    const { at, items } = await as('boss').tasks.suggestions('state:failed queue:mail-');
    expect({ at, items }).toEqual({ at: 19, items: [{ text: 'mail-print', about: 'Printers' }] });
  });

  it('have groups of failures by their ids and by words of their messages', async () => {
    const { items } = await as('boss').tasks.suggestions('group:etimed');
    expect(items).toEqual([{ text: expect.stringMatching(/^g[0-9a-f]{15}$/), about: FAILURE.message }]);
    expect(await suggested(`group:${items[0]!.text.slice(0, 6)}`)).toEqual([items[0]!.text]);
    expect(await suggested('queue:mail-print group:')).toEqual([]);
  });

  it('have nothing of the queues of the service itself', async () => {
    expect(await suggested('queue:way')).toEqual([]);
    expect(await suggested('kind:way')).toEqual([]);
  });
});

describe('suggestions for a key for some queues', () => {
  it.each<[string, string[]]>([
    ['queue:', ['mail']],
    ['kind:', ['card', 'letter']],
    ['queue:mail-print kind:', []],
    ['queue:mail-print,mail kind:ca', ['card']],
    ['label.', ['label.customer:', 'label.region:']],
    ['label.customer:', ['acme', 'apex']],
    ['label.colour:', []],
    ['payload.', ['payload.order.id:']],
    ['worker:', ['w1']],
    ['step:', []],
    ['build:', ['build-41']],
    ['state:fa', ['failed']],
  ])('of %s are %j', async (q, texts) => {
    expect(await suggested(q, 'mailer')).toEqual(texts);
  });

  it('have groups of failures in its queues alone', async () => {
    const { items } = await as('mailer').tasks.suggestions('group:');
    expect(items).toEqual([{ text: expect.any(String), about: FAILURE.message }]);
  });
});
