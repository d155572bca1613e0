import { externalLog } from '../src/infrastructure/eventstoredb/reservations/loaded-log.js';
import { createWaybill, type EventView, type ClaimedTask, type Waybill } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import type { SettleItem } from '@waybill/contracts';
import { Config } from '../src/bootstrap/config.js';
import { openToIndex } from '../src/bootstrap/event-store.js';
import { IndexRebuild } from '../src/infrastructure/dispatch-index/index-rebuild.js';
import { EventStoreDbLog } from '../src/infrastructure/eventstoredb/log/eventstoredb-log.js';
import { PostgresPool } from '../src/infrastructure/database/postgres-pool.js';
import { createLog } from '../src/infrastructure/telemetry/pino-logger.js';
import { moveEvents, reportText } from '../src/maintenance/move-events.js';
import { type Server, startServer } from '../src/bootstrap/server.js';
import { EventStoreDbFixture } from './support/eventstoredb/fixture.js';
import { ProcessClock } from './support/eventstoredb/open-log.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';
import { until } from './support/until.js';

/** Of two queues, a batch (created and opened), a trigger, and the system (drained and resumed). */
const OTHER_EVENTS = 2 + 2 + 1 + 2;
const ODD = { text: 'ü \u2028 "quoted" \\', n: 9_007_199_254_740_991, 7: 'seven', list: [1.5e-7, null, {}] };

/** An event of a history without its position, which each store assigns in its own way. */
const withoutPosition = (event: EventView): unknown => ({ ...event, position: null });

const settled = ({ taskId, token }: ClaimedTask, verdict: SettleItem['verdict']) => ({ taskId, token, verdict });

describe('an installation that moves to EventStoreDB', () => {
  let target: EventStoreDbFixture;
  const databases: TestDatabase[] = [];
  const servers: Server[] = [];

  beforeAll(async () => {
    target = await EventStoreDbFixture.start();
    for (let at = 0; at < 6; at++) databases.push(await createTestDatabase());
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await Promise.all(databases.map((database) => database.drop()));
    await target.stop();
  });

  const configOf = (at: number, eventStoreUrl?: string): Config =>
    Object.assign(new Config(), { databaseUrl: databases[at]!.url, port: 0, ...(eventStoreUrl && { eventStoreUrl }) });

  async function start(config: Config): Promise<{ server: Server; waybill: Waybill }> {
    const server = await startServer(config, createLog({ level: 'error', format: 'text' }));
    servers.push(server);
    return { server, waybill: createWaybill({ url: server.url! }) };
  }

  /** Creates tasks in every kind of state. Returns their ids. */
  async function live(waybill: Waybill): Promise<string[]> {
    const queue = waybill.queue('mail');
    await queue.define({ onFailure: 'fail' });
    const tasks = ['a', 'b', 'c', 'd'].map((key) => ({ id: uuidv7(), key, payload: ODD }));
    await queue.enqueueMany(tasks);
    const [first, second] = await queue.claim({ worker: 'w', max: 3 });
    await waybill.settle([
      settled(first!, { type: 'succeed', result: ODD }),
      settled(second!, { type: 'fail', error: { message: 'no' } }),
    ]);
    return tasks.map(({ id }) => id);
  }

  /** A batch whose second task waits for the first, a task that waits for the batch, a trigger, and a drain that ended. */
  async function liveInGraphs(waybill: Waybill): Promise<{ batch: string; tasks: readonly [string, string, string] }> {
    const queue = waybill.queue('graph');
    await queue.define({});
    const batch = await waybill.planBatch({ name: 'b' }).create();
    const [a, b, last] = [uuidv7(), uuidv7(), uuidv7()];
    await queue.enqueue(null, { id: a, batch: batch.id });
    await queue.enqueue(null, { id: b, batch: batch.id, after: [{ task: a }] });
    await queue.enqueue(null, { id: last, after: [{ batch: batch.id }] });
    await batch.open(2);
    await waybill.trigger('yearly').define({ cron: '0 0 1 1 *', timeZone: 'UTC', task: { queue: 'graph' } });
    await waybill.system.drain({});
    await waybill.system.resume({});
    return { batch: batch.id, tasks: [a, b, last] };
  }

  /** Claims whatever is ready in the queue of graphs, and lets it succeed. */
  async function workOff(waybill: Waybill): Promise<string> {
    const claimed = await until('a task', async () => {
      const tasks = await waybill.queue('graph').claim({ worker: 'w', max: 10 });
      return tasks.length > 0 ? tasks : null;
    });
    await waybill.settle(claimed.map((task) => settled(task, { type: 'succeed' })));
    return claimed.map(({ taskId }) => taskId).join();
  }

  const historiesOf = (waybill: Waybill, ids: readonly string[]): Promise<unknown[][]> =>
    Promise.all(ids.map(async (id) => (await waybill.task(id).history()).map(withoutPosition)));

  /** Resolves when every follower is at the head of the log. */
  const atRest = (waybill: Waybill): Promise<true> =>
    until('the followers', async () =>
      (await waybill.projections()).every(({ lagSeconds }) => lagSeconds === 0) ? true : null,
    );

  async function makeIndex(config: Config): Promise<void> {
    const { databaseUrl, eventStoreUrl, eventStorePrefix } = config;
    const options = { databaseUrl: databaseUrl!, eventStoreUrl, eventStorePrefix, log: () => undefined };
    const store = (await openToIndex(options))!;
    const pool = new PostgresPool({ url: databaseUrl!, size: 2 });
    const log = new EventStoreDbLog({ ...store, clock: new ProcessClock() });
    await new IndexRebuild(pool, externalLog({ id: store.id, log, reactions: ['clear-failures-on-success'] })).run();
    await log.close();
    await pool.end();
  }

  it('continues there with the same tasks and histories, and cannot continue with its old store', async () => {
    const before = await start(configOf(0));
    const ids = await live(before.waybill);
    const graph = await liveInGraphs(before.waybill);
    expect(await workOff(before.waybill)).toBe(graph.tasks[0]);
    const histories = await historiesOf(before.waybill, [...ids, ...graph.tasks]);
    const states = await Promise.all(ids.map(async (id) => (await before.waybill.task(id).get()).state));
    await atRest(before.waybill);
    await before.server.stop();

    const moving = { config: configOf(0, target.url), onProgress: () => undefined, log: () => undefined };
    const report = await moveEvents(moving);
    expect(report).toMatchObject({ copied: histories.flat().length + OTHER_EVENTS, equal: true });
    expect(reportText(report, moving.config)).toContain('npm run rebuild -- index');
    expect(await moveEvents(moving)).toEqual({ ...report, copied: 0 });
    await expect(start(configOf(0))).rejects.toThrow('they were copied to an EventStoreDB');
    await expect(start(moving.config)).rejects.toThrow('they were copied to an EventStoreDB');

    await makeIndexAfterRefusal(configOf(1, target.url));
    const { waybill } = await start(configOf(1, target.url));
    expect(await historiesOf(waybill, [...ids, ...graph.tasks])).toEqual(histories);
    expect(await waybill.batch(graph.batch).get()).toMatchObject({ state: 'running', total: 2, open: 1, succeeded: 1 });
    expect(await waybill.trigger('yearly').get()).toMatchObject({ cron: '0 0 1 1 *' });
    expect(await waybill.system.get()).toMatchObject({ state: 'running' });
    expect([await workOff(waybill), await workOff(waybill)]).toEqual(graph.tasks.slice(1));
    expect(await waybill.batch(graph.batch).get()).toMatchObject({ state: 'completed' });
    expect(await Promise.all(ids.map(async (id) => (await waybill.task(id).get()).state))).toEqual(states);
    expect((await waybill.queue('mail').enqueue(null, { key: 'd' })).id).toBe(ids[3]);
    const [claimedTask] = await waybill.queue('mail').claim({ worker: 'w' });
    expect(claimedTask).toMatchObject({ taskId: ids[3], payload: ODD });
    await waybill.settle([settled(claimedTask!, { type: 'succeed' })]);
    await atRest(waybill);
    expect((await waybill.task(ids[1]!).get()).state).toBe('failed');
  });

  it('moves while it drains, with a batch that was made meanwhile, and goes on there once it is resumed', async () => {
    const before = await start(configOf(2));
    await before.waybill.queue('graph').define({});
    await before.waybill.system.drain({ intake: 'open', reason: 'the move' });
    const batch = await before.waybill.planBatch({ name: 'made meanwhile' }).create();
    const [first, second] = [uuidv7(), uuidv7()];
    await before.waybill.queue('graph').enqueue(null, { id: first, batch: batch.id });
    await before.waybill.queue('graph').enqueue(null, { id: second, batch: batch.id, after: [{ task: first }] });
    await batch.open(2);
    await atRest(before.waybill);
    await before.server.stop();

    const onPrefix = (at: number): Config => Object.assign(configOf(at, target.url), { eventStorePrefix: 'drained.' });
    const moving = { config: onPrefix(2), onProgress: () => undefined, log: () => undefined };
    expect(await moveEvents(moving)).toMatchObject({ equal: true });
    await makeIndexAfterRefusal(onPrefix(3));
    const { waybill } = await start(onPrefix(3));
    expect(await waybill.system.get()).toMatchObject({ state: 'draining', drain: { reason: 'the move' } });
    expect(await waybill.batch(batch.id).get()).toMatchObject({ state: 'running', total: 2, open: 2 });
    expect(await waybill.queue('graph').claim({ worker: 'w' })).toEqual([]);
    await waybill.system.resume({});
    expect([await workOff(waybill), await workOff(waybill)]).toEqual([first, second]);
    await until('the batch to be completed', async () =>
      (await waybill.batch(batch.id).get()).state === 'completed' ? true : null,
    );
  });

  it('lets a task that an undo brought back stand in line where it stood before, although positions differ', async () => {
    const before = await start(configOf(4));
    const queue = before.waybill.queue('line');
    await queue.define({});
    const [first, second, third] = [uuidv7(), uuidv7(), uuidv7()];
    await queue.enqueueMany([first, second, third].map((id) => ({ id })));
    const [claimed] = await queue.claim({ worker: 'w' });
    await before.waybill.settle([settled(claimed!, { type: 'return' })]);
    const { id: held } = await before.waybill.operate('hold', { tasks: [first] }, {});
    await endOf(before.waybill, held!);
    const { id: undone } = await before.waybill.undo(held!, {});
    await endOf(before.waybill, undone!);
    await atRest(before.waybill);
    await before.server.stop();

    const onPrefix = (at: number): Config => Object.assign(configOf(at, target.url), { eventStorePrefix: 'undone.' });
    expect(await moveEvents({ config: onPrefix(4), onProgress: () => undefined, log: () => undefined })).toMatchObject({
      equal: true,
    });
    await makeIndexAfterRefusal(onPrefix(5));
    const { waybill } = await start(onPrefix(5));
    const given = await waybill.queue('line').claim({ worker: 'w', max: 3 });
    expect(given.map(({ taskId }) => taskId)).toEqual([second, third, first]);
  });

  const endOf = (waybill: Waybill, operation: string): Promise<true> =>
    until('the operation to end', async () =>
      (await waybill.task(operation).get()).finishedAt === null ? null : true,
    );

  async function makeIndexAfterRefusal(config: Config): Promise<void> {
    await expect(start(config)).rejects.toThrow("run 'npm run rebuild -- index'");
    await makeIndex(config);
  }
});
