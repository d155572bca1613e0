import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import type { Verdict } from '../../../src/application/claims/settle-tasks.handler.js';
import type { DomainEvent } from '../../../src/domain/kernel/decider.js';
import { holdStream } from '../../../src/domain/hold/hold.stream.js';
import { queueStream } from '../../../src/domain/queue/queue.stream.js';
import { resourceStream } from '../../../src/domain/resource/resource.stream.js';
import { DRAIN_STREAM } from '../../../src/domain/system/system.stream.js';
import { PostgresIndexRows } from '../../../src/infrastructure/dispatch-index/postgres-index-rows.js';
import { PostgresQuarantine } from '../../../src/infrastructure/dispatch-index/postgres-quarantine.js';
import { ComparedRows } from '../../../src/infrastructure/sweeper/compared-rows.js';
import { FailingItems } from '../../../src/infrastructure/sweeper/failing-items.js';
import { StrayRows } from '../../../src/infrastructure/sweeper/stray-rows.js';
import { type DispatchFixture, openDispatch, openReservedDispatch } from '../../support/dispatch-fixture.js';
import { item } from '../../support/events.js';
import { until } from '../../support/until.js';

const AT = '2026-01-01T00:00:00.000Z';
const PAUSED: DomainEvent = {
  type: 'QueuePaused',
  version: 1,
  data: { queue: 'mail', by: 'ann', reason: 'r', until: null },
};
const RESUMED: DomainEvent = { type: 'QueueResumed', version: 1, data: { queue: 'mail', by: 'ann' } };
const DRAINS: DomainEvent = {
  type: 'SystemDrained',
  version: 1,
  data: { by: 'ann', at: AT, intake: 'closed', running: 'finish', reason: null },
};
const DRAINS_NO_MORE: DomainEvent = { type: 'SystemResumed', version: 1, data: { by: 'ann', at: AT, stopped: false } };
const HELD: DomainEvent = {
  type: 'HoldPlaced',
  version: 1,
  data: { hold: 'legal', selector: { labels: { case: '1' } }, reason: null, by: 'ann', at: AT },
};
const LIFTED: DomainEvent = { type: 'HoldLifted', version: 1, data: { hold: 'legal', by: 'ann', at: AT } };
const RESOURCE: DomainEvent = {
  type: 'ResourceDefined',
  version: 1,
  data: { resource: 'disk', definition: { description: '', unit: null, staleAfterSeconds: 60 }, by: 'ann', at: AT },
};

const FAILS: Verdict = { type: 'fail', error: { message: 'no', class: 'business' } };

describe.each([
  ['Postgres', openDispatch],
  ['EventStoreDB', openReservedDispatch],
])('rows that contradict their streams, with the events in %s', (_, open) => {
  let fixture: DispatchFixture;
  let compared: ComparedRows;

  beforeEach(async () => {
    Logger.overrideLogger(false);
    fixture = await open();
    const { pool, store, wakeUps } = fixture;
    compared = new ComparedRows(pool, new PostgresIndexRows(pool, store, wakeUps), new FailingItems(pool));
    await fixture.define('mail', { pauseAfterFailures: 3 });
    await settled();
  });
  afterEach(() => fixture.close());

  const sql = async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await fixture.pool.query<Row>(text, [...values])).rows;

  /** Once the index has the whole log. */
  const settled = ({ store } = fixture): Promise<unknown> =>
    until('the index', async () => (await store.isIndexed(await store.head())) || null);

  async function append(stream: string, expected: number, ...events: DomainEvent[]): Promise<void> {
    await fixture.store.append([item(stream, expected, events)]);
    await settled();
  }

  async function compare(): Promise<void> {
    await settled();
    while (await compared.compareSome());
  }

  const mended = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      (await sql<{ what: string; mended: string }>('select what, mended from mended_rows')).map(
        ({ what, mended: n }) => [what, Number(n)],
      ),
    );

  async function rowsOf(table: string): Promise<object[]> {
    await settled();
    return sql<object>(`select * from ${table} order by 1`);
  }

  it('are none in the lives of queues, holds, resources and drains', async () => {
    await append(queueStream('mail'), 0, PAUSED);
    await compare();
    await append(queueStream('mail'), 1, RESUMED);
    await append(holdStream('legal'), -1, HELD);
    await append(resourceStream('disk'), -1, RESOURCE);
    await append(DRAIN_STREAM, -1, DRAINS);
    await compare();
    await append(holdStream('legal'), 0, LIFTED);
    await append(DRAIN_STREAM, 0, DRAINS_NO_MORE);
    await fixture.define('other');
    await fixture.changePolicy('other', { finite: true });
    await fixture.enqueue('mail', [{}]);
    await fixture.settle(await fixture.claim('mail'), FAILS);
    await compare();
    expect(await mended()).toEqual({});
  });

  it.each([
    ['is paused', `status = 'paused', pause_until = now() - interval '1 hour'`],
    ['is deleted', `status = 'deleted'`],
    ['is in no known state', `status = 'nonsense'`],
    ['is at another revision', 'revision = 7'],
    ['has another policy', `policy = policy || '{"concurrency": "serial", "maxRunning": 0}'`],
    ['pauses after no failure', `policy = policy || '{"pauseAfterFailures": 0}'`],
    ['pauses after a word of failures', `policy = policy || '{"pauseAfterFailures": "many"}'`],
    ['waits for a number', `policy = policy || '{"waitsFor": 7}', status = 'waiting'`],
    ['has null for a policy', `policy = 'null'`],
    ['has a text for a policy', `policy = '"text"'`],
    ['has an empty policy', `policy = '{}'`],
    ['has another version of its policy', 'policy_version = 9'],
    ['takes nothing', 'intake_open = false'],
    ['has another id', 'id = gen_random_uuid()'],
    ['has another position', 'position = 0'],
    ['was made at another time', `created_at = '2000-01-01Z'`],
  ])('of a queue that %s are written as the stream has it, and its tasks go on', async (_, change) => {
    const before = await rowsOf('queues');
    await fixture.enqueue('mail', [{}]);
    await sql(`update queues set ${change}`);
    await compare();
    expect(await rowsOf('queues')).toEqual(before);
    expect(await mended()).toEqual({ queues: 1 });
    expect(await fixture.claim('mail')).toHaveLength(1);
    await compare();
    expect(await mended()).toEqual({ queues: 1 });
  });

  it('of a queue are made anew if they are missing', async () => {
    await append(queueStream('mail'), 0, PAUSED);
    await append(queueStream('mail'), 1, RESUMED);
    const before = await rowsOf('queues');
    await fixture.enqueue('mail', [{}]);
    await sql('delete from queues');
    expect(await fixture.claim('mail')).toEqual([]);
    await compare();
    expect(await rowsOf('queues')).toEqual(before);
    expect(await fixture.claim('mail')).toHaveLength(1);
  });

  it('of a queue that was changed while its row was missing have the change', async () => {
    await fixture.enqueue('mail', [{}]);
    await sql('delete from queues');
    await append(queueStream('mail'), 0, PAUSED);
    await fixture.define('other');
    await compare();
    expect(await rowsOf('queues')).toMatchObject([{ name: 'mail', status: 'paused', revision: 1 }, { name: 'other' }]);
  });

  it('of two queues that took the ids of each other have their own again', async () => {
    await fixture.define('other');
    const before = await rowsOf('queues');
    const [mail, other] = before as { id: string }[];
    await sql('update queues set id = gen_random_uuid()');
    await sql(`update queues set id = $1 where name = 'other'`, [mail!.id]);
    await sql(`update queues set id = $1 where name = 'mail'`, [other!.id]);
    await compare();
    expect(await rowsOf('queues')).toEqual(before);
  });

  it('of a queue that took the name of another are told apart, and one that nobody defined is deleted', async () => {
    const before = await rowsOf('queues');
    await fixture.enqueue('mail', [{}]);
    await sql(`update queues set name = 'unknown'`);
    await compare();
    await compare();
    expect(await rowsOf('queues')).toEqual(before);
  });

  it('leave the count of failures as it is', async () => {
    await fixture.enqueue('mail', [{}]);
    await fixture.settle(await fixture.claim('mail'), FAILS);
    await settled();
    const streak = 'select failure_streak, failure_task from queues';
    const [before] = await sql(streak);
    expect(before).toMatchObject({ failure_streak: 1 });
    await sql(`update queues set status = 'paused'`);
    await compare();
    expect(await sql(streak)).toEqual([before]);
  });

  it('of a drain that is over give work out again', async () => {
    await append(DRAIN_STREAM, -1, DRAINS);
    await append(DRAIN_STREAM, 0, DRAINS_NO_MORE);
    await fixture.enqueue('mail', [{}]);
    const before = await rowsOf('system');
    await sql(`update system set draining = true, intake = 'closed'`);
    expect(await fixture.enqueue('mail', [{}])).toEqual(['DRAINING']);
    await compare();
    expect(await rowsOf('system')).toEqual(before);
    expect(await fixture.claim('mail')).toHaveLength(1);
  });

  it('of a drain that nobody ordered are deleted', async () => {
    await fixture.enqueue('mail', [{}]);
    await sql(`insert into system (name, revision, position, draining) values ('drain', 0, 1, true)`);
    expect(await fixture.claim('mail')).toEqual([]);
    await compare();
    expect(await rowsOf('system')).toEqual([]);
    expect(await fixture.claim('mail')).toHaveLength(1);
  });

  it('of holds and resources are written as their streams have it', async () => {
    await append(holdStream('legal'), -1, HELD);
    await append(holdStream('legal'), 0, LIFTED);
    await append(resourceStream('disk'), -1, RESOURCE);
    const before = [await rowsOf('holds'), await rowsOf('resources')];
    await sql(`update holds set state = 'placed', label = 'case', value = '1'`);
    await sql(`update resources set state = 'deleted', stale_after = 1`);
    await compare();
    expect([await rowsOf('holds'), await rowsOf('resources')]).toEqual(before);
    expect(await mended()).toEqual({ holds: 1, resources: 1 });
  });

  it('count failures of tasks that do not exist no more', async () => {
    await fixture.enqueue('mail', [{}]);
    await settled();
    await sql('update queues set failure_streak = 5, failure_task = $1', [uuidv7()]);
    expect(await fixture.claim('mail')).toEqual([]);
    const { pool, store, wakeUps } = fixture;
    const quarantine = new PostgresQuarantine(pool, wakeUps);
    const strays = new StrayRows(pool, store, quarantine, wakeUps, new FailingItems(pool));
    while (await strays.mendSome());
    expect(await fixture.claim('mail')).toHaveLength(1);
    expect(await mended()).toEqual({ 'failure streak': 1 });
  });

  it('are left to an append that comes between the look at the row and the look at the stream', async () => {
    await sql(`update queues set status = 'finished'`);
    const readFirst = fixture.store.readFirst.bind(fixture.store);
    let isFirst = true;
    fixture.store.readFirst = async (streams) => {
      const histories = await readFirst(streams);
      if (isFirst) {
        isFirst = false;
        await append(queueStream('mail'), 0, PAUSED);
      }
      return histories;
    };
    await compare();
    expect(await rowsOf('queues')).toMatchObject([{ status: 'paused', revision: 1 }]);
    expect(await mended()).toEqual({});
  });
});
