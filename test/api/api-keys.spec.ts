import { createWaybill, type Waybill, type WaybillError } from '@waybill/client';
import { createHash, randomUUID as newId } from 'node:crypto';
import { type ApiKey, type Permission, PERMISSIONS } from '../../src/api/access/api-keys.js';
import { type RunningService, startService } from '../support/running-service.js';
import { fakeApplication, type FakeApplication } from './fake-application.js';

const keyOf = (name: string, text: string, may: readonly Permission[], expiresAt?: string): ApiKey => ({
  name,
  sha256: createHash('sha256').update(text).digest('hex'),
  may,
  ...(expiresAt && { expiresAt }),
});

const NOBODY = '019a0000-0000-7000-8000-000000000000';

/** The health checks of the process, which load balancers call. */
const OPEN = ['isLive', 'isReady'];
/** Its signature stands for a key. */
const SIGNED = 'takeDelivery';

/** They answer until their client leaves. */
const FOLLOWS = ['followEvents', 'followChanges'];

describe('a service that requires API keys', () => {
  let api: FakeApplication;
  let operations: { operationId: string; method: string; path: string; needed: readonly Permission[] }[];
  const keys = PERMISSIONS.map((one) => keyOf(one, `may-${one}`, [one]));
  beforeAll(async () => {
    api = await fakeApplication({
      apiKeys: [...keys, keyOf('old', 'expired', [...PERMISSIONS], '2020-01-01T00:00:00Z')],
    });
    const { paths } = (await api.app.inject('/openapi.json')).json();
    operations = Object.entries<Record<string, { operationId: string; 'x-waybill': { permissions: Permission[] } }>>(
      paths,
    ).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([
          method,
          {
            operationId,
            'x-waybill': { permissions: needed },
          },
        ]) => ({
          operationId,
          method,
          path,
          needed,
        }),
      ),
    );
  });
  afterAll(() => api.app.close());

  let asked = 0;
  /** The status, and the challenge if the request was refused on arrival. */
  async function ask({ method, path }: { method: string; path: string }, authorization?: string) {
    const response = await api.app.inject({
      method: method.toUpperCase() as 'GET',
      url: path.replaceAll('{queue}', 'mail').replaceAll('{id}', NOBODY),
      // From different addresses, because many refusals for one address are answered differently.
      remoteAddress: `192.0.2.${asked++ % 250}`,
      headers: { ...(authorization && { authorization }) },
    });
    const { statusCode, headers } = response;
    return { status: statusCode, challenge: headers['www-authenticate'], body: response.body };
  }

  it.each([
    ['no key', undefined],
    ['a key that nobody has', 'Bearer stranger'],
    ['a key that has expired', 'Bearer expired'],
    ['a hash in the place of its key', `Bearer ${keys[0]!.sha256}`],
    ['another scheme', 'Basic may-read'],
    ['an empty key', 'Bearer '],
  ])('refuses %s at every operation, before it reads the body', async (_, authorization) => {
    expect(operations.length).toBeGreaterThan(45);
    for (const operation of operations) {
      const { status, challenge, body } = await ask(operation, authorization);
      const open = OPEN.includes(operation.operationId);
      const refused = [operation.operationId, status === 401, challenge];
      const [asks, code] =
        operation.operationId === SIGNED ? ['Signature', 'SIGNATURE_REFUSED'] : ['Bearer', 'UNAUTHENTICATED'];
      expect(refused).toEqual([operation.operationId, !open, open ? undefined : asks]);
      if (!open) expect(JSON.parse(body)).toMatchObject({ code, instance: expect.any(String) });
    }
    expect(api.commands.executed).toEqual([]);
  });

  it.each([
    ['no key', undefined, 'the request has none'],
    ['an expired key', 'Bearer expired', 'the one in the request is unknown or has expired'],
    ['an unknown key', 'Bearer stranger', 'the one in the request is unknown or has expired'],
  ])('tells a request with %s what is missing', async (_, authorization, lack) => {
    const { body } = await ask(
      operations.find(({ operationId }) => operationId === 'listQueues')!,
      authorization,
    );
    const detail = `Expected 'Authorization: Bearer <API key>' with a valid API key, but ${lack}`;
    expect(JSON.parse(body)).toMatchObject({ code: 'UNAUTHENTICATED', detail });
  });

  it.each(PERMISSIONS)("lets a key with the permission '%s' do that, and nothing else", async (permission) => {
    for (const operation of operations.filter(({ operationId }) => !FOLLOWS.includes(operationId))) {
      if ([...OPEN, SIGNED].includes(operation.operationId)) continue;
      const { status, body } = await ask(operation, `Bearer may-${permission}`);
      const { needed } = operation;
      expect([operation.operationId, status === 403]).toEqual([operation.operationId, !needed.includes(permission)]);
      expect(status).not.toBe(401);
      if (status !== 403) continue;
      const detail = `Expected an API key with the permission '${needed.join("' or '")}', but that of '${permission}' has '${permission}'`;
      expect(JSON.parse(body)).toMatchObject({ code: 'FORBIDDEN', detail });
    }
  });

  it('lets a key for metrics read nothing else', async () => {
    const open: string[] = [];
    for (const operation of operations) {
      const { status } = await ask(operation, 'Bearer may-metrics');
      if (![401, 403].includes(status)) open.push(operation.operationId);
    }
    expect(open.sort()).toEqual(['isLive', 'isReady', 'readMetrics', 'whoAmI']);
    const { status } = await ask({ method: 'GET', path: '/metrics' }, 'Bearer may-read');
    expect(status).toBe(403);
  });

  it("requires a key on unknown paths, but not for the API's document", async () => {
    const statusOf = async (path: string) => (await ask({ method: 'GET', path })).status;
    expect(await statusOf('/nowhere')).toBe(401);
    expect(await statusOf('/docsy')).toBe(401);
    expect((await ask({ method: 'HEAD', path: '/v1/queues' })).status).toBe(401);
    expect(await statusOf('/docs')).toBe(200);
    expect(await statusOf('/openapi.json')).toBe(200);
  });

  it('requires a permission for every operation except the health checks and what is signed', () => {
    const open = operations.filter(({ needed }) => needed.length === 0).map(({ operationId }) => operationId);
    expect(open.sort()).toEqual([...OPEN, SIGNED].sort());
    expect(operations.find(({ operationId }) => operationId === 'retryTask')!.needed).toEqual(['operate']);
    expect(operations.find(({ operationId }) => operationId === 'listTasks')!.needed).toEqual(['read']);
  });
});

describe('the name of an API key', () => {
  let service: RunningService;
  const KEYS = { shop: 'wb_shop', boss: 'wb_boss', boss2: 'wb_boss2' };
  const as = (key: keyof typeof KEYS, actor?: string): Waybill =>
    createWaybill({ url: service.url, apiKey: KEYS[key], ...(actor !== undefined && { actor }) });
  beforeAll(async () => {
    service = await startService({
      apiKeys: [
        keyOf('shop', KEYS.shop, ['enqueue']),
        keyOf('boss', KEYS.boss, [...PERMISSIONS]),
        keyOf('boss2', KEYS.boss2, [...PERMISSIONS]),
      ],
    });
    await as('boss').queue('mail').define();
  });
  afterAll(() => service.stop());

  it('is the actor in the history, whatever the request says', async () => {
    const mail = (actor?: string) => as('shop', actor).queue('mail');
    const ids = [(await mail().enqueue(1)).id, (await mail('shop').enqueue(1)).id, (await mail('boss').enqueue(1)).id];
    const claimedTasks = await as('boss').queue('mail').claim({ worker: 'w1', max: 10 });
    await as('boss', 'ann').task(ids[0]!).abort();
    const actors = await Promise.all(
      ids.map(async (id) => (await as('boss').task(id).history()).map(({ envelope }) => envelope.actor)),
    );
    expect(claimedTasks).toHaveLength(3);
    expect(actors).toEqual([
      ['shop', 'boss:w1', 'boss:ann'],
      ['shop', 'boss:w1'],
      ['shop:boss', 'boss:w1'],
    ]);
  });

  it('is checked for each command of a transaction, which is refused as a whole if one is not allowed', async () => {
    const before = await as('boss').projections();
    const error: WaybillError = await as('shop')
      .transaction((tx) => {
        tx.queue('mail').enqueue(1);
        tx.queue('mail').pause();
      })
      .then(
        () => Promise.reject(new Error('was done')),
        (refused) => refused,
      );
    expect([error.code, error.status, error.data]).toEqual(['FORBIDDEN', 403, { index: 1 }]);
    expect((await as('boss').queue('mail').get()).state).toBe('active');
    expect(before.length).toBeGreaterThan(0);
    const { results } = await as('shop').transaction((tx) => void tx.queue('mail').enqueue(2));
    expect(results).toHaveLength(1);
  });

  it('does not share idempotency keys with other names', async () => {
    const enqueue = async (key: keyof typeof KEYS, payload: string) => {
      const headers = {
        authorization: `Bearer ${KEYS[key]}`,
        'content-type': 'application/json',
        'idempotency-key': 'order-17',
      };
      const body = JSON.stringify({ payload });
      const response = await fetch(`${service.url}/v1/queues/mail/tasks`, { method: 'POST', headers, body });
      const { id, code } = (await response.json()) as { id?: string; code?: string };
      return id ?? code;
    };
    const shops = await enqueue('shop', 'shoes');
    const bosses = await enqueue('boss', 'hats');
    expect([await enqueue('shop', 'shoes'), await enqueue('boss', 'hats')]).toEqual([shops, bosses]);
    expect(bosses).not.toBe(shops);
    expect(await enqueue('boss', 'shoes')).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  describe('given a repeated claim', () => {
    const claimId = newId();
    const again = (key: keyof typeof KEYS, actor?: string) =>
      as(key, actor).queue('claimed').claim({ worker: 'w1', claimId });
    const refusalOf = async (done: Promise<unknown>): Promise<string> =>
      done.then(
        (given) => `given ${JSON.stringify(given)}`,
        (error: WaybillError) => error.code,
      );
    beforeAll(async () => {
      await as('boss').queue('claimed').define();
      await as('boss').queue('claimed').enqueue('parcel');
    });

    it('gets its token only with the same name, whatever others found in the history', async () => {
      const [claimedTask] = await again('boss', 'w1');
      const history = await as('boss2').task(claimedTask!.taskId).history();
      const { data, envelope } = history.find(({ type }) => type === 'TaskClaimed')!;
      expect([data.claimId, data.worker, envelope.actor]).toEqual([claimId, 'w1', 'boss:w1']);
      for (const actor of [undefined, 'w1', 'boss', 'boss:w1']) {
        expect(await refusalOf(again('boss2', actor))).toBe('CLAIM_ID_REUSED');
      }
      expect((await again('boss', 'w1'))[0]!.token).toBe(claimedTask!.token);
      // Another actor of the same API key.
      expect((await again('boss'))[0]!.token).toBe(claimedTask!.token);
    });

    it('has a token that cannot be derived from its number and claim id', async () => {
      const [{ taskId, token } = { taskId: '', token: '' }] = await again('boss');
      const [number] = token.split('.');
      const forged = `${number}.${claimId}`;
      const [settled] = await as('boss2').settle([{ taskId, token: forged, verdict: { type: 'succeed' } }]);
      expect(settled).toMatchObject({ problem: { code: 'LEASE_LOST' } });
      const [extended] = await as('boss2').extend([{ taskId, token: forged }]);
      expect(extended).toMatchObject({ kind: 'lost' });
      expect((await as('boss').task(taskId).get()).state).toBe('running');
    });
  });

  it('lets a worker use the token', async () => {
    const done: unknown[] = [];
    const worker = as('boss').worker({ name: 'w2', logger: null });
    worker.handle('mail', ({ payload }) => void done.push(payload));
    await worker.start();
    const { id } = await as('shop').queue('mail').enqueue('hello');
    for await (const event of as('boss').events({ type: 'TaskSucceeded', follow: true }))
      if (event.stream === `task-${id}`) break;
    await worker.stop();
    expect(done).toContain('hello');
  });
});
