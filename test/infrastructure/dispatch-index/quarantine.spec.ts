import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ClaimTasks, ClaimTasksHandler } from '../../../src/application/claims/claim-tasks.handler.js';
import { LeaseExpiry } from '../../../src/application/claims/lease-expiry.js';
import { QueueDirectory } from '../../../src/application/kernel/queue-directory.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { PostgresQuarantine } from '../../../src/infrastructure/dispatch-index/postgres-quarantine.js';
import { ReadQuarantinedAgain } from '../../../src/infrastructure/sweeper/chores/read-quarantined-again.js';
import {
  besides,
  claimOf,
  type DispatchFixture,
  openDispatch,
  openReservedDispatch,
  type ReservedDispatch,
  reservedDispatchOn,
} from '../../support/dispatch-fixture.js';

interface Damage {
  /** Makes the first event of a task one of a later build. */
  plant(fixture: DispatchFixture, taskId: string): Promise<unknown>;
  /** As a build finds it that knows the event. */
  repair(fixture: DispatchFixture, taskId: string): Promise<unknown>;
}

const inPostgres = (version: number) => (fixture: DispatchFixture, taskId: string) =>
  fixture.pool.query('update segments set version = $2 where position = (select seq from tasks where task_id = $1)', [
    taskId,
    version,
  ]);

const inReserved =
  (from: string, to: string) =>
  ({ pool }: DispatchFixture, taskId: string) =>
    pool.query('update open_histories set events = replace(events, $2, $3) where task_id = $1', [taskId, from, to]);

const STORES: [string, () => Promise<DispatchFixture>, Damage][] = [
  ['Postgres', openDispatch, { plant: inPostgres(99), repair: inPostgres(1) }],
  [
    'EventStoreDB',
    openReservedDispatch,
    {
      plant: inReserved('"version":1', '"version":99'),
      repair: inReserved('"version":99', '"version":1'),
    },
  ],
];

/** Another process, which has no states in memory. */
const elsewhere = (fixture: DispatchFixture): DispatchFixture =>
  'server' in fixture ? reservedDispatchOn(fixture as ReservedDispatch) : besides(fixture);

describe('a damaged event in Postgres', () => {
  let fixture: DispatchFixture;

  beforeEach(async () => {
    Logger.overrideLogger(false);
    fixture = await openDispatch();
    await fixture.define('mail');
  });
  afterEach(() => fixture.close());

  it.each([
    ['is no JSON', '{"broken'],
    ['is no object', 'null'],
  ])('that %s takes no other of its segment with it', async (_, damaged) => {
    const [first, second, third] = await fixture.enqueue('mail', [{ payload: 1 }, { payload: 2 }, { payload: 3 }]);
    const { rowCount } = await fixture.pool.query(
      `update segments set shared = null, private = null, data = (
         select string_agg(case when e.at = 2 then $1 else waybill_whole(shared, e.line, e.half) end, E'\\n' order by e.at)
         from rows from (string_to_table(data, E'\\n'), string_to_table(private, E'\\n')) with ordinality as e(line, half, at))
       where type = 'TaskEnqueued'`,
      [damaged],
    );
    expect(rowCount).toBe(1);
    expect((await fixture.claim('mail', { max: 3 })).map(({ taskId }) => taskId)).toEqual([first, third]);
    const { rows } = await fixture.pool.query<{ task_id: string }>('select task_id from quarantined');
    expect(rows).toEqual([{ task_id: second }]);
  });
});

describe('a queue that cannot be read', () => {
  let fixture: DispatchFixture;

  beforeEach(async () => {
    Logger.overrideLogger(false);
    fixture = await openDispatch();
    await fixture.define('mail');
    await fixture.define('scan');
    await fixture.pool.query(`update segments set version = 99
      where category = 'queue' and (data::jsonb->>'queue' = 'scan' or shared::jsonb->>'queue' = 'scan')`);
  });
  afterEach(() => fixture.close());

  it('does not keep those of other queues that are asked for together from being claimed', async () => {
    const [task] = await fixture.enqueue('mail', [{}]);
    const other = elsewhere(fixture);
    const [scan, mail] = await Promise.allSettled([other.claim('scan'), other.claim('mail')]);
    expect(scan).toMatchObject({ status: 'rejected', reason: { stream: expect.stringContaining('queue-') } });
    expect(mail).toMatchObject({ status: 'fulfilled', value: [{ taskId: task }] });
  });

  it('refuses its own tasks only if tasks of several queues are enqueued together', async () => {
    const items = [{ queue: 'scan' }, { queue: 'mail' }];
    expect(await elsewhere(fixture).enqueue('mail', items)).toEqual([
      'STREAM_UNREADABLE',
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ]);
  });
});

describe.each(STORES)('a task that cannot be read, with the events in %s', (_, open, { plant, repair }) => {
  let fixture: DispatchFixture;

  beforeEach(async () => {
    Logger.overrideLogger(false);
    fixture = await open();
    await fixture.define('mail', { duplicatePending: 'allow' });
  });
  afterEach(() => fixture.close());

  /** Enqueues each task by itself. */
  async function enqueue(...keys: (string | undefined)[]): Promise<string[]> {
    const ids: string[] = [];
    for (const key of keys) ids.push(...(await fixture.enqueue('mail', [key === undefined ? {} : { key }])));
    return ids;
  }

  const claimedIds = async (max: number): Promise<string[]> =>
    (await fixture.claim('mail', { max })).map(({ taskId }) => taskId);

  async function quarantined(): Promise<string[]> {
    const { rows } = await fixture.pool.query<{ task_id: string }>('select task_id from quarantined order by since');
    return rows.map(({ task_id: taskId }) => taskId);
  }

  async function readAgain(): Promise<void> {
    const quarantine = new PostgresQuarantine(fixture.pool, fixture.wakeUps);
    const chore = new ReadQuarantinedAgain(fixture.store, quarantine);
    await fixture.pool.query('update quarantined set retry_at = now()');
    await chore.act(await chore.find(10));
  }

  it('does not keep other tasks from being claimed, and is put aside', async () => {
    const [first, second] = await enqueue(undefined, undefined);
    await plant(fixture, first!);
    expect(await claimedIds(1)).toEqual([second]);
    expect(await quarantined()).toEqual([first]);
  });

  it('is left out of a claim of several tasks', async () => {
    const [first, second, third] = await enqueue(undefined, undefined, undefined);
    await plant(fixture, second!);
    expect(await claimedIds(3)).toEqual([first, third]);
    expect(await quarantined()).toEqual([second]);
  });

  it('is not picked again', async () => {
    const [only] = await enqueue(undefined);
    await plant(fixture, only!);
    expect(await claimedIds(1)).toEqual([]);
    await fixture.pool.query('delete from quarantined');
    expect(await claimedIds(1)).toEqual([]);
    expect(await quarantined()).toEqual([]);
  });

  it('comes back at its place once it can be read', async () => {
    const [first, second] = await enqueue(undefined, undefined);
    await plant(fixture, first!);
    await claimedIds(1);
    await readAgain();
    expect(await quarantined()).toEqual([first]);
    await enqueue(undefined);
    await repair(fixture, first!);
    await readAgain();
    expect(await quarantined()).toEqual([]);
    expect(await claimedIds(1)).toEqual([first]);
    expect(second).toBeDefined();
  });

  it('is read again less and less often', async () => {
    const [only] = await enqueue(undefined);
    await plant(fixture, only!);
    await claimedIds(1);
    const waits: number[] = [];
    for (let tries = 0; tries < 5; tries++) {
      await readAgain();
      const { rows } = await fixture.pool.query<{ wait: number }>(
        'select extract(epoch from retry_at - now())::float8 as wait from quarantined',
      );
      waits.push(Math.round(rows[0]!.wait));
    }
    expect(waits).toEqual([60, 120, 240, 300, 300]);
  });

  it('keeps its key, so that no later task overtakes it', async () => {
    const [first, second] = await enqueue('a', 'a');
    await plant(fixture, first!);
    expect(await claimedIds(2)).toEqual([]);
    await repair(fixture, first!);
    await readAgain();
    expect(await claimedIds(2)).toEqual([first]);
    await fixture.settle(await again(first!));
    expect(await claimedIds(2)).toEqual([second]);
  });

  /** The claim of a running task. */
  async function again(taskId: string): Promise<{ taskId: string; token: string }[]> {
    const { rows } = await fixture.pool.query<{ token: string }>(
      `select token || '.' || secret as token from task_leases where task_id = $1`,
      [taskId],
    );
    return [{ taskId, token: rows[0]!.token }];
  }

  it('whose serial queue is to be taken over is named to those who claim', async () => {
    await fixture.define('serial', { concurrency: 'serial', takeoverSeconds: 1 });
    const [first] = await fixture.enqueue('serial', [{}]);
    await fixture.claim('serial', { leaseMs: 1 });
    await plant(fixture, first!);
    const { claimer, runner, clock, store } = elsewhere(fixture);
    const expiry = new LeaseExpiry(runner, clock, new QueueDirectory(store));
    const presence = { asks: () => () => undefined, doesNotKnow: () => undefined };
    const handler = new ClaimTasksHandler(
      claimer,
      expiry,
      presence,
      { record: () => Promise.resolve() } as never,
      {
        givenTo: (tasks: unknown) => Promise.resolve(tasks),
      } as never,
    );
    const request = { ...claimOf('serial'), worker: 'w2', server: 's2' };
    await expect(handler.execute(new ClaimTasks(request))).rejects.toMatchObject({
      name: 'UnreadableStream',
      stream: taskStream(first!),
    });
    expect(await quarantined()).toEqual([first]);
  });

  it('is refused by itself when it is settled together with others', async () => {
    const [first, second] = await enqueue(undefined, undefined);
    const claimed = await fixture.claim('mail', { max: 2 });
    await plant(fixture, first!);
    const outcomes = await elsewhere(fixture).settle(claimed);
    expect(outcomes.map((outcome) => (outcome.kind === 'done' ? outcome.state : outcome.rejection.code))).toEqual([
      'STREAM_UNREADABLE',
      'succeeded',
    ]);
    expect(outcomes[0]).toMatchObject({ rejection: { stream: taskStream(first!) } });
    expect(await quarantined()).toEqual([first]);
    expect(second).toBeDefined();
  });
});
