import { createWaybill, type EventView, type Waybill } from '@waybill/client';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type RunningService, startService } from '../support/running-service.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  await service.waybill.queue('mail').define();
});
afterAll(() => service.stop());

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

const historyOf = (id: string): Promise<readonly EventView[]> => service.waybill.task(id).history();

/** Submits a task over HTTP, and returns the envelope of its first event. */
async function envelopeWith(headers: Readonly<Record<string, string>>): Promise<EventView['envelope']> {
  const response = await fetch(`${service.url}/v1/queues/mail/tasks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{}',
  });
  expect(response.status).toBe(201);
  return (await historyOf(((await response.json()) as { id: string }).id))[0]!.envelope;
}

describe('agents', () => {
  it('what acts for somebody is recorded beside the actor', async () => {
    expect(await envelopeWith({ 'waybill-actor': 'ann', 'waybill-agent': 'assistant 3' })).toMatchObject({
      actor: 'ann',
      agent: 'assistant 3',
    });
    expect(await envelopeWith({ 'waybill-actor': 'ann' })).not.toHaveProperty('agent');
  });

  it('a client names it for all of its commands', async () => {
    const assistant = createWaybill({ url: service.url, actor: 'ann', agent: 'Größe 1' });
    const { id } = await assistant.queue('mail').enqueue({});
    await assistant.task(id).hold({ reason: 'looks odd' });
    const envelopes = (await historyOf(id)).map(({ envelope }) => envelope);
    expect(envelopes).toEqual([
      expect.objectContaining({ actor: 'ann', agent: 'Größe 1' }),
      expect.objectContaining({ actor: 'ann', agent: 'Größe 1', reason: 'looks odd' }),
    ]);
  });

  it('control characters are refused', async () => {
    expect(() => createWaybill({ url: service.url, agent: 'a\nb' })).toThrow(
      'Expected agent to be text without control',
    );
    const headers = { 'content-type': 'application/json', 'waybill-agent': 'a'.repeat(201) };
    const refused = await fetch(`${service.url}/v1/queues/mail/tasks`, { method: 'POST', headers, body: '{}' });
    expect(await refused.json()).toMatchObject({
      code: 'INVALID_INPUT',
      errors: [{ pointer: '#/headers/waybill-agent' }],
    });
  });
});

describe('traces', () => {
  it.each([
    ['one of this version', TRACE],
    ['one that is not sampled', TRACE.replace(/01$/, '00')],
    ['one of a later version', `cc${TRACE.slice(2)}-what-will-be`],
  ])('the trace of a request is recorded: %s', async (_, traceparent) => {
    expect(await envelopeWith({ traceparent })).toMatchObject({ traceparent });
  });

  it.each([
    ['of no version', `ff${TRACE.slice(2)}`],
    ['in capitals', TRACE.toUpperCase()],
    ['without a trace', TRACE.replace(/-4bf\w+-/, `-${'0'.repeat(32)}-`)],
    ['without a parent', TRACE.replace(/-00f0\w+-/, `-${'0'.repeat(16)}-`)],
    ['longer than its version allows', `${TRACE}-more`],
    ['of another form', 'a trace'],
    ['sent twice', `${TRACE}, ${TRACE}`],
    ['without end', `cc${TRACE.slice(2)}-${'x'.repeat(200)}`],
  ])('one that is not valid is ignored: %s', async (_, traceparent) => {
    expect(await envelopeWith({ traceparent })).not.toHaveProperty('traceparent');
  });

  it('a client sends the trace of each call', async () => {
    const traces = [TRACE, undefined];
    const client = createWaybill({ url: service.url, traceparent: () => traces.shift() });
    const ids = [await client.queue('mail').enqueue({}), await client.queue('mail').enqueue({})].map(({ id }) => id);
    const envelopes = await Promise.all(ids.map(async (id) => (await historyOf(id))[0]!.envelope));
    expect(envelopes.map(({ traceparent }) => traceparent)).toEqual([TRACE, undefined]);
  });
});

describe('builds', () => {
  const claimOf = async (id: string) =>
    (await historyOf(id)).find(({ type }) => type === 'TaskClaimed')!.data as { readonly build?: string };

  /** Runs one task in a queue of its own, and returns its claim. */
  async function ranBy(options: Parameters<Waybill['worker']>[0]) {
    const queue = service.waybill.queue(`q-${randomUUID()}`);
    await queue.define();
    const { id } = await queue.enqueue({});
    const worker = service.waybill.worker(options);
    worker.handle(queue, () => undefined);
    await worker.start();
    await service.eventAfter('0', { task: id, type: 'TaskSucceeded' });
    await worker.stop();
    return claimOf(id);
  }

  it('a claim records the build of its worker', async () => {
    expect(await ranBy({ build: '2.4.1' })).toMatchObject({ build: '2.4.1' });
    expect(await ranBy({ build: null })).not.toHaveProperty('build');
  });

  it('by default it is the version of the program', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await ranBy({})).toMatchObject({ build: version });
  });

  it('a task that a process starts itself has its build, too', async () => {
    const response = await fetch(`${service.url}/v1/tasks/start`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ queue: 'mail', worker: 'console-1', build: '7' }),
    });
    const { task } = (await response.json()) as { readonly task: { readonly taskId: string } };
    expect(await claimOf(task.taskId)).toMatchObject({ build: '7' });
  });
});
