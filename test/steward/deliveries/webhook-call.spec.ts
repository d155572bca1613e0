import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AllowedTargets } from '../../../src/steward/deliveries/allowed-target.js';
import { FailedDelivery, RefusedDelivery } from '../../../src/steward/deliveries/refused-delivery.js';
import { post } from '../../../src/steward/deliveries/webhook-call.js';
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
