import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createWaybill, WaybillError, WaybillUnavailable, type RetryRules, type Waybill } from '../src/index.js';
import { FakeClock } from './support/fake-clock.js';
import { problem, StubService, type Reply } from './support/stub-service.js';

const ROUTE = 'POST /v1/queues/mail/tasks';
const DONE = { status: 201, body: { id: 't', status: 'enqueued', position: '1', revision: 0 } };

let service: StubService;
let clock: FakeClock;

beforeEach(async () => {
  service = await StubService.start();
  clock = new FakeClock('instant');
});
afterEach(() => service.close());

function waybillWith(retry: Partial<RetryRules> = {}): Waybill {
  return createWaybill({ url: service.url, clock, retry: { baseMs: 100, capMs: 1_000, ...retry } });
}

/** An enqueue that gets these replies, one after the other. */
const enqueue = (replies: Reply[], retry?: Partial<RetryRules>): Promise<unknown> => {
  service.on(ROUTE, ...replies);
  return waybillWith(retry).queue('mail').enqueue({});
};

const failure = async <E extends Error>(call: Promise<unknown>, type: new (...args: never[]) => E): Promise<E> => {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(type);
  return error as E;
};

it('a request that was contended was not carried out', async () => {
  const call = enqueue(Array<Reply>(5).fill(problem(503, 'CONTENTION')));
  expect((await failure(call, WaybillUnavailable)).outcome).toBe('not-done');
});

describe('a request that was not answered', () => {
  it.each<[string, Reply]>([
    ['a cut connection', 'cut'],
    ['503', problem(503, 'STREAM_CONTENTION')],
    ['429', problem(429, 'RATE_LIMITED')],
    ['502 from a proxy', { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>bad gateway</h1>' }],
    ['504 from a proxy', { status: 504, body: '' }],
    ['a success that was cut short', { status: 200, body: '{"id":' }],
  ])('is repeated unchanged after %s', async (_, reply) => {
    expect(await enqueue([reply, reply, DONE])).toEqual(DONE.body);
    const [first, second, third] = service.requests.map(({ body, headers }) => ({
      body,
      requestId: headers['x-request-id'],
    }));
    expect(first!.body.id).toBeTruthy();
    expect([second, third]).toEqual([first, first]);
  });

  it('is repeated at growing intervals with full jitter, up to a limit', async () => {
    await enqueue([...Array<Reply>(6).fill(problem(503, 'X')), DONE], { attempts: 7 });
    expect(clock.delays).toEqual([50, 100, 200, 400, 500, 500]);
  });

  it.each([
    ['seconds', '2', 2_050],
    ['text that is not a time', 'soon', 50],
  ])('waits for as long as the service asks, plus jitter: %s', async (_, retryAfter, delay) => {
    await enqueue([{ ...problem(503, 'X'), headers: { 'retry-after': retryAfter } }, DONE]);
    expect(clock.delays).toEqual([delay]);
  });

  it('understands Retry-After as a date', async () => {
    await enqueue([
      { ...problem(503, 'X'), headers: { 'retry-after': new Date(Date.now() + 20_000).toUTCString() } },
      DONE,
    ]);
    expect(clock.delays[0]).toBeGreaterThan(10_000);
    expect(clock.delays[0]).toBeLessThan(20_100);
  });

  it('is given up after its last attempt, with an unknown outcome', async () => {
    const error = await failure(enqueue(['cut'], { attempts: 3 }), WaybillUnavailable);
    expect(service.requests).toHaveLength(3);
    expect(error).toMatchObject({ outcome: 'unknown', request: { operation: 'enqueueTask', attempts: 3 } });
    expect(error.message).toContain(
      "Expected an answer to 'enqueueTask', but after 3 attempt(s) its outcome is unknown: ",
    );
    expect(error.request.input.body).toEqual(service.requests[0]!.body);
    expect(error.request.requestId).toBe(service.requests[0]!.headers['x-request-id']);
  });

  it('is given up at the deadline, however many attempts are left', async () => {
    const busy = { ...problem(503, 'X'), headers: { 'retry-after': '12' } };
    await failure(enqueue([busy], { attempts: 99, deadlineMs: 30_000 }), WaybillUnavailable);
    expect(clock.delays).toEqual([12_050, 12_100]);
  });

  it('counts the time of the attempts against the deadline', async () => {
    const slow: Reply = () => (clock.pass(20_000), problem(503, 'X'));
    await failure(enqueue([slow], { attempts: 99, deadlineMs: 30_000 }), WaybillUnavailable);
    expect(service.requests).toHaveLength(2);
  });

  it('is known not to be done if the service refused every attempt', async () => {
    const error = await failure(enqueue([problem(429, 'RATE_LIMITED')], { attempts: 2 }), WaybillUnavailable);
    expect(error.outcome).toBe('not-done');
    expect(error.message).toContain('nothing was done');
  });

  it('has an unknown outcome if one of several attempts had', async () => {
    const error = await failure(enqueue(['cut', problem(429, 'RATE_LIMITED')], { attempts: 3 }), WaybillUnavailable);
    expect(error.outcome).toBe('unknown');
  });

  it('is known not to be done if the connection is refused', async () => {
    const gone = await StubService.start();
    const { url } = gone;
    await gone.close();
    const call = createWaybill({ url, clock, retry: { attempts: 2 } }).projections();
    expect((await failure(call, WaybillUnavailable)).outcome).toBe('not-done');
  });

  it('is known not to be done if it only reads', async () => {
    service.on('GET /v1/projections', 'cut');
    const error = await failure(waybillWith({ attempts: 2 }).projections(), WaybillUnavailable);
    expect(error.outcome).toBe('not-done');
    expect(service.requests).toHaveLength(2);
  });

  it('is not repeated if it would read too much again', async () => {
    service.on('GET /v1/projections', problem(503, 'READ_TOO_LONG'));
    expect(await failure(waybillWith().projections(), WaybillError)).toMatchObject({ code: 'READ_TOO_LONG' });
    expect(service.requests).toHaveLength(1);
  });

  it('times out, and is then repeated', async () => {
    // The service answers once a request was cut off. On a slow machine, the second one may be cut off too.
    let cutOff = false;
    service.on(ROUTE, ({ gone }) => {
      void gone.then(() => (cutOff = true));
      return cutOff ? DONE : 'silence';
    });
    expect(await waybillWith({ attempts: Infinity }).queue('mail').enqueue({}, { timeoutMs: 500 })).toEqual(DONE.body);
    await service.requests[0]!.gone;
    expect(service.requests.length).toBeGreaterThan(1);
  });

  it('gives a long poll its wait in addition to the time-out', async () => {
    const timeouts: (number | undefined)[] = [];
    const transport = {
      call: (_: unknown, __: unknown, options?: { timeoutMs?: number }) => {
        timeouts.push(options?.timeoutMs);
        return Promise.resolve({ status: 200, headers: {}, body: { tasks: [] } });
      },
      open: () => {
        throw new Error('not asked for');
      },
    };
    await createWaybill({ transport, clock, timeoutMs: 100 }).queue('mail').claim({ worker: 'w', waitMs: 60_000 });
    expect(timeouts).toEqual([70_000]);
  });
});

describe('a request that was answered', () => {
  it.each([400, 401, 403, 404, 409, 412, 413, 422, 428, 500])('is not repeated after %i', async (status) => {
    await failure(enqueue([problem(status, 'NO')]), WaybillError);
    expect(service.requests).toHaveLength(1);
    expect(clock.delays).toEqual([]);
  });

  it('throws the refusal with its facts', async () => {
    const errors = [{ pointer: '/key', detail: 'too long' }];
    const refusal = problem(409, 'KEY_ALREADY_WAITING', { traceId: 'abc', conflictingTaskId: 't9', errors });
    const error = await failure(enqueue([refusal]), WaybillError);
    expect(error).toMatchObject({
      status: 409,
      code: 'KEY_ALREADY_WAITING',
      traceId: 'abc',
      errors,
      data: { conflictingTaskId: 't9' },
    });
    expect(error.detail).toBe('refused: KEY_ALREADY_WAITING');
    expect(error.message).toBe('refused: KEY_ALREADY_WAITING\n/key: too long');
    expect(error.problem).toEqual(refusal.body);
  });

  it('has a code of its own if the refusal is not a problem document', async () => {
    const reply = {
      status: 404,
      headers: { 'content-type': 'text/html', 'x-request-id': 'r9' },
      body: '<h1>where?</h1>',
    };
    const error = await failure(enqueue([reply]), WaybillError);
    expect(error).toMatchObject({ code: 'HTTP_404', status: 404, traceId: 'r9' });
  });
});

describe('a signal', () => {
  it("ends a request that waits for its answer, with the signal's reason", async () => {
    service.on(ROUTE, 'silence');
    const abort = new AbortController();
    const call = waybillWith().queue('mail').enqueue({}, { signal: abort.signal });
    const request = await service.received(ROUTE);
    abort.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    await request.gone;
  });

  it('ends a request that waits for its next attempt', async () => {
    const manual = new FakeClock();
    service.on(ROUTE, problem(503, 'X'));
    const abort = new AbortController();
    const waybill = createWaybill({ url: service.url, clock: manual });
    const call = waybill.queue('mail').enqueue({}, { signal: abort.signal });
    manual.onNextTimer(() => abort.abort(new Error('enough')));
    await expect(call).rejects.toThrow('enough');
    expect(service.requests).toHaveLength(1);
    expect(manual.pending).toEqual([]);
  });

  it('prevents a request from being sent', async () => {
    const call = waybillWith()
      .queue('mail')
      .enqueue({}, { signal: AbortSignal.abort(new Error('enough')) });
    await expect(call).rejects.toThrow('enough');
    expect(service.requests).toEqual([]);
  });
});

describe('connections', () => {
  it('are kept alive from one request to the next', async () => {
    const ports = new Set<number | undefined>();
    service.on(ROUTE, (_, response) => (ports.add(response.socket?.remotePort), DONE));
    const mail = waybillWith().queue('mail');
    for (let i = 0; i < 10; i++) await mail.enqueue(i);
    expect(ports.size).toBeLessThanOrEqual(2);
  });
});
