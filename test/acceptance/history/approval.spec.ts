import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createWaybill, type Waybill } from '@waybill/client';
import { createHash } from 'node:crypto';
import { type ApiKey, PERMISSIONS } from '../../../src/api/access/api-keys.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { erasing } from '../../support/subject-keys.js';
import { until } from '../../support/until.js';

const keyOf = (name: string): ApiKey => ({
  name,
  may: [...PERMISSIONS],
  sha256: createHash('sha256').update(`wb_${name}`).digest('hex'),
});

/** Who calls: by an API key, under the name that the request says, or as whom the proxy has signed in. */
interface Who {
  readonly key: string;
  readonly says?: string;
  readonly signedIn?: string;
}

describe('the approval of an erasure, with API keys', () => {
  let service: RunningService;
  let waybill: Waybill;
  beforeAll(async () => {
    service = await startService({
      apiKeys: [keyOf('dora'), keyOf('ann')],
      trustedProxies: ['127.0.0.1'],
      proxyUserHeader: 'X-Forwarded-User',
      erasureApproval: true,
      ...erasing(),
    });
    waybill = createWaybill({ url: service.url, apiKey: 'wb_dora' });
    await waybill.queue('mail').define();
  });
  afterAll(() => service.stop());

  async function post({ key, says, signedIn }: Who, path: string, body: object) {
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer wb_${key}`,
      ...(says !== undefined && { 'waybill-actor': says }),
      ...(signedIn !== undefined && { 'x-forwarded-user': signedIn }),
    };
    const response = await fetch(`${service.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await response.json()) as { readonly id?: string; readonly code?: string; readonly detail?: string };
  }

  async function ordered(who: Who): Promise<string> {
    const { id: task } = await waybill.queue('mail').enqueue(null);
    await waybill.task(task).abort();
    const { id } = await post(who, '/v1/erasures', { task, reason: 'Art. 17' });
    return id!;
  }
  const release = (who: Who, order: string) => post(who, `/v1/tasks/${order}/release`, {});
  const ended = (order: string) =>
    until('the erasure to end', async () => {
      const { state, result } = await waybill.task(order).get();
      return state === 'held' || state === 'pending' || state === 'running' ? null : { state, result };
    });

  it('H-52 is of another key, whatever names requests with one key say', async () => {
    const order = await ordered({ key: 'dora', says: 'x' });
    for (const who of [{ key: 'dora' }, { key: 'dora', says: 'y' }]) {
      const { code, detail } = await release(who, order);
      expect({ code, detail }).toEqual({ code: 'APPROVAL_NEEDED', detail: expect.stringContaining("'dora' ordered") });
    }
    expect((await waybill.task(order).get()).state).toBe('held');
    expect(await release({ key: 'ann', says: 'dora' }, order)).toMatchObject({ id: order });
    expect(await ended(order)).toMatchObject({ state: 'succeeded', result: { erased: 1 } });
  });

  it('H-52 is of another person with the same key, if a trusted proxy has signed both in', async () => {
    const [eve, bob] = [
      { key: 'dora', signedIn: 'eve' },
      { key: 'dora', signedIn: 'bob' },
    ];
    const order = await ordered(eve);
    for (const who of [eve, { key: 'dora', says: 'bob' }])
      expect(await release(who, order)).toMatchObject({ code: 'APPROVAL_NEEDED' });
    expect(await release(bob, order)).toMatchObject({ id: order });
    expect(await ended(order)).toMatchObject({ state: 'succeeded' });
    expect(await release(bob, await ordered({ key: 'dora', says: 'eve' }))).toMatchObject({ code: 'APPROVAL_NEEDED' });
  });
});
