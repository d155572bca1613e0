import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { createWaybill, WaybillError, WaybillUnavailable, type EventView, type Waybill } from '../src/index.js';
import { DEFAULT_RETRIES } from '../src/retry.js';
import { FakeClock } from './support/fake-clock.js';
import { problem, StubService, type Received, type Reply } from './support/stub-service.js';

const READ = 'GET /v1/events';
const FOLLOW = 'GET /v1/events/stream';

let service: StubService;
let clock: FakeClock;
let waybill: Waybill;

beforeEach(async () => {
  service = await StubService.start();
  clock = new FakeClock('instant');
  waybill = createWaybill({ url: service.url, clock });
});
afterEach(() => service.close());

const event = (position: number): object => ({
  position: String(position),
  type: 'TaskEnqueued',
  data: { text: 'grüße\n' },
});
const line = (position: number): string => `${JSON.stringify(event(position))}\n`;
const sse = (position: number): string =>
  `id: ${position}\nevent: TaskEnqueued\ndata: ${JSON.stringify(event(position))}\n\n`;

/** Writes these pieces and then ends the answer, cuts it, or leaves it open. */
const stream = (type: string, pieces: (string | Buffer)[], then: 'end' | 'cut' | 'stay' = 'end'): Reply => {
  return async (_: Received, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': type });
    for (const piece of pieces) await new Promise((resolve) => response.write(piece, resolve));
    if (then === 'end') response.end();
    if (then === 'cut') response.destroy();
  };
};
const ndjson = (pieces: (string | Buffer)[], then?: 'end' | 'cut'): Reply =>
  stream('application/x-ndjson', pieces, then);
const live = (pieces: string[], then?: 'end' | 'cut' | 'stay'): Reply => stream('text/event-stream', pieces, then);

async function positions(events: AsyncIterable<EventView>, count = Infinity): Promise<string[]> {
  const seen: string[] = [];
  for await (const { position } of events) if (seen.push(position) === count) break;
  return seen;
}

describe('reading events', () => {
  it('ends at the head of the log', async () => {
    service.on(READ, ndjson([line(1), line(2) + line(3)]));
    expect(
      await positions(waybill.events({ after: '0', queue: 'mail', category: 'task', type: 'TaskEnqueued' })),
    ).toEqual(['1', '2', '3']);
    expect(String(service.requests[0]!.query)).toBe('queue=mail&category=task&type=TaskEnqueued&after=0');
  });

  it('assembles lines and characters that arrive in pieces', async () => {
    const bytes = Buffer.from(line(1) + line(2).trimEnd());
    const cut = bytes.indexOf(0xc3) + 1;
    service.on(READ, ndjson([bytes.subarray(0, 5), bytes.subarray(5, cut), bytes.subarray(cut)]));
    const seen: EventView[] = [];
    for await (const each of waybill.events()) seen.push(each);
    expect(seen).toEqual([event(1), event(2)]);
  });

  it('continues after the last event when the connection breaks, and requests only the rest', async () => {
    service.on(READ, ndjson([line(5), line(6)], 'cut'), ndjson([line(7)]));
    expect(await positions(waybill.events({ after: '4', limit: 3 }))).toEqual(['5', '6', '7']);
    expect(service.requests.map(({ query }) => String(query))).toEqual(['after=4&limit=3', 'after=6&limit=1']);
  });

  it('continues at the last position that the service told, although no event matched', async () => {
    service.on(READ, ndjson([line(5), '{"position":"90"}\n'], 'cut'), ndjson([line(97)]));
    expect(await positions(waybill.events({ after: '4', actor: 'ann' }))).toEqual(['5', '97']);
    expect(service.requests.map(({ query }) => String(query))).toEqual(['actor=ann&after=4', 'actor=ann&after=90']);
  });

  it('requests nothing more if the connection breaks after the last wanted event', async () => {
    service.on(READ, ndjson([line(5), line(6)], 'cut'));
    expect(await positions(waybill.events({ limit: 2 }))).toEqual(['5', '6']);
    expect(service.requests).toHaveLength(1);
  });

  it('throws a refusal', async () => {
    service.on(READ, problem(400, 'VALIDATION'));
    await expect(positions(waybill.events({ after: 'x' }))).rejects.toThrow(WaybillError);
    expect(service.requests).toHaveLength(1);
  });
});

describe('following events', () => {
  it('resumes with Last-Event-ID after a broken connection, with each event exactly once', async () => {
    service.on(FOLLOW, live([': hello\n\n', sse(5), sse(6)], 'cut'), problem(503, 'X'), live([sse(7)], 'stay'));
    const seen = await positions(waybill.events({ follow: true, after: '4', queue: 'mail' }), 3);
    expect(seen).toEqual(['5', '6', '7']);
    expect(service.requests.map(({ query, headers }) => [String(query), headers['last-event-id']])).toEqual([
      ['queue=mail&after=4', undefined],
      ['queue=mail', '6'],
      ['queue=mail', '6'],
    ]);
  });

  it('resumes where it began if the connection breaks before the first event', async () => {
    const begun: Reply = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'x-as-of-position': '40' });
      response.write(': hello\n\n', () => response.destroy());
    };
    service.on(FOLLOW, begun, live([sse(41)], 'stay'));
    expect(await positions(waybill.events({ follow: true, since: 'now', task: 't1' }), 1)).toEqual(['41']);
    expect(service.requests.map(({ query, headers }) => [String(query), headers['last-event-id']])).toEqual([
      ['task=t1&since=now', undefined],
      ['task=t1', '40'],
    ]);
  });

  it('resumes at the last position that the service told, although no event matched', async () => {
    service.on(FOLLOW, live([': 70\nid: 70\n\n', ': 90\nid: ', '90\n\n'], 'cut'), live([sse(91)], 'stay'));
    expect(await positions(waybill.events({ follow: true, after: '4', actor: 'ann' }), 1)).toEqual(['91']);
    expect(service.requests.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '90']);
  });

  it('waits as long as a service asks that has no place for another stream', async () => {
    const full = { ...problem(429, 'TOO_MANY_STREAMS'), headers: { 'retry-after': '7' } };
    service.on(FOLLOW, full, live([sse(5)], 'stay'));
    expect(await positions(waybill.events({ follow: true }), 1)).toEqual(['5']);
    expect(clock.delays[0]).toBeGreaterThanOrEqual(7_000);
  });

  it('drops an event that was cut off in the middle, and receives it again', async () => {
    service.on(FOLLOW, live([sse(5), sse(6).slice(0, 40)], 'cut'), live([sse(6)], 'stay'));
    expect(await positions(waybill.events({ follow: true }), 2)).toEqual(['5', '6']);
  });

  it('opens a stream again that the service has ended', async () => {
    service.on(FOLLOW, live([sse(5)]), live([sse(6)], 'stay'));
    expect(await positions(waybill.events({ follow: true }), 2)).toEqual(['5', '6']);
    expect(clock.delays).toEqual([1_000]);
  });

  it('closes its connection when the reader stops', async () => {
    service.on(FOLLOW, live([sse(5)], 'stay'));
    expect(await positions(waybill.events({ follow: true }), 1)).toEqual(['5']);
    await expect(service.requests[0]!.gone).resolves.toBeUndefined();
    expect(service.requests).toHaveLength(1);
  });

  it('ends without an error when its signal aborts', async () => {
    service.on(FOLLOW, live([sse(5)], 'stay'));
    const abort = new AbortController();
    const seen: string[] = [];
    for await (const { position } of waybill.events({ follow: true, signal: abort.signal })) {
      seen.push(position);
      abort.abort();
    }
    expect(seen).toEqual(['5']);
    await service.requests[0]!.gone;
  });

  it('gives up if the service stays unreachable', async () => {
    service.on(FOLLOW, problem(503, 'X'));
    await expect(positions(waybill.events({ follow: true }))).rejects.toThrow(WaybillUnavailable);
    expect(service.requests).toHaveLength(20);
    expect(Math.max(...clock.delays)).toBe(15_000);
  });

  it('gives up reading as early as any other call', async () => {
    service.on(READ, problem(503, 'X'));
    await expect(positions(waybill.events())).rejects.toThrow(WaybillUnavailable);
    expect(service.requests).toHaveLength(DEFAULT_RETRIES.attempts);
  });

  it('counts failures anew after an event', async () => {
    const away = Array<Reply>(15).fill('cut');
    service.on(FOLLOW, ...away, live([sse(5)], 'cut'), ...away, live([sse(6)], 'stay'));
    expect(await positions(waybill.events({ follow: true }), 2)).toEqual(['5', '6']);
  });
});

describe('following a task', () => {
  const HISTORY = 'GET /v1/tasks/t1/history';
  const of = (position: number, type: string, data = {}): object => ({ position: String(position), type, data });
  const message = (position: number, type: string, data = {}): string =>
    `id: ${position}\nevent: ${type}\ndata: ${JSON.stringify(of(position, type, data))}\n\n`;
  const types = async (): Promise<string[]> => {
    const seen: string[] = [];
    for await (const { type } of waybill.task('t1').follow()) seen.push(type);
    return seen;
  };

  it('yields its history, then new events, until it has ended', async () => {
    service
      .on(HISTORY, { body: { items: [of(3, 'TaskEnqueued'), of(5, 'TaskClaimed')] } })
      .on(FOLLOW, live([message(8, 'TaskOverruled', { verdict: 'requeue' }), message(9, 'TaskSucceeded')], 'stay'));
    expect(await types()).toEqual(['TaskEnqueued', 'TaskClaimed', 'TaskOverruled', 'TaskSucceeded']);
    expect(String(service.of(FOLLOW)[0]!.query)).toBe('task=t1&after=5');
  });

  it('requests nothing more for a task that had already ended', async () => {
    const items = [of(3, 'TaskEnqueued'), of(5, 'TaskFailed'), of(6, 'TaskRescheduled')];
    service.on(HISTORY, { body: { items } });
    expect(await types()).toEqual(['TaskEnqueued', 'TaskFailed', 'TaskRescheduled']);
    expect(service.of(FOLLOW)).toEqual([]);
  });

  it('continues for a task that was returned to work', async () => {
    service
      .on(HISTORY, { body: { items: [of(3, 'TaskEnqueued'), of(5, 'TaskFailed'), of(6, 'TaskRetried')] } })
      .on(FOLLOW, live([message(9, 'TaskOverruled', { verdict: 'fail' })], 'stay'));
    expect((await types()).at(-1)).toBe('TaskOverruled');
  });

  it('ends without an error when its signal aborts', async () => {
    service.on(HISTORY, 'silence');
    const abort = new AbortController();
    void service.received(HISTORY).then(() => abort.abort());
    const seen = [];
    for await (const each of waybill.task('t1').follow({ signal: abort.signal })) seen.push(each);
    expect(seen).toEqual([]);
  });
});
