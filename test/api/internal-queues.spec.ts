import { type RunningService, startService } from '../support/running-service.js';

let service: RunningService;
let position: string;
beforeAll(async () => {
  service = await startService();
  for (const name of ['mail', 'zip']) await service.waybill.queue(name).define();
  await service.waybill.queue('mail').enqueue();
  await service.waybill.deliver({ mail: { to: ['ann@example.com'], subject: 'Hello', text: 'Hello' } });
  ({ position } = await service.waybill.queue('zip').enqueue());
  await service.caughtUp('queue-stats', position);
});
afterAll(() => service.stop());

/** Without `page`, one item at a time, so that cursors go on within the filter. */
async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const LISTS: [string, (filter: { internal?: boolean }) => AsyncIterable<object>, (item: any) => [string, boolean?]][] =
  [
    ['queues', (filter) => service.waybill.queues({ ...filter, limit: 1 }), ({ name, internal }) => [name, internal]],
    [
      'statistics of queues',
      (filter) => service.waybill.queueStats({ ...filter, limit: 1 }),
      ({ queue, internal }) => [queue, internal],
    ],
    ['tasks', (filter) => service.waybill.tasks.list(filter, { limit: 1 }), ({ queue }) => [queue]],
  ];

describe.each(LISTS)("the service's own queues in the list of %s", (what, list, shown) => {
  const names = async (filter: { internal?: boolean }) =>
    (await all(list(filter))).map((item) => shown(item)[0]).sort();

  it('are left out, or alone, as the filter says', async () => {
    expect({
      without: await names({ internal: false }),
      alone: await names({ internal: true }),
      all: await names({}),
    }).toEqual({ without: ['mail', 'zip'], alone: ['waybill.mail'], all: ['mail', 'waybill.mail', 'zip'] });
  });

  it('are marked, where queues are listed', async () => {
    const marks = Object.fromEntries((await all(list({}))).map(shown));
    if (what !== 'tasks') expect(marks).toEqual({ mail: false, 'waybill.mail': true, zip: false });
  });
});

it("workers of the service's own queues, and their work there, stand apart", async () => {
  await service.pool.query(`insert into worker_presence (worker, queue, server, first_seen_at, seen_at)
    values ('ann', 'mail', 's', now(), now()), ('ann', 'waybill.x', 's', now(), now()), ('own', 'waybill.x', 's', now(), now())`);
  await service.pool
    .query(`insert into worker_roster (worker, queue, claimed, running, succeeded, failed, lost, returned, position)
    values ('ann', 'mail', 3, 0, 3, 0, 0, 0, 1), ('ann', 'waybill.x', 4, 0, 4, 0, 0, 0, 1)`);
  const shown = async (filter: { internal?: boolean }) =>
    (await all(service.waybill.workers({ ...filter, limit: 1 }))).flatMap(({ name, queues, claimed }) =>
      ['ann', 'own'].includes(name) ? [[name, queues, claimed]] : [],
    );
  expect({
    without: await shown({ internal: false }),
    alone: await shown({ internal: true }),
    all: await shown({}),
  }).toEqual({
    without: [['ann', ['mail'], 3]],
    alone: [
      ['ann', ['waybill.x'], 4],
      ['own', ['waybill.x'], 0],
    ],
    all: [
      ['ann', ['mail', 'waybill.x'], 7],
      ['own', ['waybill.x'], 0],
    ],
  });
});

it('a cursor of a list without them goes on in no other list', async () => {
  const get = (query: string) => fetch(`${service.url}/v1/queues?${query}`);
  const { nextCursor } = (await (await get('internal=false&limit=1')).json()) as { nextCursor: string };
  expect((await get(`internal=false&limit=1&cursor=${nextCursor}`)).status).toBe(200);
  expect((await get(`limit=1&cursor=${nextCursor}`)).status).toBe(400);
});

it("the metrics of the service's own queues have a label, which those of others lack", async () => {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const series = [...text.matchAll(/^(waybill_(?:tasks|claims_total|queue_state)\{.*\}) /gm)].map(([, one]) => one!);
  const marked = series.filter((one) => one.includes('internal="true"'));
  expect(series.filter((one) => one.includes('internal')).sort()).toEqual(marked.sort());
  expect(new Set(marked.map((one) => /queue="([^"]*)"/.exec(one)![1]))).toEqual(new Set(['waybill.mail']));
  expect(series.filter((one) => one.includes('queue="waybill.')).sort()).toEqual(marked);
  expect(series).toContain('waybill_claims_total{queue="mail"}');
});
