import { EventEmitter, once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { EventFilter, RecordedEvent } from '../../src/application/kernel/event-store.port.js';
import { segmentsOf } from '../../src/application/kernel/log-segment.js';
import { OperateQueue } from '../../src/application/queues/operate-queue.handler.js';
import { NDJSON, SERVER_SENT_EVENTS } from '../../src/api/operations/stream-format.js';
import { fakeApplication, receipt, type FakeApplication } from './fake-application.js';

const ID = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f';

let api: FakeApplication;
let port: number;

beforeEach(async () => {
  api = await fakeApplication();
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  port = Number(new URL(await api.app.getUrl()).port);
});
afterEach(() => api.app.close());

const event = (position: bigint, more: object = {}): RecordedEvent => ({
  position,
  stream: 'queue-mail',
  revision: Number(position) - 1,
  id: ID,
  recordedAt: '2026-11-21T08:00:00.000Z',
  event: { type: 'QueueResumed', version: 1, data: { queue: 'mail', by: 'ann', ...more } },
  envelope: { actor: 'ann', correlationId: 'r-1' },
});

const view = (position: bigint) => {
  const { stream, revision, id, event: recorded, recordedAt, envelope } = event(position);
  const { type, version, data } = recorded;
  return { position: String(position), stream, revision, id, type, version, recordedAt, data, envelope };
};

async function get(path: string, headers: object = {}): Promise<IncomingMessage> {
  const sent = request({ host: '127.0.0.1', port, path, headers: { ...headers } });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response.setEncoding('utf8');
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) text += chunk as string;
  return text;
}

const slice = (after: bigint, count: number, more: object = {}) => {
  const events = Array.from({ length: count }, (_, n) => event(after + BigInt(n) + 1n, more));
  return { events, reached: after + BigInt(count) };
};

describe('the events up to the head', () => {
  const asked: [bigint, number, EventFilter | undefined][] = [];

  function aLogOf(length: number): void {
    asked.length = 0;
    api.store.head = async () => BigInt(length);
    api.store.scan = async ({ after, upTo }, limit, filter) => {
      asked.push([after, limit, filter]);
      return slice(after, Math.min(limit, Number(upTo - after)));
    };
  }

  it('are read page by page, one per line, and end where the log ended at the request', async () => {
    aLogOf(1_100);
    const response = await get('/v1/events?after=2');
    expect(response.headers).toMatchObject({ 'content-type': 'application/x-ndjson', 'x-as-of-position': '1100' });
    const lines = (await textOf(response)).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).position)).toEqual(
      Array.from({ length: 1_098 }, (_, n) => String(n + 3)),
    );
    expect(JSON.parse(lines[0]!)).toEqual(view(3n));
    expect(asked.map(([after]) => after)).toEqual([2n, 502n, 1002n]);
  });

  it('can be limited and filtered', async () => {
    aLogOf(1_100);
    const response = await get('/v1/events?limit=3&queue=mail&category=task&type=TaskFailed&actor=ann');
    expect((await textOf(response)).split('\n')).toHaveLength(4);
    expect(asked).toEqual([[0n, 3, { queue: 'mail', actor: 'ann', categories: ['task'], types: ['TaskFailed'] }]]);
  });

  it('may be empty', async () => {
    const response = await get('/v1/events');
    expect([response.statusCode, response.headers['content-type'], await textOf(response)]).toEqual([
      200,
      'application/x-ndjson',
      '',
    ]);
  });

  it('are not read ahead of a client that does not take them', async () => {
    let pages = 0;
    api.store.head = async () => 1_000_000n;
    api.store.scan = async ({ after }, limit) => {
      pages++;
      return slice(after, limit, { padding: 'x'.repeat(2_000) });
    };
    const response = await get('/v1/events');
    // The test takes nothing from the response. The reading must stop by itself, far from the end of the log.
    let seen = -1;
    while (seen !== pages) {
      seen = pages;
      for (let turn = 0; turn < 500; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(pages).toBeLessThan(50);
    response.destroy();
  });

  it('break the connection if a later page cannot be read', async () => {
    api.store.head = async () => 600n;
    api.store.scan = async ({ after }, limit) => {
      if (after > 0n) throw new Error('disk');
      return slice(after, limit);
    };
    await expect(get('/v1/events').then(textOf)).rejects.toThrow('aborted');
  });

  it('are answered with a problem if the first page cannot be read', async () => {
    api.store.head = async () => {
      throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    };
    expect(JSON.parse(await textOf(await get('/v1/events')))).toMatchObject({ status: 503, code: 'STORE_UNAVAILABLE' });
  });
});

it.each([
  [SERVER_SENT_EVENTS, ['retry: 1000\nid: 4\n\n', ': 9\nid: 9\n\n']],
  [NDJSON, ['{"position":"9"}\n']],
])('tells a client how far the log was looked through: %#', async (format, expected) => {
  const pages = async function* () {
    yield { events: [], reached: 9n };
  };
  const texts = [];
  for await (const text of format.chunksOf({ body: pages(), asOf: 4n })) texts.push(String(text));
  expect(texts).toEqual(expected);
});

describe('the stream of new events', () => {
  /** A log whose events after `start` are at hand, to which the test adds events. It records that its reader has left. */
  function aLiveLog(start = 0n) {
    const log = new EventEmitter();
    const opened: bigint[] = [];
    const next = async (_: bigint, signal: AbortSignal) => {
      log.emit('waits');
      const [page] = (await once(log, 'page', { signal }).catch(() => [[]])) as [readonly RecordedEvent[]];
      return segmentsOf(page);
    };
    api.live.open = (after) => {
      opened.push(after);
      const lackingUpTo = async (position: bigint) => (position < start ? start : null);
      return { lackingUpTo, next, close: async () => void log.emit('left') };
    };
    return { log, opened, left: once(log, 'left') };
  }

  async function follow(path: string, live: ReturnType<typeof aLiveLog>, headers: object = {}) {
    const waits = once(live.log, 'waits');
    const response = await get(path, headers);
    await waits;
    const next = async () => ((await once(response, 'data')) as [string])[0];
    return { response, next };
  }

  it('sends messages with position and type', async () => {
    const live = aLiveLog();
    const { response, next } = await follow('/v1/events/stream?after=4&queue=mail', live);
    expect(response.headers['content-type']).toBe('text/event-stream');
    expect(response.headers['cache-control']).toBe('no-store, no-transform');
    expect(live.opened).toEqual([4n]);
    expect(response.headers['x-as-of-position']).toBe('4');
    expect(await next()).toBe('retry: 1000\nid: 4\n\n');
    live.log.emit('page', [event(5n), event(6n), event(7n, { queue: 'other' })]);
    expect(await next()).toBe(
      [5n, 6n].map((n) => `id: ${n}\nevent: QueueResumed\ndata: ${JSON.stringify(view(n))}\n\n`).join(''),
    );
    response.destroy();
    await live.left;
  });

  it('continues after Last-Event-ID, whatever the URL says', async () => {
    const live = aLiveLog();
    const { response } = await follow('/v1/events/stream?after=4', live, { 'last-event-id': '17' });
    expect(live.opened[0]).toBe(17n);
    response.destroy();
    await live.left;
  });

  it.each([
    ['now', { head: 90n }],
    ['10m', { time: '2026-11-28T07:50:00.000Z' }],
    ['1d', { time: '2026-11-27T08:00:00.000Z' }],
    ['2026-11-28T09:30:00%2B02:00', { time: '2026-11-28T07:30:00.000Z' }],
  ])(
    'begins where it is asked to: since=%s',
    async (since, { head = 1n, time = null }: { head?: bigint; time?: string | null }) => {
      const live = aLiveLog();
      const asked: string[] = [];
      api.store.head = async () => head;
      api.store.positionBefore = async (given) => {
        asked.push(given);
        return 90n;
      };
      const { response } = await follow(`/v1/events/stream?since=${since}`, live);
      expect(live.opened[0]).toBe(90n);
      expect(asked).toEqual(time === null ? [] : [time]);
      response.destroy();
      await live.left;
    },
  );

  it("of one task reads the task's stream first and then follows the log", async () => {
    const live = aLiveLog(90n);
    const reads: unknown[] = [];
    api.store.scan = async (range, _, filter) => {
      reads.push([range, filter]);
      return { events: [event(6n)], reached: range.upTo };
    };
    const { response, next } = await follow(`/v1/events/stream?after=4&task=${ID}`, live);
    expect(await next()).toContain('id: 6\nevent: ');
    expect(reads).toEqual([[{ after: 4n, upTo: 90n }, { stream: `task-${ID}` }]]);
    response.destroy();
    await live.left;
  });

  it('whose filter nothing passes reads the log in slices, and tells at once that it has caught up', async () => {
    const live = aLiveLog(90n);
    const reads: bigint[] = [];
    api.store.scan = async ({ after, upTo }) => {
      reads.push(after);
      return { events: [], reached: after + 30n < upTo ? after + 30n : upTo };
    };
    const response = await get('/v1/events/stream?after=4&actor=nobody');
    let text = '';
    for await (const chunk of response) if ((text += chunk as string).includes('id: 90')) break;
    expect(text).toBe('retry: 1000\nid: 4\n\n: 90\nid: 90\n\n');
    expect(reads).toEqual([4n, 34n, 64n]);
    await live.left;
  });

  it('ends when the service stops', async () => {
    const live = aLiveLog();
    const { response } = await follow('/v1/events/stream', live);
    const ends = await Promise.allSettled([textOf(response), api.app.close(), live.left]);
    expect(ends).toMatchObject([
      { status: 'rejected', reason: { message: 'aborted' } },
      { status: 'fulfilled' },
      { status: 'fulfilled' },
    ]);
  });
});

it('refuses new requests while the service stops, and finishes those in progress', async () => {
  const steps = new EventEmitter();
  const [begun, finish] = [once(steps, 'begun'), once(steps, 'finish')];
  api.commands.answer(OperateQueue, async () => {
    steps.emit('begun');
    await finish;
    return receipt('mail');
  });
  const resume = () => api.app.inject({ method: 'POST', url: '/v1/queues/mail/resume' });
  const inHand = resume();
  await begun;
  api.app.getHttpAdapter().beforeClose!();
  for (const late of [await resume(), await api.app.inject('/healthz/ready')]) {
    expect(late.json()).toMatchObject({ status: 503, code: 'SHUTTING_DOWN' });
    expect(late.headers).toMatchObject({ 'retry-after': '1', connection: 'close' });
  }
  steps.emit('finish');
  expect((await inHand).statusCode).toBe(200);
});

it.each([
  ['/v1/events?after=4712', {}, '#/query/after'],
  ['/v1/events/stream?after=4712', {}, '#/query/after'],
  ['/v1/events/stream', { 'last-event-id': '4712' }, '#/headers/last-event-id'],
])(
  'refuses a position after which the store cannot read, before anything is sent: %s %j',
  async (path, headers, pointer) => {
    api.store.canReadAfter = async (position) => position !== 4712n;
    const response = await get(path, headers);
    expect(response.statusCode).toBe(400);
    expect(JSON.parse(await textOf(response))).toMatchObject({
      code: 'INVALID_INPUT',
      errors: [{ pointer, detail: 'Expected the position of an event' }],
    });
  },
);
