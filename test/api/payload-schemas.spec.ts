import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueueHandle } from '@waybill/client';
import { createHash } from 'node:crypto';
import { type RunningService, startService } from '../support/running-service.js';

const ORDER = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' } },
  additionalProperties: false,
} as const;

let service: RunningService;
let orders: QueueHandle;
beforeAll(async () => {
  service = await startService();
  orders = service.waybill.queue('orders');
  await orders.define({ kinds: ['order', 'note'], payloadSchemas: { order: ORDER } });
});
afterAll(() => service.stop());

const refused = (at: string, because: string) => ({
  code: 'PAYLOAD_INVALID',
  status: 422,
  message: `Expected the payload to match the schema of kind 'order' in queue 'orders' (policy version 1), but ${at} ${because}`,
});

describe("a payload of a kind that has a schema in its queue's policy", () => {
  it('is taken if it matches, and otherwise refused with the place of the first mismatch', async () => {
    await orders.enqueue({ id: 1 });
    await expect(orders.enqueue({ id: '1' })).rejects.toMatchObject(refused("'/id'", 'must be integer'));
    await expect(orders.enqueue()).rejects.toMatchObject(refused('it', 'must be object'));
    const outcomes = await orders.enqueueMany([{ payload: { id: 2 } }, { payload: {} }, { payload: {}, kind: 'note' }]);
    expect(outcomes.map((one) => ('problem' in one ? one.problem.code : one.status))).toEqual([
      'enqueued',
      'PAYLOAD_INVALID',
      'enqueued',
    ]);
  });

  it('is refused within a transaction, of which nothing is recorded', async () => {
    const before = await orders.stats();
    const both = service.waybill.transaction((tx) => {
      tx.queue('orders').enqueue({ id: 3 });
      tx.queue('orders').enqueue({ id: null });
    });
    await expect(both).rejects.toMatchObject({ code: 'PAYLOAD_INVALID' });
    expect((await orders.stats()).counts).toEqual(before.counts);
  });

  it('is checked when somebody amends it, and a task that ran before the schema may run again', async () => {
    const { id } = await orders.enqueue({ id: 4 });
    const task = service.waybill.task(id);
    await expect(task.amend({ id: 4.5 })).rejects.toMatchObject(refused("'/id'", 'must be integer'));
    await task.amend({ id: 5 });
    const old = service.waybill.queue('old');
    await old.define({ onFailure: 'fail' });
    const before = await old.enqueue({ any: 'thing' });
    const [claimed] = await old.claim({ worker: 'w' });
    const error = { message: 'no' };
    await service.waybill.settle([
      { taskId: claimed!.taskId, token: claimed!.token, verdict: { type: 'fail', error } },
    ]);
    await old.changePolicy({ payloadSchemas: { task: ORDER } }, { ifVersion: 1 });
    await expect(old.enqueue({ any: 'thing' })).rejects.toMatchObject({ code: 'PAYLOAD_INVALID' });
    await service.waybill.task(before.id).retry();
    expect((await service.waybill.task(before.id).get()).state).toBe('pending');
  });
});

it('refuses a policy with a schema that cannot be used, and keeps the one before', async () => {
  const change = orders.changePolicy({ payloadSchemas: { order: { typ: 'object' } } }, { ifVersion: 1 });
  await expect(change).rejects.toMatchObject({
    code: 'PAYLOAD_SCHEMA_INVALID',
    message: expect.stringContaining('unknown keyword: "typ"'),
  });
  const { policy, policyVersion } = await orders.get();
  expect({ schemas: policy.payloadSchemas, policyVersion }).toEqual({ schemas: { order: ORDER }, policyVersion: 1 });
});

it('takes a payload with its digest, and refuses it with that of another', async () => {
  const payloadSha256 = createHash('sha256').update('{"id":6}').digest('hex');
  await orders.enqueue({ id: 6 }, { payloadSha256 });
  await expect(orders.enqueue({ id: 7 }, { payloadSha256 })).rejects.toMatchObject({
    code: 'PAYLOAD_DIGEST_MISMATCH',
    status: 422,
    message: expect.stringContaining(payloadSha256),
  });
});
