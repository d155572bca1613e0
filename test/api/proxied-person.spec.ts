import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage, request } from 'node:http';
import { OperateQueue } from '../../src/application/queues/operate-queue.handler.js';
import type { ApiKey } from '../../src/api/access/api-keys.js';
import type { Access } from '../../src/api/http/http-adapter.js';
import { fakeApplication, type FakeApplication, receipt } from './fake-application.js';

const PROXY = '10.0.0.7';
const PROXIES = { trustedProxies: [PROXY, '127.0.0.1'], proxyUserHeader: 'X-Forwarded-User', hosts: ['waybill'] };
const KEY: ApiKey = { name: 'web', may: ['operate'], sha256: createHash('sha256').update('wb_web').digest('hex') };

let api: FakeApplication;
afterEach(() => api.app.close());

async function serve(access: Access = PROXIES): Promise<void> {
  api = await fakeApplication(access);
  api.commands.answer(OperateQueue, () => receipt('mail'));
}

/** Under which name a command of this request is recorded. */
async function actorOf(headers: Record<string, string>, remoteAddress = PROXY): Promise<string> {
  const url = '/v1/queues/mail/pause';
  const { statusCode } = await api.app.inject({ method: 'POST', url, remoteAddress, headers });
  expect(statusCode).toBe(200);
  return (api.commands.executed.at(-1) as { readonly context: { readonly actor: string } }).context.actor;
}

describe('the person that a trusted proxy has signed in', () => {
  it('is the actor of commands, in any script', async () => {
    await serve();
    expect(await actorOf({ 'x-forwarded-user': 'ann@example.com' })).toBe('ann@example.com');
    const utf8 = Buffer.from('Жанна').toString('latin1');
    expect(await actorOf({ 'X-FORWARDED-USER': utf8 })).toBe('Жанна');
  });

  it('stays the actor, whatever name the browser claims', async () => {
    await serve();
    expect(await actorOf({ 'x-forwarded-user': 'mallory', 'waybill-actor': 'ann' })).toBe('mallory');
  });

  it('acts through the API key that the proxy adds', async () => {
    await serve({ ...PROXIES, apiKeys: [KEY] });
    const headers = { authorization: 'Bearer wb_web', 'x-forwarded-user': 'ann' };
    expect(await actorOf(headers)).toBe('web:ann');
    const me = await api.app.inject({ url: '/v1/me', remoteAddress: PROXY, headers });
    expect(me.json()).toMatchObject({ actor: 'web:ann', person: 'ann', key: { name: 'web' } });
  });

  it('opens nothing without the API key', async () => {
    await serve({ ...PROXIES, apiKeys: [KEY] });
    const headers = { 'x-forwarded-user': 'ann' };
    expect((await api.app.inject({ url: '/v1/me', remoteAddress: PROXY, headers })).statusCode).toBe(401);
  });

  it('has rooms of its own, although all come by one address', async () => {
    await serve({ ...PROXIES, streamLimits: { streamsPerHolder: 1, streams: 9 } });
    api.live.open = () => ({
      lackingUpTo: async () => null,
      next: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve([]))),
      close: async () => undefined,
    });
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    const statusOf = async (person: string): Promise<number> => {
      const sent = get(`${await api.app.getUrl()}/v1/changes/stream`, {
        headers: { 'x-forwarded-user': person },
        agent: false,
      });
      return ((await once(sent, 'response')) as [IncomingMessage])[0].on('error', () => undefined).statusCode!;
    };
    expect([await statusOf('ann'), await statusOf('bob'), await statusOf('ann')]).toEqual([200, 200, 429]);
  });

  it('is nobody if the proxy names none', async () => {
    await serve();
    expect(await actorOf({ 'x-forwarded-user': '', 'waybill-actor': 'robot' })).toBe('robot');
  });
});

describe('a claim to be somebody', () => {
  it.each([
    ['from another address', {}],
    ['that says it was forwarded by the proxy', { 'x-forwarded-for': PROXY }],
    ['that says it was forwarded for the proxy', { forwarded: `for=${PROXY}`, 'x-real-ip': PROXY }],
  ])('is not believed %s', async (_, more) => {
    await serve();
    const headers = { 'x-forwarded-user': 'ann', 'waybill-actor': 'mallory', ...more };
    expect(await actorOf(headers, '10.0.0.8')).toBe('mallory');
  });

  it('is not believed if no header is configured', async () => {
    await serve({ trustedProxies: [PROXY], hosts: ['waybill'] });
    expect(await actorOf({ 'x-forwarded-user': 'ann' })).toBe('anonymous');
  });

  it.each([
    ['a name that cannot be recorded', ['a\tb'], 'other text'],
    ['a name that is too long', ['a'.repeat(201)], 'other text'],
    [
      'a second name, which the client sent',
      ['mallory', 'ann'],
      '2 of them: a proxy must replace what its client sent',
    ],
  ])('is refused for %s', async (_, names, got) => {
    await serve();
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    const sent = request(`${await api.app.getUrl()}/v1/me`, { agent: false }).setHeader('x-forwarded-user', names);
    const [response] = (await once(sent.end(), 'response')) as [IncomingMessage];
    let text = '';
    for await (const part of response.setEncoding('utf8')) text += part as string;
    expect(JSON.parse(text)).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
      errors: [
        {
          pointer: '#/headers/x-forwarded-user',
          detail: `Expected one name of up to 200 printable characters, but got ${got}`,
        },
      ],
    });
  });
});
