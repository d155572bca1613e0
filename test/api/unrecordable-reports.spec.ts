import type { Handler } from '@waybill/client';
import type { PolicyChanges } from '@waybill/contracts';
import { uuidv7 } from 'uuidv7';
import { type RunningService, startService } from '../support/running-service.js';

let service: RunningService;
beforeAll(async () => (service = await startService()));
afterAll(() => service.stop());

const AGAIN: PolicyChanges = {
  onFailure: 'retry',
  retry: {
    maxAttempts: 4,
    backoff: { kind: 'fixed', baseMs: 0 },
    classes: ['business', 'application', 'transient', 'bug'],
  },
};

const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

describe('given a policy that retries every failure, a handler', () => {
  it.each<[string, Handler<any>]>([
    ['returns a BigInt inside', () => ({ order: 1n })],
    ['returns an integer beyond 2^53', () => 2 ** 60],
    ['returns NaN', () => ({ share: NaN })],
    ['returns NUL', () => 'a\0b'],
    ['returns half of a surrogate pair', () => ({ '\ud83d': 1 })],
    ['returns too many levels', () => nested(100)],
    ['returns a forbidden name', () => JSON.parse('{"__proto__":1}')],
    ['returns too much', () => 'x'.repeat(300 * 1_024)],
    ['returns more than a request may have', () => 'x'.repeat(5 * 1_024 * 1_024)],
    ['returns a verdict that does not exist', (_, run) => run.cancelled()],
    ['asks for a retry in more than a year', (_, run) => run.retryLater(2 ** 40)],
    ['gives its task back for more than a year', (_, run) => run.postpone(2 ** 40)],
    ['records too much data', (_, run) => run.record({ all: 'x'.repeat(70_000) })],
    ['records NUL', (_, run) => run.record({ all: '\0' })],
    ['completes a step that does not exist', (_, run) => run.completeStep('none')],
    ['shows a bar without a number', (_, run) => run.progress('files', { end: NaN, position: 0 })],
  ])('that %s runs once', async (_, handler) => {
    const queue = service.waybill.queue(`q-${uuidv7()}`);
    const { position } = await queue.define(AGAIN);
    let runs = 0;
    const worker = service.waybill.worker({ logger: null }).handle(queue, (task, run) => {
      runs++;
      return handler(task, run);
    });
    const { id } = await queue.enqueue();
    await worker.start();
    await service.eventAfter(position, { queue: queue.name, type: 'TaskFailed' });
    await worker.stop();
    expect(runs).toBe(1);
    expect(await service.waybill.task(id).get()).toMatchObject({ state: 'failed', attempt: 1 });
  });
});

describe('given a failure that quotes what cannot be stored, over HTTP', () => {
  const error = {
    message: 'not sent: \0\ud83d',
    class: 'business',
    details: { code: '\ud800', stack: 'Error: \0\n at \udc00', '\0': ['\0', { deep: '\ud83d😀' }] },
  };
  const stored = {
    message: 'not sent: \ufffd\ufffd',
    class: 'business',
    details: { code: '\ufffd', stack: 'Error: \ufffd\n at \ufffd', '\ufffd': ['\ufffd', { deep: '\ufffd😀' }] },
  };

  async function claimed() {
    const queue = service.waybill.queue(`q-${uuidv7()}`);
    await queue.define();
    await queue.enqueue();
    const [task] = await queue.claim({ worker: 'w1', waitMs: 60_000 });
    return task!;
  }

  const post = (path: string, body: object): Promise<Response> =>
    fetch(service.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it.each<[string, (id: string, token: string) => [path: string, body: object]]>([
    ['fail', (id, token) => [`/v1/tasks/${id}/fail`, { token, error }]],
    [
      'settlements',
      (taskId, token) => ['/v1/settlements', { items: [{ taskId, token, verdict: { type: 'fail', error } }] }],
    ],
    [
      'a transaction',
      (id, token) => ['/v1/transactions', { commands: [{ operation: 'failTask', id, body: { token, error } }] }],
    ],
  ])('by %s, it is recorded with the characters replaced', async (_, request) => {
    const { taskId, token } = await claimed();
    const response = await post(...request(taskId, token));
    expect(response.status).toBe(200);
    expect((await service.waybill.task(taskId).get()).error).toEqual(stored);
  });

  it('the report of an error is recorded likewise, and a result is refused as before', async () => {
    const { taskId, token } = await claimed();
    expect((await post(`/v1/tasks/${taskId}/report-error`, { token, error })).status).toBe(200);
    const history = await service.waybill.task(taskId).history();
    expect(history.at(-1)).toMatchObject({ type: 'TaskErrorReported', data: { error: stored } });
    const verdicts = [
      { type: 'fail', error },
      { type: 'succeed', result: '\0' },
    ];
    const items = verdicts.map((verdict) => ({ taskId, token, verdict }));
    const refused = await post('/v1/settlements', { items });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { code: 'INVALID_INPUT', errors: [{ pointer: '/items/1/verdict/result' }] },
    ]);
  });
});
