import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Waybill } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { violationsOf } from '../support/history-checker.js';
import { SECRETS, signed } from '../support/signed-delivery.js';
import { lastWords } from './crash-points.js';
import { PATIENT } from './load.js';
import { Run } from './run.js';

const RETRY = { retry: PATIENT };
const env = { WAYBILL_INBOUND_SECRETS: JSON.stringify(SECRETS) };
const AN_HOUR = 3_600_000;

/** The passage of the first command after the start of a service, and how often it is recorded when the service dies there. */
const KILLS = [
  ['before-append', 0],
  ['after-append', 1],
  ['before-answer', 1],
] as const;

describe.each(KILLS)('kill -9 of the service %s', (point, recorded) => {
  let run: Run;
  let waybill: Waybill;
  beforeAll(async () => {
    run = await Run.open();
    waybill = run.client();
  });
  afterAll(() => run.close());

  /** Sends while a service is there that dies at the point, and starts another one. */
  async function killed(send: () => void, isSent: (types: readonly string[]) => number): Promise<void> {
    const service = await run.service({ crash: { point, passage: 1 }, env }).ready();
    send();
    expect([await service.ended, service.errors]).toEqual([{ code: null, signal: 'SIGKILL' }, '']);
    expect(service.lines).toContain(lastWords({ point, passage: 1 }));
    const events = await run.store.readAll(0n, 1_000);
    expect(isSent(events.map(({ event }) => event.type))).toBe(recorded);
  }

  const count = (type: string) => (types: readonly string[]) => types.filter((one) => one === type).length;

  it('loses no signal, and gives it to the handler once', async () => {
    const queue = waybill.queue(`signals-${uuidv7()}`);
    const before = await run.service({ env }).ready();
    await queue.define({}, RETRY);
    const { id } = await queue.enqueue({}, RETRY);
    const [task] = await queue.claim({ worker: 'w1', waitMs: 30_000 });
    const verdict = { type: 'wait', signal: 'approved', number: 1, timeoutMs: AN_HOUR } as const;
    await waybill.settle([{ taskId: id, token: task!.token, verdict }], RETRY);
    await run.caughtUp();
    await before.kill();

    let signalled: Promise<unknown> = Promise.resolve();
    await killed(() => {
      signalled = waybill.task(id).signal('approved', { limit: 500 }, { idempotencyKey: `approve ${id}`, ...RETRY });
    }, count('TaskSignalled'));
    const after = await run.service({ env }).ready();
    await signalled;
    const got: unknown[] = [];
    const worker = waybill.worker({ logger: null }).handle(queue, async (_, given) => {
      got.push(await given.waitFor('approved', { timeout: '1h' }));
      return 'done';
    });
    await worker.start();
    expect(await waybill.task(id).result({ timeoutMs: 120_000 })).toBe('done');
    await worker.stop();
    expect(got).toEqual([{ limit: 500 }]);
    expect(count('TaskSignalled')((await waybill.task(id).history(RETRY)).map(({ type }) => type))).toBe(1);
    await run.caughtUp();
    expect(violationsOf(await run.history())).toEqual([]);
    await after.kill();
  });

  it('makes one task of a delivery whose sender repeats it', async () => {
    const queue = `deliveries-${uuidv7()}`;
    const before = await run.service({ env }).ready();
    await waybill.queue(queue).define({}, RETRY);
    await waybill.trigger(queue).define({ delivery: { scheme: 'github', secret: 'github' }, task: { queue } }, RETRY);
    await run.caughtUp();
    await before.kill();

    const sent = { method: 'POST', ...signed({ scheme: 'github', id: queue }) };
    const deliver = () =>
      fetch(`${run.url}/v1/triggers/${queue}/deliveries`, {
        ...sent,
        headers: { 'content-type': 'application/json', ...sent.headers },
      });
    let first: Promise<unknown> = Promise.resolve();
    const enqueued = count('TaskEnqueued')((await run.store.readAll(0n, 1_000)).map(({ event }) => event.type));
    await killed(
      () => {
        first = deliver().catch((error: unknown) => error);
      },
      (types) => count('TaskEnqueued')(types) - enqueued,
    );
    expect(await first).toBeInstanceOf(TypeError);
    const after = await run.service({ env }).ready();
    const answers = [await deliver(), await deliver()].map((answer) => answer.json());
    expect(await Promise.all(answers)).toMatchObject([{ isNew: recorded === 0 }, { isNew: false }]);
    const [task, ...more] = await waybill.queue(queue).claim({ worker: 'w1', max: 5, waitMs: 30_000 });
    expect(more).toEqual([]);
    await waybill.settle([{ taskId: task!.taskId, token: task!.token, verdict: { type: 'succeed' } }], RETRY);
    await run.caughtUp();
    // Its sender is no client, whose calls are recorded, so nobody is known to have enqueued the task.
    const notEnqueued = { invariant: 'I2', says: expect.stringContaining(`'${task!.taskId}' to be somebody's`) };
    expect(violationsOf(await run.history())).toEqual([expect.objectContaining(notEnqueued)]);
    await after.kill();
  });
});
