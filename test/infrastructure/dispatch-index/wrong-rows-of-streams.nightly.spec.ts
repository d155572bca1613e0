import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import type { Verdict } from '../../../src/application/claims/settle-tasks.handler.js';
import type { DomainEvent } from '../../../src/domain/kernel/decider.js';
import { holdStream } from '../../../src/domain/hold/hold.stream.js';
import { queueStream } from '../../../src/domain/queue/queue.stream.js';
import { resourceStream } from '../../../src/domain/resource/resource.stream.js';
import { DRAIN_STREAM } from '../../../src/domain/system/system.stream.js';
import { triggerStream } from '../../../src/domain/trigger/trigger.stream.js';
import { viewStream } from '../../../src/domain/view/view.stream.js';
import { PostgresQuarantine } from '../../../src/infrastructure/dispatch-index/postgres-quarantine.js';
import { FailingItems } from '../../../src/infrastructure/sweeper/failing-items.js';
import { StrayRows } from '../../../src/infrastructure/sweeper/stray-rows.js';
import { ComparedFixture } from '../../support/compared-rows.js';
import { type DispatchFixture, openDispatch, openReservedDispatch } from '../../support/dispatch-fixture.js';

const AT = '2026-01-01T00:00:00.000Z';
const PAUSED: DomainEvent = {
  type: 'QueuePaused',
  version: 2,
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
const SAVED: DomainEvent = {
  type: 'ViewSaved',
  version: 1,
  data: { view: 'late', definition: { q: '', overdue: true, sort: null }, by: 'ann', at: AT },
};
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
  let compared: ComparedFixture;

  beforeEach(async () => {
    Logger.overrideLogger(false);
    fixture = await open();
    compared = new ComparedFixture(fixture);
    await fixture.define('mail', { pauseAfterFailures: 3 });
    await compared.settled();
  });
  afterEach(() => fixture.close());

  it('are none in the lives of queues, holds, resources and drains', async () => {
    await compared.append(queueStream('mail'), 0, PAUSED);
    await compared.compare();
    await compared.append(queueStream('mail'), 1, RESUMED);
    await compared.append(holdStream('legal'), -1, HELD);
    await compared.append(resourceStream('disk'), -1, RESOURCE);
    await compared.append(DRAIN_STREAM, -1, DRAINS);
    await compared.compare();
    await compared.append(holdStream('legal'), 0, LIFTED);
    await compared.append(DRAIN_STREAM, 0, DRAINS_NO_MORE);
    await fixture.define('other');
    await fixture.changePolicy('other', { finite: true });
    await fixture.enqueue('mail', [{}]);
    await fixture.settle(await fixture.claim('mail'), FAILS);
    await compared.compare();
    expect(await compared.mended()).toEqual({});
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
    const before = await compared.rowsOf('queues');
    await fixture.enqueue('mail', [{}]);
    await compared.sql(`update queues set ${change}`);
    await compared.compare();
    expect(await compared.rowsOf('queues')).toEqual(before);
    expect(await compared.mended()).toEqual({ queues: 1 });
    expect(await fixture.claim('mail')).toHaveLength(1);
    await compared.compare();
    expect(await compared.mended()).toEqual({ queues: 1 });
  });

  it('of a queue are made anew if they are missing', async () => {
    await compared.append(queueStream('mail'), 0, PAUSED);
    await compared.append(queueStream('mail'), 1, RESUMED);
    const before = await compared.rowsOf('queues');
    await fixture.enqueue('mail', [{}]);
    await compared.sql('delete from queues');
    expect(await fixture.claim('mail')).toEqual([]);
    await compared.compare();
    expect(await compared.rowsOf('queues')).toEqual(before);
    expect(await fixture.claim('mail')).toHaveLength(1);
  });

  it('of a queue that was changed while its row was missing have the change', async () => {
    await fixture.enqueue('mail', [{}]);
    await compared.sql('delete from queues');
    await compared.append(queueStream('mail'), 0, PAUSED);
    await fixture.define('other');
    await compared.compare();
    expect(await compared.rowsOf('queues')).toMatchObject([
      { name: 'mail', status: 'paused', revision: 1 },
      { name: 'other' },
    ]);
  });

  it('of two queues that took the ids of each other have their own again', async () => {
    await fixture.define('other');
    const before = await compared.rowsOf('queues');
    const [mail, other] = before as { id: string }[];
    await compared.sql('update queues set id = gen_random_uuid()');
    await compared.sql(`update queues set id = $1 where name = 'other'`, [mail!.id]);
    await compared.sql(`update queues set id = $1 where name = 'mail'`, [other!.id]);
    await compared.compare();
    expect(await compared.rowsOf('queues')).toEqual(before);
  });

  it('of a queue that took the name of another are told apart, and one that nobody defined is deleted', async () => {
    const before = await compared.rowsOf('queues');
    await fixture.enqueue('mail', [{}]);
    await compared.sql(`update queues set name = 'unknown'`);
    await compared.compare();
    await compared.compare();
    expect(await compared.rowsOf('queues')).toEqual(before);
  });

  it('leave the count of failures as it is', async () => {
    await fixture.enqueue('mail', [{}]);
    await fixture.settle(await fixture.claim('mail'), FAILS);
    await compared.settled();
    const streak = 'select failure_streak, failure_task from queues';
    const [before] = await compared.sql(streak);
    expect(before).toMatchObject({ failure_streak: 1 });
    await compared.sql(`update queues set status = 'paused'`);
    await compared.compare();
    expect(await compared.sql(streak)).toEqual([before]);
  });

  it('of a drain that is over give work out again', async () => {
    await compared.append(DRAIN_STREAM, -1, DRAINS);
    await compared.append(DRAIN_STREAM, 0, DRAINS_NO_MORE);
    await fixture.enqueue('mail', [{}]);
    const before = await compared.rowsOf('system');
    await compared.sql(`update system set draining = true, intake = 'closed'`);
    expect(await fixture.enqueue('mail', [{}])).toEqual(['DRAINING']);
    await compared.compare();
    expect(await compared.rowsOf('system')).toEqual(before);
    expect(await fixture.claim('mail')).toHaveLength(1);
  });

  it('of a drain that nobody ordered are deleted', async () => {
    await fixture.enqueue('mail', [{}]);
    await compared.sql(`insert into system (name, revision, position, draining) values ('drain', 0, 1, true)`);
    expect(await fixture.claim('mail')).toEqual([]);
    await compared.compare();
    expect(await compared.rowsOf('system')).toEqual([]);
    expect(await fixture.claim('mail')).toHaveLength(1);
  });

  it('of holds, resources and views are written as their streams have it', async () => {
    await compared.append(holdStream('legal'), -1, HELD);
    await compared.append(holdStream('legal'), 0, LIFTED);
    await compared.append(resourceStream('disk'), -1, RESOURCE);
    await compared.append(viewStream('late'), -1, SAVED);
    const tables = ['holds', 'resources', 'views'];
    const rows = () => Promise.all(tables.map((table) => compared.rowsOf(table)));
    const before = await rows();
    await compared.sql(`update holds set state = 'placed', label = 'case', value = '1'`);
    await compared.sql(`update resources set state = 'deleted', stale_after = 1`);
    await compared.sql(`update views set q = 'state:failed'`);
    await compared.compare();
    expect(await rows()).toEqual(before);
    expect(await compared.mended()).toEqual({ holds: 1, resources: 1, views: 1 });
  });

  describe('of triggers and resources that are costly to read', () => {
    const definition = {
      description: '',
      cron: '0 0 1 1 *',
      timezone: 'UTC',
      task: { queue: 'mail', payload: Array.from({ length: 400 }, () => uuidv7()) },
      missed: 'skip',
    };
    const DEFINED = { type: 'TriggerDefined', version: 1, data: { trigger: 'yearly', definition, next: AT } };
    const FREE = { type: 'ResourceFree', version: 1, data: { resource: 'disk', value: 1, limits: [], at: AT } };
    const scans = () => jest.spyOn(fixture.store, 'scan');

    beforeEach(async () => {
      await compared.append(triggerStream('yearly'), -1, DEFINED);
      await compared.append(resourceStream('disk'), -1, RESOURCE, ...Array.from({ length: 1_200 }, () => FREE));
    });

    it('are written as their streams have it', async () => {
      const before = [await compared.rowsOf('triggers'), await compared.rowsOf('resources')];
      expect(before).toMatchObject([[{ state: 'enabled' }], [{ revision: 1_200 }]]);
      await compared.sql(`update triggers set state = 'disabled', definition = definition || '{"missed": "all"}'`);
      await compared.sql('update resources set level = 99');
      await compared.compare();
      expect([await compared.rowsOf('triggers'), await compared.rowsOf('resources')]).toEqual(before);
      expect(await compared.mended()).toEqual({ triggers: 1, resources: 1 });
    });

    it('are read again only after they have changed', async () => {
      await compared.compare();
      await compared.sql('update resources set level = 99');
      const before = scans().mock.calls.length;
      await compared.compare();
      const read = new Set(
        scans()
          .mock.calls.slice(before)
          .map(([, , filter]) => filter.stream),
      );
      expect([...read]).toEqual([resourceStream('disk')]);
      expect(await compared.rowsOf('resources')).toMatchObject([{ level: 1 }]);
    });

    it('are left to an append that comes while they are read', async () => {
      await compared.sql('update resources set level = 99');
      const scan = fixture.store.scan.bind(fixture.store);
      let isFirst = true;
      scans().mockImplementation(async (...given) => {
        const page = await scan(...given);
        if (isFirst && given[2].stream === resourceStream('disk')) {
          isFirst = false;
          await compared.append(resourceStream('disk'), 1_200, FREE);
        }
        return page;
      });
      await compared.compare();
      expect(await compared.rowsOf('resources')).toMatchObject([{ level: 1, revision: 1_201 }]);
      expect(await compared.mended()).toEqual({});
    });
  });

  it('that are missing have also what is appended while they are made anew', async () => {
    await compared.sql('delete from queues');
    const readFirst = fixture.store.readFirst.bind(fixture.store);
    jest.spyOn(fixture.store, 'readFirst').mockImplementationOnce(async (streams) => {
      const histories = await readFirst(streams);
      await compared.append(queueStream('mail'), 0, PAUSED);
      return histories;
    });
    await compared.rows.mend([queueStream('mail')]);
    expect(await compared.rowsOf('queues')).toMatchObject([{ status: 'paused', revision: 1 }]);
  });

  it('count failures of tasks that do not exist no more', async () => {
    await fixture.enqueue('mail', [{}]);
    await compared.settled();
    await compared.sql('update queues set failure_streak = 5, failure_task = $1', [uuidv7()]);
    expect(await fixture.claim('mail')).toEqual([]);
    const { pool, store, wakeUps } = fixture;
    const quarantine = new PostgresQuarantine(pool, wakeUps);
    const strays = new StrayRows(pool, store, quarantine, wakeUps, new FailingItems(pool));
    for (const pass of strays.passes) while (await pass.next());
    expect(await fixture.claim('mail')).toHaveLength(1);
    expect(await compared.mended()).toEqual({ 'failure streak': 1 });
  });

  it('are left to an append that comes between the look at the row and the look at the stream', async () => {
    await compared.sql(`update queues set status = 'finished'`);
    const readFirst = fixture.store.readFirst.bind(fixture.store);
    let isFirst = true;
    fixture.store.readFirst = async (streams) => {
      const histories = await readFirst(streams);
      if (isFirst) {
        isFirst = false;
        await compared.append(queueStream('mail'), 0, PAUSED);
      }
      return histories;
    };
    await compared.compare();
    expect(await compared.rowsOf('queues')).toMatchObject([{ status: 'paused', revision: 1 }]);
    expect(await compared.mended()).toEqual({});
  });
});
