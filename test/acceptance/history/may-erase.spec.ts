import { createHash } from 'node:crypto';
import type { ApiKey, Permission } from '../../../src/api/access/api-keys.js';
import { StartErasure } from '../../../src/application/erasures/start-erasure.handler.js';
import { LiftHold, PlaceHold } from '../../../src/application/holds/operate-hold.handler.js';
import { OperateTask } from '../../../src/application/tasks/operate-task.handler.js';
import { fakeApplication, type FakeApplication, receipt } from '../../api/fake-application.js';

const ID = '0192a3b4-0000-7000-8000-000000000001';

const keyOf = (name: string, ...may: readonly Permission[]): ApiKey => ({
  name,
  may: [...may],
  sha256: createHash('sha256').update(`wb_${name}`).digest('hex'),
});

let api: FakeApplication;
beforeAll(async () => {
  api = await fakeApplication({
    trustedProxies: ['127.0.0.1'],
    proxyUserHeader: 'X-Forwarded-User',
    apiKeys: [keyOf('ann', 'operate'), keyOf('dora', 'operate', 'erase')],
  });
  api.commands.answer(StartErasure, () => ({ tasks: 1, receipt: receipt(ID), needsApproval: true }));
  api.commands.answer(LiftHold, () => receipt('case-7'));
  api.commands.answer(PlaceHold, () => receipt('case-7'));
  api.commands.answer(OperateTask, () => receipt(ID));
});
afterAll(() => api.app.close());

const post = (key: string, url: string, payload: object, headers: object = {}) =>
  api.app.inject({ method: 'POST', url, payload, headers: { authorization: `Bearer wb_${key}`, ...headers } });

it('H-52 an erasure needs its own permission, which operate does not include, and a reason', async () => {
  const order = { task: ID, reason: 'Art. 17' };
  const answers = [
    await post('ann', '/v1/erasures', order),
    await post('dora', '/v1/erasures', { task: ID }),
    await post('dora', '/v1/erasures', order),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 400, 200]);
  expect(api.commands.executed).toHaveLength(1);
});

it('H-52 a release says by which name the service knows whoever may approve an erasure', async () => {
  const approverOf = async (key: string, headers: object = {}) => {
    await post(key, `/v1/tasks/${ID}/release`, {}, headers);
    return (api.commands.executed.at(-1) as OperateTask).operation as object;
  };
  const named = { 'waybill-actor': 'x' };
  const signedIn = { ...named, 'x-forwarded-user': 'eve' };
  expect(await approverOf('ann')).toEqual({ type: 'ReleaseTask' });
  expect(await approverOf('dora')).toEqual({ type: 'ReleaseTask', approver: 'dora' });
  expect(await approverOf('dora', named)).toEqual({ type: 'ReleaseTask', approver: 'dora' });
  expect(await approverOf('dora', signedIn)).toEqual({ type: 'ReleaseTask', approver: 'dora:eve' });
});

it.each([
  ['ann', false],
  ['dora', true],
])('H-52 a legal hold that %s changes or lifts is told whether they may erase: %s', async (key, mayErase) => {
  const headers = { authorization: `Bearer wb_${key}` };
  const payload = { labels: { customer: 'acme' } };
  await api.app.inject({ method: 'PUT', url: '/v1/holds/case-7', payload, headers });
  expect(api.commands.executed.at(-1)).toMatchObject({ rights: { mayErase } });
  await api.app.inject({ method: 'DELETE', url: '/v1/holds/case-7', headers });
  expect(api.commands.executed.at(-1)).toMatchObject({ hold: 'case-7', mayErase });
});

it('an expiry, which erases by the clock, is set by whoever may erase', async () => {
  const define = (key: string) =>
    api.app.inject({
      method: 'PUT',
      url: '/v1/queues/mail',
      payload: { policy: { expireDays: 30 } },
      headers: { authorization: `Bearer wb_${key}` },
    });
  const before = api.commands.executed.length;
  expect((await define('ann')).statusCode).toBe(403);
  expect(api.commands.executed).toHaveLength(before);
  await define('dora');
  expect(api.commands.executed.at(-1)).toMatchObject({ name: 'mail', policyChanges: { expireDays: 30 } });
});
