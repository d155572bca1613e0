import type { Worker } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { FixtureCluster } from '../support/eventstoredb/cluster.js';
import { EventStoreDbFixture } from '../support/eventstoredb/fixture.js';
import type { NodeState } from '../support/eventstoredb/node.js';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';
import { PATIENT, startWorker } from './load.js';

const QUEUE = 'plain';

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly code?: string;
}

/** Asks without a client that would retry. */
async function ask(service: RunningService, path: string, body?: object): Promise<Answer> {
  const answer = await fetch(service.url + path, {
    ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const { code } = (await answer.json()) as { readonly code?: string };
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), ...(code !== undefined && { code }) };
}

const enqueue = (service: RunningService, id: string): Promise<Answer> =>
  ask(service, `/v1/queues/${QUEUE}/tasks`, { id, payload: { failures: 0 } });

const AWAY: Answer = { status: 503, retryAfter: '1', code: 'STORE_UNAVAILABLE' };

describe('an EventStoreDB that starts', () => {
  let server: EventStoreDbFixture;
  let service: RunningService;
  beforeEach(async () => {
    server = await EventStoreDbFixture.start();
  });
  afterEach(async () => {
    await service.stop();
    await server.stop();
  });

  it('is awaited by a service that starts at the same time', async () => {
    server.state = 'initializing';
    let isUp = false;
    const starting = startService({ eventStoreUrl: server.url }).then((started) => {
      isUp = true;
      return started;
    });
    await until('a look at the server', async () => (server.unanswered > 0 ? true : null));
    server.state = 'unknown';
    await until('an append that it does not take', async () => (server.refused > 0 ? true : null));
    expect(isUp).toBe(false);
    server.state = 'leader';
    service = await starting;
    await service.waybill.queue(QUEUE).define();
    expect((await enqueue(service, uuidv7())).status).toBe(201);
  });

  it.each(['initializing', 'unknown'] satisfies NodeState[])(
    'is reported to callers as an unavailable store each time (%s), and never as a bug',
    async (state) => {
      service = await startService({ eventStoreUrl: server.url });
      await service.waybill.queue(QUEUE).define();
      const ids = Array.from({ length: 10 }, () => uuidv7());
      server.state = state;
      expect(await Promise.all(ids.map((id) => enqueue(service, id)))).toEqual(ids.map(() => AWAY));
      server.state = 'leader';
      for (const id of ids) {
        const last = await until(`'${id}' to be taken`, async () => {
          const answer = await enqueue(service, id);
          return answer.status === 503 ? null : answer;
        });
        expect(last.status).toBeLessThan(300);
      }
      expect(startsIn(server.log.ordinary)).toEqual([...ids].sort());
    },
  );
});

/** The ids of the enqueued tasks, one for each time. */
const startsIn = (events: EventStoreDbFixture['log']['ordinary']): string[] =>
  events
    .filter(({ type }) => type === 'TaskEnqueued')
    .map(({ stream }) => stream.slice(stream.indexOf('task-') + 'task-'.length))
    .sort();

describe('a cluster whose leader changes', () => {
  const TASKS = 240;
  const CALLERS = 12;
  let cluster: FixtureCluster;
  let service: RunningService;
  let worker: Worker | null = null;
  beforeAll(async () => {
    cluster = await FixtureCluster.start();
    service = await startService({ eventStoreUrl: cluster.url });
  });
  afterAll(async () => {
    await worker?.stop();
    await service.stop();
    await cluster.stop();
  });

  const asked = (what: 'gossips' | 'refused'): number => cluster.nodes.reduce((sum, node) => sum + node[what], 0);

  it('loses nothing acknowledged, does nothing twice, and answers no 500', async () => {
    await service.waybill.queue(QUEUE).define({ maxLost: 1_000 });
    worker = await startWorker(service.waybill, { name: 'w1', leaseMs: 5_000 });
    const waiting = Array.from({ length: TASKS }, () => uuidv7());
    const ids = [...waiting].sort();
    const refusals: Answer[] = [];
    let taken = 0;
    const handIn = async (): Promise<void> => {
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        const stays = id;
        await until('a task to be taken', async () => {
          const answer = await enqueue(service, stays);
          if (answer.status >= 300) refusals.push(answer);
          return answer.status < 300 ? true : null;
        });
        taken += 1;
      }
    };
    const handingIn = Promise.all(Array.from({ length: CALLERS }, handIn));
    for (const [index, others] of (['elect', 'do not know', 'elect'] as const).entries()) {
      await until(`${index + 1} quarters of the tasks`, async () => (taken > ((index + 1) * TASKS) / 4 ? true : null));
      const gone = await cluster.killLeader(others);
      const [looks, refused] = [asked('gossips'), asked('refused')];
      await until('a look for the leader', async () => (asked('gossips') > looks ? true : null));
      if (others === 'do not know')
        await until('an append that nobody takes', async () => (asked('refused') > refused ? true : null));
      cluster.elect(cluster.nodes[(index + 1) % cluster.nodes.length]!);
      await gone.resume();
    }
    await handingIn;
    expect(refusals).toEqual(refusals.map(() => AWAY));
    expect(startsIn(cluster.log.ordinary)).toEqual(ids);
    const stats = () => service.waybill.queue(QUEUE).stats({ retry: PATIENT });
    await until('all tasks to be done', async () => ((await stats()).counts.succeeded === TASKS ? true : null));
    const ended = cluster.log.ordinary.filter(({ type }) => type === 'TaskSucceeded').map(({ stream }) => stream);
    expect([ended.length, new Set(ended).size]).toEqual([TASKS, TASKS]);
  });
});
