import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { ClaimTasks } from '../../src/application/claims/claim-tasks.handler.js';
import { FairRoom, halfOfTheRest, upTo } from '../../src/domain/kernel/fair-room.js';
import type { ApiKey } from '../../src/api/access/api-keys.js';
import type { WaybillHttpAdapter } from '../../src/api/http/http-adapter.js';
import { Turns } from '../../src/api/http/turns.js';
import { GetTask } from '../../src/projections/tasks/get-task.query.js';
import { until } from '../support/until.js';
import { fakeApplication, type FakeApplication } from './fake-application.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const TASK = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f';

describe('a fair room', () => {
  it('gives one holder alone half of it, and always leaves something for the next one', () => {
    const room = new FairRoom(1_000, halfOfTheRest);
    const fill = (holder: string): number => {
      while (room.take(holder, 1) === null);
      return room.heldBy(holder);
    };
    expect(['a', 'b', 'c', 'd'].map(fill)).toEqual([500, 250, 125, 62]);
    expect([room.inUse, room.refusals, room.isCrowded]).toEqual([937, 4, true]);
  });

  it('gives a holder less once others have come, and more once they have left', () => {
    const room = new FairRoom(900, halfOfTheRest);
    room.take('a', 300);
    room.take('b', 300);
    expect(room.lackFor('a', 1)).toBe('share');
    room.giveBack('b', 300);
    expect(room.lackFor('a', 150)).toBeNull();
  });

  it('takes anything while it is empty, and nothing beyond its size otherwise', () => {
    const room = new FairRoom(10, halfOfTheRest);
    expect(room.take('a', 20)).toBeNull();
    expect([room.take('b', 1), room.take('a', 1)]).toEqual(['room', 'room']);
    room.giveBack('a', 20);
    expect([room.inUse, room.heldBy('a')]).toEqual([0, 0]);
  });

  it('can have a fixed share', () => {
    const room = new FairRoom(3, upTo(2));
    expect(['a', 'a', 'a', 'b', 'b'].map((holder) => room.take(holder, 1))).toEqual([
      null,
      null,
      'share',
      null,
      'room',
    ]);
  });
});

it('given more queries of a holder than run at once, lets others pass, and goes on in order', async () => {
  const turns = new Turns(2, 2);
  const done: string[] = [];
  const [first] = [await turns.take('a'), await turns.take('a')];
  const waiting = ['third', 'fourth'].map((name) => turns.take('a').then((leave) => (done.push(name), leave)));
  await expect(turns.take('a')).rejects.toMatchObject({ code: 'OVERLOADED' });
  (await turns.take('b'))();
  expect(done).toEqual([]);
  first();
  (await waiting[0]!)();
  await waiting[1];
  expect(done).toEqual(['third', 'fourth']);
});

const keyOf = (name: string, more: Partial<ApiKey> = {}): ApiKey => ({
  name,
  sha256: createHash('sha256').update(name).digest('hex'),
  may: ['read', 'enqueue', 'work', 'operate'],
  ...more,
});
const KEYS = [keyOf('attacker'), keyOf('shop')];

describe('given a service with two API keys', () => {
  let api: FakeApplication;
  let port: number;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    api = await fakeApplication({ apiKeys: KEYS, bodies: { bodyBytes: 4 * MIB, bytesInFlight: 32 * MIB } });
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    port = Number(new URL(await api.app.getUrl()).port);
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await api.app.close();
  });

  const adapter = (): WaybillHttpAdapter => api.app.getHttpAdapter() as unknown as WaybillHttpAdapter;

  async function opened(): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  }

  const head = (path: string, declared: string, method = 'POST'): string =>
    `${method} /v1/${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer attacker\r\ncontent-type: application/json\r\n${declared}\r\n\r\n`;

  /** The attacker sends these, each over a connection of its own, and takes nothing. */
  async function attack(count: number, request: string): Promise<void> {
    await Promise.all(Array.from({ length: count }, async () => (await opened()).pause().write(request)));
  }

  const ask = (path: string, body?: object, key = 'shop'): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/v1/${path}`, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });

  /** An enqueue, a large batch, a claim and a heartbeat of the other key. 400: the body was let in. */
  async function statusesOfOthers(): Promise<number[]> {
    const calls = [
      ask('queues/mail/tasks', { unknown: 1 }),
      ask('tasks/batch', { unknown: 'x'.repeat(4 * MIB - 20) }),
      ask('queues/mail/claims', { unknown: 1 }),
      ask('leases/extend', { unknown: 'x'.repeat(100 * KIB) }),
    ];
    return (await Promise.all(calls)).map(({ status }) => status);
  }

  const used = (count: number, room: 'bodies' | 'smallBodies' | 'answers' | 'waitingClaims') =>
    until(`room ${room} to be used by requests`, async () =>
      adapter().rooms[room].inUse >= count || adapter().rooms[room].refusals > 0 ? true : null,
    );

  it.each([
    ['large bodies of a known length', 8, `content-length: ${4 * MIB}`, 'bodies'],
    ['bodies of an unknown length', 20, 'transfer-encoding: chunked', 'bodies'],
    ['middling bodies', 600, `content-length: ${64 * KIB}`, 'bodies'],
    ['small bodies', 600, `content-length: ${16 * KIB}`, 'smallBodies'],
  ] as const)('%s that never end stop nobody else', async (_, count, declared, room) => {
    await attack(count, head('tasks/batch', declared));
    await until('one of them to be refused', async () => (adapter().rooms[room].refusals > 0 ? true : null));
    expect(await statusesOfOthers()).toEqual([400, 400, 400, 400]);
    expect(
      (await ask('tasks/batch', { unknown: 'x'.repeat(room === 'bodies' ? 4 * MIB - 20 : 9_000) }, 'attacker')).status,
    ).toBe(503);
  });

  it('claims that wait keep no room for their padded bodies', async () => {
    api.commands.answer(
      ClaimTasks,
      ({ request }) => new Promise((resolve) => request.signal.addEventListener('abort', resolve)),
    );
    const body = JSON.stringify({ worker: 'w', waitMs: 60_000 }).padEnd(64 * KIB);
    await attack(300, head('queues/mail/claims', `content-length: ${body.length}`) + body);
    await until('them to wait', async () => (adapter().rooms.waitingClaims.inUse === 300 ? true : null));
    expect(adapter().rooms.bodies.inUse).toBe(0);
    expect(await statusesOfOthers()).toEqual([400, 400, 400, 400]);
  });

  it('a body of an unknown length counts with its own once it is there', async () => {
    let answer: (value: object) => void = () => undefined;
    api.queries.answer(GetTask, () => null);
    api.commands.answer(ClaimTasks, () => new Promise((resolve) => (answer = resolve)));
    const socket = await opened();
    socket.write(`${head('queues/mail/claims', 'transfer-encoding: chunked')}e\r\n{"worker":"w"}\r\n0\r\n\r\n`);
    await until('the claim to be made', async () => (api.commands.executed.length > 0 ? true : null));
    expect(adapter().rooms.bodies.inUse).toBe(0);
    answer({ tasks: [], position: null, refusal: null });
  });

  it('answers that one key does not take leave room for those of others', async () => {
    api.queries.answer(GetTask, () => ({ traces: [], payload: 'x'.repeat(7 * MIB) }));
    await attack(8, head(`tasks/${TASK}`, 'accept: */*', 'GET'));
    await until('one of them to be refused', async () => (adapter().rooms.answers.refusals > 0 ? true : null));
    const response = await ask(`tasks/${TASK}`);
    expect(response.status).toBe(200);
    expect(await response.text()).toHaveLength(7 * MIB + '{"traces":[],"payload":""}'.length);
    const refused = await ask(`tasks/${TASK}`, undefined, 'attacker');
    expect(await refused.json()).toMatchObject({
      code: 'OVERLOADED',
      detail: expect.stringContaining("API key 'attacker'"),
    });
  });

  it.each([
    ['bodies', 'tasks/batch', 64 * KIB],
    ['smallBodies', 'tasks/batch', 8 * KIB],
    ['waitingClaims', 'queues/mail/claims', 64],
  ] as const)(
    'given requests behind another one on a connection that breaks, gives back their %s',
    async (room, path, length) => {
      api.commands.answer(
        ClaimTasks,
        ({ request }) =>
          new Promise((resolve) => request.signal.addEventListener('abort', () => resolve({ tasks: [] }))),
      );
      const waiting = JSON.stringify({ worker: 'w', waitMs: 60_000 }).padEnd(64);
      const first = head('queues/mail/claims', `content-length: ${waiting.length}`) + waiting;
      const last = room === 'waitingClaims' ? first : head(path, `content-length: ${length}`);
      const socket = await opened();
      socket.write(`${first}${first}${last}`);
      await used(room === 'waitingClaims' ? 3 : length, room);
      socket.destroy();
      await until('the room to be free', async () => (adapter().rooms[room].inUse === 0 ? true : null));
    },
  );

  it('ends the waiting claim of a key that is removed with 401, and no other', async () => {
    const signals: AbortSignal[] = [];
    api.commands.answer(ClaimTasks, ({ request: { signal } }) => {
      signals.push(signal);
      return new Promise((resolve) =>
        signal.addEventListener('abort', () => resolve({ tasks: [], position: null, refusal: null })),
      );
    });
    const claims = ['attacker', 'shop'].map((key) => ask('queues/mail/claims', { worker: 'w', waitMs: 60_000 }, key));
    claims[1]!.catch(() => undefined);
    await until('both to wait', async () => (signals.length === 2 ? true : null));
    adapter().keys!.replace([KEYS[1]!]);
    const ended = await claims[0]!;
    expect([ended.status, await ended.json()]).toMatchObject([401, { code: 'UNAUTHENTICATED' }]);
    expect(adapter().rooms.waitingClaims.inUse).toBe(1);
    expect((await ask('queues/mail/claims', { worker: 'w' }, 'attacker')).status).toBe(401);
  });

  it.each([
    ['loses the permission', { may: ['read'] }],
    ['loses the queue', { may: ['work:other'] }],
    ['expires', { expiresAt: new Date(0).toISOString() }],
    ['gets a quota', { quota: { runningTasks: 1 } }],
    ['gets another name, by which the history would call it', { name: 'store' }],
  ] as const)('ends the waiting claim of a key that %s', async (_, change) => {
    api.commands.answer(
      ClaimTasks,
      ({ request: { signal } }) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => resolve({ tasks: [], position: null, refusal: null })),
        ),
    );
    const claim = ask('queues/mail/claims', { worker: 'w', waitMs: 60_000 });
    await used(1, 'waitingClaims');
    adapter().keys!.replace([KEYS[0]!, { ...KEYS[1]!, ...change }]);
    expect((await claim).status).toBe(401);
  });
});
