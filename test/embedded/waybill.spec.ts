import { Inject, Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { uuidv7 } from 'uuidv7';
import type { Arrived } from '../../src/api/operations/call.js';
import { InProcessTransport } from '../../src/in-process/in-process-transport.js';
import {
  type EmbeddedWaybill,
  type EventView,
  startWaybill,
  TransportFailure,
  type Waybill,
  WAYBILL,
  WaybillError,
  WaybillModule,
  WaybillUnavailable,
} from '../../src/index.js';
import { createEmptyDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createEmptyDatabase();
});

afterAll(async () => {
  await database.drop();
});

describe('Waybill within a process', () => {
  let embedded: EmbeddedWaybill;
  let waybill: Waybill;

  beforeAll(async () => {
    embedded = await startWaybill({ databaseUrl: database.url, actor: 'app' });
    waybill = embedded.waybill;
  });

  afterAll(async () => {
    await embedded.stop();
  });

  it('enqueues tasks and shows their outcomes', async () => {
    const queue = waybill.queue('letters');
    await queue.define();
    const { id, position } = await queue.enqueue({ to: 'ann' });
    expect(await waybill.task(id).get({ minPosition: position })).toMatchObject({
      queue: 'letters',
      state: 'pending',
      payload: { to: 'ann' },
    });
    const [queueDefined, taskEnqueued] = await all(waybill.events({ queue: 'letters' }));
    expect(queueDefined).toMatchObject({ type: 'QueueDefined', envelope: { actor: 'app' } });
    expect(taskEnqueued).toMatchObject({ type: 'TaskEnqueued', stream: `task-${id}`, envelope: { actor: 'app' } });
  });

  it('returns plain JSON that nobody but its caller has', async () => {
    const queue = waybill.queue('steps');
    await queue.define({ steps: ['look', 'send'] });
    const tasks = [{ payload: { to: ['ann'] }, labels: { team: 'a' }, reference: 'r1' }, { payload: null }];
    const enqueued = await waybill.enqueueMany([
      ...tasks.map((task) => ({ ...task, queue: 'steps' })),
      { queue: 'nowhere', payload: 1 },
      { queue: 'steps', id: uuidv7(), dueAt: '2999-01-01T00:00:00.000Z' },
    ]);
    const claimedTasks = await queue.claim({ worker: 'w', max: 10 });
    expect(claimedTasks).toHaveLength(2);
    (claimedTasks[0]!.payload as { to: string[] }).to.push('mallory');
    expect(await waybill.task(claimedTasks[0]!.taskId).get()).toMatchObject({ payload: { to: ['ann'] } });
    const settled = await waybill.settle([
      {
        taskId: claimedTasks[0]!.taskId,
        token: claimedTasks[0]!.token,
        verdict: { type: 'succeed', result: { ok: true } },
      },
      { taskId: claimedTasks[1]!.taskId, token: '1.0', verdict: { type: 'succeed' } },
    ]);
    for (const answer of [enqueued, claimedTasks, settled])
      expect(JSON.parse(JSON.stringify(answer))).toStrictEqual(answer);
  });

  it('refuses a number that JSON would change, anywhere in the input', async () => {
    await waybill.queue('mail').define();
    const { id } = await waybill.queue('mail').enqueue({ size: 1 });
    await expect(waybill.task(id).amend({ size: NaN })).rejects.toThrow("'size' is NaN");
  });

  it('refuses commands like the service does over HTTP', async () => {
    const error = await waybill
      .queue('nowhere')
      .get()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WaybillError);
    expect(error).toMatchObject({ code: 'QUEUE_NOT_FOUND', status: 404, data: { queue: 'nowhere' } });
  });

  it('refuses an option that it does not know, instead of leaving it out', async () => {
    const misspelt = startWaybill({ databaseURL: database.url } as never);
    await expect(misspelt).rejects.toThrow("but got 'databaseURL'");
    const deliveries = startWaybill({ databaseUrl: database.url, deliveries: { webhookHost: ['a.example'] } as never });
    await expect(deliveries).rejects.toThrow("but got 'webhookHost': did you mean 'webhookHosts'?");
  });

  it('validates its input', async () => {
    const error = await waybill
      .queue('mail')
      .define({ leaseMs: -1 })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'INVALID_INPUT', errors: [{ pointer: '/policy/leaseMs' }] });
  });

  it('follows the events until its signal aborts', async () => {
    const stop = new AbortController();
    const types: string[] = [];
    const queue = waybill.queue('followed');
    await queue.define();
    for await (const { type } of waybill.events({ queue: 'followed', follow: true, signal: stop.signal })) {
      types.push(type);
      if (type === 'QueueDefined') await queue.enqueue({});
      else stop.abort();
    }
    expect(types).toEqual(['QueueDefined', 'TaskEnqueued']);
  });

  it('runs workers, which stop before it does', async () => {
    const queue = waybill.queue('worked');
    await queue.define();
    const worker = waybill.worker({ logger: null }).handle<{ to: string }>('worked', ({ payload: { to } }) => {
      if (to === '') throw new Error('no address');
      return Promise.resolve(`sent to ${to}`);
    });
    await worker.start();
    const sent = await queue.enqueue({ to: 'ann' });
    const failed = await queue.enqueue({ to: '' });
    for await (const { type, stream } of waybill.events({ queue: 'worked', follow: true }))
      if (type === 'TaskFailed' && stream === `task-${failed.id}`) break;
    await worker.stop();
    expect(await waybill.task(sent.id).get()).toMatchObject({ state: 'succeeded', result: 'sent to ann' });
    expect(await waybill.task(failed.id).get()).toMatchObject({ state: 'failed', error: { message: 'no address' } });
    await queue.enqueue({ to: 'bob' });
    expect(await queue.claim({ worker: 'w2' })).toHaveLength(1);
  });

  it('is unreachable once it is stopped, and can be stopped again', async () => {
    await embedded.stop();
    await embedded.stop();
    const call = waybill.queue('mail').define({}, { retry: { attempts: 1 } });
    await expect(call).rejects.toMatchObject({ name: 'WaybillUnavailable', outcome: 'not-done' });
    await expect(call).rejects.toBeInstanceOf(WaybillUnavailable);
  });
});

describe('a call', () => {
  const never = (signals: AbortSignal[]) => ({
    answer: (_operation: string, { signal }: Arrived) => {
      signals.push(signal);
      return new Promise(() => undefined);
    },
  });
  const claim = { path: { queue: 'mail' }, body: { worker: 'w1' } };

  it('times out, and aborts the operation in progress', async () => {
    const signals: AbortSignal[] = [];
    const transport = new InProcessTransport(never(signals) as never);
    const call = transport.call('claimTasks', claim, { timeoutMs: 1 });
    await expect(call).rejects.toMatchObject({ kind: 'timeout' });
    await expect(call).rejects.toBeInstanceOf(TransportFailure);
    expect(signals[0]!.aborted).toBe(true);
  });

  it('ends with the reason of its signal', async () => {
    const stop = new AbortController();
    const call = new InProcessTransport(never([]) as never).call('claimTasks', claim, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
  });

  it('shares nothing with its caller', async () => {
    const bodies: unknown[] = [];
    const operations = {
      answer: (_operation: string, { body }: Arrived) => Promise.resolve({ body: bodies[bodies.push(body) - 1] }),
    };
    const given = { payload: [{ a: 1, b: undefined }] };
    const { body } = await new InProcessTransport(operations as never).call('amendTask', { body: given });
    expect(body).toStrictEqual({ payload: [{ a: 1 }] });
    expect(bodies[0]).not.toBe(given);
    expect(body).not.toBe(bodies[0]);
  });
});

describe('WaybillModule', () => {
  @Injectable()
  class Mailer {
    constructor(@Inject(WAYBILL) private readonly waybill: Waybill) {}

    async send(id: string): Promise<string> {
      await this.waybill.queue('mail').define();
      return (await this.waybill.queue('mail').enqueue({}, { id })).status;
    }
  }

  it('provides the client to the modules that import it, and stops with the application', async () => {
    const imported = WaybillModule.forRootAsync({ useFactory: () => ({ databaseUrl: database.url }) });
    @Module({ imports: [imported], providers: [Mailer] })
    class Host {}
    const app = await Test.createTestingModule({ imports: [Host] }).compile();
    await app.init();
    expect(await app.get(Mailer).send(uuidv7())).toBe('enqueued');
    await app.close();
    await expect(app.get(Mailer).send(uuidv7())).rejects.toMatchObject({ outcome: 'not-done' });
  });
});

async function all(events: AsyncIterable<EventView>): Promise<EventView[]> {
  const read: EventView[] = [];
  for await (const event of events) read.push(event);
  return read;
}
