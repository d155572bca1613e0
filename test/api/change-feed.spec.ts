import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { MOST_NAMES } from '../../src/application/history/change-feed.js';
import type { RecordedEvent } from '../../src/application/kernel/event-store.port.js';
import { segmentsOf } from '../../src/application/kernel/log-segment.js';
import { triggerStream } from '../../src/domain/trigger/trigger.stream.js';
import type { ApiKey } from '../../src/api/access/api-keys.js';
import { fakeApplication, type FakeApplication } from './fake-application.js';

const KEYS: readonly ApiKey[] = [
  { name: 'all', may: ['read'] as const },
  { name: 'mailer', may: ['read:mail'] as const },
].map((key) => ({ ...key, sha256: createHash('sha256').update(`wb_${key.name}`).digest('hex') }));

let api: FakeApplication;
let log: EventEmitter;
/** The position from which on events are at hand. */
let start: bigint;
let opened: bigint[];
let paces: number[];

beforeEach(async () => {
  api = await fakeApplication({ apiKeys: KEYS });
  [log, start, opened, paces] = [new EventEmitter(), 0n, [], []];
  api.store.head = async () => 40n;
  api.live.open = (after, pace) => {
    opened.push(after);
    paces.push(pace.restAfter(1));
    return {
      lackingUpTo: async (position) => (position < start ? start : null),
      next: async (_, signal) => {
        log.emit('waits');
        const [events] = (await once(log, 'events', { signal }).catch(() => [[]])) as [RecordedEvent[]];
        return segmentsOf(events);
      },
      close: async () => void log.emit('left'),
    };
  };
  await api.app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => api.app.close());

const taskId = (n: number): string => `019a7f3e-6c1b-7d44-9e21-${String(n).padStart(12, '0')}`;

const event = (position: bigint, stream: string, queue?: string): RecordedEvent => ({
  position,
  stream,
  revision: 0,
  id: taskId(0),
  recordedAt: '2026-11-21T08:00:00.000Z',
  event: { type: 'Something', version: 1, data: { queue } },
  envelope: { actor: 'ann', correlationId: 'r-1' },
});

interface Following {
  readonly response: IncomingMessage;
  next(): Promise<string>;
}

async function follow(key = 'all', query = '', headers = {}): Promise<Following> {
  const waits = once(log, 'waits');
  const url = `${await api.app.getUrl()}/v1/changes/stream${query}`;
  const authorization = `Bearer wb_${key}`;
  const [response] = (await once(get(url, { headers: { authorization, ...headers }, agent: false }), 'response')) as [
    IncomingMessage,
  ];
  const next = async () => ((await once(response.setEncoding('utf8'), 'data')) as [string])[0];
  await waits;
  return { response, next };
}

async function after({ response, next }: Following, ...events: RecordedEvent[]): Promise<object> {
  const said = next();
  log.emit('events', events);
  response.resume();
  const text = await said;
  return JSON.parse(/^data: (.*)$/m.exec(text)![1]!) as object;
}

const nothing = { everything: false, queues: [], tasks: [], others: [] };

it('begins now, and names what changed, each thing once', async () => {
  const feed = await follow();
  expect(await feed.next()).toBe('retry: 1000\nid: 40\n\n');
  expect(opened).toEqual([40n]);
  const changes = [
    event(41n, `task-${taskId(1)}`, 'mail'),
    event(42n, `task-${taskId(1)}`, 'mail'),
    event(43n, 'queue-sms', 'sms'),
    event(44n, triggerStream('nightly')),
  ];
  const notice = await after(feed, ...changes);
  expect(notice).toEqual({
    position: '44',
    type: 'Changed',
    everything: false,
    queues: ['mail', 'sms'],
    tasks: [taskId(1)],
    others: [{ category: 'trigger', name: 'nightly' }],
  });
  feed.response.destroy();
});

it('rests for a second after each notice', async () => {
  (await follow()).response.destroy();
  expect(paces).toEqual([1_000]);
});

it('says that there were too many to name', async () => {
  const feed = await follow();
  await feed.next();
  const tasks = Array.from({ length: MOST_NAMES + 1 }, (_, n) => event(BigInt(41 + n), `task-${taskId(n)}`, 'mail'));
  expect(await after(feed, ...tasks.slice(1))).toMatchObject({ tasks: { length: MOST_NAMES } });
  expect(await after(feed, ...tasks)).toMatchObject({ ...nothing, queues: ['mail'], tasks: null });
  feed.response.destroy();
});

it('tells a key for some queues of nothing else', async () => {
  const feed = await follow('mailer');
  await feed.next();
  const other = [event(41n, `task-${taskId(1)}`, 'other'), event(42n, 'hold-legal'), event(43n, 'batch-b1')];
  const waits = once(log, 'waits');
  log.emit('events', other);
  await waits;
  const notice = await after(feed, ...other, event(44n, `task-${taskId(2)}`, 'mail'));
  expect(notice).toEqual({ ...nothing, position: '44', type: 'Changed', queues: ['mail'], tasks: [taskId(2)] });
  feed.response.destroy();
});

it.each([
  ['Last-Event-ID', '', { 'last-event-id': '17' }],
  ['after', '?after=17', {}],
  ['Last-Event-ID rather than after', '?after=12', { 'last-event-id': '17' }],
])('resumes from %s, and says that anything may have changed if that is too long ago', async (_, query, headers) => {
  start = 30n;
  const feed = await follow('all', query, headers);
  let text = await feed.next();
  while (!text.includes('data: ')) text += await feed.next();
  expect(text).toBe(
    'retry: 1000\nid: 17\n\nid: 30\nevent: Changed\ndata: {"position":"30","type":"Changed","everything":true,"queues":null,"tasks":null,"others":null}\n\n',
  );
  feed.response.destroy();
});

it('sends a notice once the read models show it', async () => {
  const [asked, shown] = [new Set<string>(), new EventEmitter()];
  api.positions.waitFor = async (model, position) => {
    asked.add(`${model} ${position}`);
    if (asked.size === 5) shown.emit('asked');
    await once(shown, model);
    return position;
  };
  const feed = await follow();
  await feed.next();
  const allAsked = once(shown, 'asked');
  let sent = false;
  const notice = after(feed, event(41n, 'hold-legal')).then(() => (sent = true));
  await allAsked;
  const models = ['tasks', 'queue-stats', 'queue-history', 'worker-roster', 'failure-groups'];
  expect([...asked]).toEqual(models.map((model) => `${model} 41`));
  for (const model of models.slice(1)) shown.emit(model);
  await api.app.inject('/healthz/live');
  expect(sent).toBe(false);
  shown.emit('tasks');
  await notice;
  feed.response.destroy();
});

it('leaves the log when its client has left, and ends when the service stops', async () => {
  const first = await follow();
  const left = once(log, 'left');
  first.response.destroy();
  await left;
  const second = await follow();
  const ended = once(second.response.resume(), 'error').catch(() => undefined);
  await Promise.all([api.app.close(), once(log, 'left'), ended]);
  expect(second.response.destroyed).toBe(true);
});

it.each([
  ['?after=x', {}, '#/query/after'],
  ['', { 'last-event-id': 'x' }, '#/headers/last-event-id'],
  ['', { 'last-event-id': '4712' }, '#/headers/last-event-id'],
])('refuses a position that no event can have: %s %j', async (query, headers, pointer) => {
  api.store.canReadAfter = async (position) => position !== 4712n;
  const response = await api.app.inject({
    url: `/v1/changes/stream${query}`,
    headers: { authorization: 'Bearer wb_all', ...headers },
  });
  expect(response.json()).toMatchObject({ status: 400, errors: [{ pointer }] });
});
