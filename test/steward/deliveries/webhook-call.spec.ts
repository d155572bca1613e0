import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AllowedTargets } from '../../../src/steward/deliveries/allowed-target.js';
import { FailedDelivery, RefusedDelivery } from '../../../src/steward/deliveries/refused-delivery.js';
import { post } from '../../../src/steward/deliveries/webhook-call.js';
import type { Socket } from 'node:net';
import { repeat, startRawServer } from '../../support/sinks/raw-server.js';
import { until } from '../../support/until.js';
import { startWebhookSink, type WebhookSink, withStatus } from '../../support/sinks/webhook-sink.js';

const HERE = new AllowedTargets({ webhookHttp: true, webhookNetworks: ['127.0.0.1'] });

let sink: WebhookSink;
beforeAll(async () => {
  sink = await startWebhookSink();
});
afterAll(() => sink.stop());

const posted = (stop: AbortSignal, answerMs?: number) =>
  post({ url: new URL(sink.url), headers: {}, body: '{}' }, HERE, stop, answerMs);
const going = () => new AbortController().signal;

it('tells the status, and follows no redirect', async () => {
  const before = sink.received.length;
  sink.answer = (response) => void response.writeHead(302, { location: sink.url }).end();
  expect(await posted(going())).toBe(302);
  expect(sink.received).toHaveLength(before + 1);
});

it.each([
  ['does not begin', () => undefined],
  [
    'does not end',
    (response: { writeHead(status: number): { write(text: string): unknown } }) =>
      void response.writeHead(200).write('x'),
  ],
])('waits a limited time for an answer that %s', async (_, answer) => {
  sink.answer = answer;
  await expect(posted(going(), 100)).rejects.toThrow(/to answer within 100 ms, but it did not/);
});

it('reads no more than 64 KiB of an answer', async () => {
  sink.answer = (response) => {
    response.writeHead(200);
    const more = (): void =>
      void (response.write('x'.repeat(16_384)) ? setImmediate(more) : response.once('drain', more));
    more();
  };
  expect(await posted(going(), 5_000)).toBe(200);
});

it('fails for now if nobody listens, and if the server hangs up', async () => {
  sink.answer = (response) => void response.destroy();
  await expect(posted(going())).rejects.toThrow(FailedDelivery);
  const closed = await startWebhookSink();
  await closed.stop();
  const call = post({ url: new URL(closed.url), headers: {}, body: '' }, HERE, going());
  await expect(call).rejects.toThrow(/Expected '127.0.0.1:\d+' to take the delivery, but: connect ECONNREFUSED/);
});

it('never reaches an address that is not allowed, whatever its name', async () => {
  const strict = new AllowedTargets({ webhookHttp: true, webhookNetworks: [] });
  const before = sink.received.length;
  const url = new URL(sink.url.replace('127.0.0.1', 'localhost'));
  await expect(post({ url, headers: {}, body: '' }, strict, going())).rejects.toThrow(RefusedDelivery);
  expect(sink.received).toHaveLength(before);
});

it('stops when told to', async () => {
  const stop = new AbortController();
  sink.answer = () => stop.abort();
  await expect(posted(stop.signal)).rejects.toThrow('aborted');
  sink.answer = withStatus(204);
});

const SWITCHES = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';
const HEAD = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

describe('a receiver that never comes to an end', () => {
  const once = (text: string) => (socket: Socket) => void socket.once('data', () => socket.write(text));
  const always = (begin: string, text: string, pauseMs: number) => (socket: Socket) =>
    void socket.once('data', () => {
      socket.write(begin);
      repeat(socket, text, pauseMs);
    });

  it.each<[string, 'http' | 'https', (socket: Socket) => void, RegExp]>([
    ['switches to another protocol', 'http', once(SWITCHES), /switches to another protocol/],
    ['switches at once, and goes on talking', 'http', always(SWITCHES, 'x'.repeat(999), 0), /switches to another/],
    ['sends interim answers fast', 'http', always('', 'HTTP/1.1 103 x\r\n\r\n', 0), /interim answers without end/],
    ['sends interim answers of 100', 'http', always('', 'HTTP/1.1 100 Continue\r\n\r\n', 0), /interim answers/],
    ['sends interim answers slowly', 'http', always('', 'HTTP/1.1 102 x\r\n\r\n', 90), /within 300 ms|interim answers/],
    ['drips its headers', 'http', always('HTTP/1.1 200 OK\r\n', 'x', 20), /within 300 ms/],
    ['drips its body', 'http', always(HEAD, '1\r\nx\r\n', 20), /within 300 ms/],
    ['takes the connection and says nothing', 'http', () => undefined, /within 300 ms/],
    ['takes nothing of what it is sent', 'http', (socket) => void socket.pause(), /within 300 ms/],
    ['hangs in the TLS handshake', 'https', () => undefined, /within 300 ms/],
    ['drips the TLS handshake', 'https', always('', '\u0016', 20), /within 300 ms|to take the delivery/],
  ])('fails for now if it %s, and its connection is closed', async (_, scheme, talk, message) => {
    const server = await startRawServer(talk);
    try {
      const url = new URL(`${scheme}://127.0.0.1:${server.port}/`);
      const failure = await post({ url, headers: {}, body: '{}' }, HERE, going(), 300).catch((error) => error);
      expect(failure).toBeInstanceOf(FailedDelivery);
      expect(failure.message).toMatch(message);
      for (const socket of server.open) socket.resume();
      await until('the connection to close', async () => (server.open.size === 0 ? true : null));
    } finally {
      await server.stop();
    }
  });

  it('is left at once when the worker stops', async () => {
    const stop = new AbortController();
    const server = await startRawServer((socket) => void socket.once('data', () => stop.abort(new Error('stopped'))));
    const call = post({ url: new URL(`http://127.0.0.1:${server.port}`), headers: {}, body: '{}' }, HERE, stop.signal);
    await expect(call).rejects.toThrow('stopped');
    await server.stop();
  });
});
