import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import type { Verdict } from '../../../src/application/claims/settle-tasks.handler.js';
import { batchStream } from '../../../src/domain/batch/batch.stream.js';
import { entryOf } from '../../../src/domain/events.js';
import { ComparedFixture } from '../../support/compared-rows.js';
import { type DispatchFixture, openDispatch, openReservedDispatch } from '../../support/dispatch-fixture.js';

const AT = '2026-01-01T00:00:00.000Z';
const FAILS: Verdict = { type: 'fail', error: { message: 'no', class: 'business' } };
const COUNTS = { total: 3, succeeded: 1, failed: 1, aborted: 0, deleted: 0 };
const REPORT = { number: 1, counts: COUNTS, at: AT, changes: [], more: 0, incomplete: [] };

describe.each([
  ['Postgres', openDispatch],
  ['EventStoreDB', openReservedDispatch],
])('rows of batches that contradict their streams or tasks, with the events in %s', (_, open) => {
  let fixture: DispatchFixture;
  let compared: ComparedFixture;
  let batch: string;
  let revision: number;

  beforeEach(async () => {
    Logger.overrideLogger(false);
    fixture = await open();
    compared = new ComparedFixture(fixture);
    await fixture.define('mail', { retry: { maxAttempts: 1 } } as object);
    batch = uuidv7();
    revision = -1;
    await appendBatch('BatchCreated', { name: 'scan', description: 'd', labels: { a: '1' }, at: AT });
  });
  afterEach(() => fixture.close());

  const appendBatch = async (type: string, data: object = {}): Promise<void> =>
    compared.append(batchStream(batch), revision++, {
      type,
      version: entryOf(type)!.version,
      data: { batch, ...data },
    });

  /** Three tasks, of which one has succeeded, one has failed, and one is open. */
  async function begun(): Promise<void> {
    await fixture.enqueue('mail', [{ batch }, { batch }, { batch }]);
    await appendBatch('BatchOpened', { tasks: 3 });
    await fixture.settle(await fixture.claim('mail'));
    await fixture.settle(await fixture.claim('mail'), FAILS);
    await compared.settled();
  }

  it('are none in the life of a batch', async () => {
    await compared.compare();
    await begun();
    const [, last] = [await compared.compare(), await fixture.claim('mail')];
    await fixture.enqueue('mail', [{ after: [{ batch }] }]);
    await compared.compare();
    await fixture.settle(last);
    await appendBatch('BatchReported', REPORT);
    await appendBatch('BatchFailed', { counts: { ...COUNTS, succeeded: 2 }, at: AT });
    await compared.compare();
    await appendBatch('BatchReportRequested', { by: 'ann' });
    await appendBatch('BatchAborted', { at: AT });
    await compared.compare();
    expect(await compared.mended()).toEqual({});
  });

  it.each([
    ['is planned', `state = 'planning'`],
    ['is completed', `state = 'completed', ended_at = now()`],
    ['is deleted', `state = 'deleted'`],
    ['has failed in its plan', `state = 'failed', error = 'no'`],
    ['is in no known state', `state = 'nonsense'`],
    ['has another name', `name = 'other', description = null`],
    ['has other labels', `labels = '{"b": "2"}'`],
    ['has a policy', `policy = '{"reRuns": "own"}', re_runs = 'own'`],
    ['reports to somebody', `report_to = '{"webhook": {"url": "http://x"}}'`],
    ['has reported', `reports = 7, reported_at = now()`],
    ['has a planner', `planner = gen_random_uuid()`],
    ['is run again', 'rerun = gen_random_uuid(), rerun_of = gen_random_uuid()'],
    ['has ended before', `ended_with = '${JSON.stringify(COUNTS)}', ended_at = now()`],
    ['is at another revision', 'revision = 7'],
    ['has another position', 'position = 0'],
    ['has too many tasks', 'total = 30'],
    ['has no tasks', 'total = 0, open = 0, succeeded = 0, failed = 0'],
    ['has no open task', 'open = 0'],
    ['has fewer open tasks than none', 'open = -4, failed = -1'],
    ['has other ended tasks', 'succeeded = 0, failed = 0, aborted = 1, deleted = 1'],
    [
      'is wrong in all',
      `state = 'completed', total = 1, open = 0, succeeded = 1, failed = 0, revision = 0, name = 'x'`,
    ],
  ])('that %s are written as it is, and its tasks go on', async (_, change) => {
    await begun();
    const before = await compared.rowsOf('batches');
    await compared.sql(`update batches set ${change}`);
    await compared.compare();
    expect(await compared.rowsOf('batches')).toEqual(before);
    expect((await compared.mended())['batches']).toBeGreaterThan(0);
    const mended = await compared.mended();
    await fixture.settle(await fixture.claim('mail'));
    await compared.settled();
    expect(await compared.rowsOf('batches')).toMatchObject([{ open: 0, total: 3, succeeded: 2, failed: 1 }]);
    await compared.compare();
    expect(await compared.mended()).toEqual(mended);
  });

  it('are made anew if they are missing, with the counts', async () => {
    await begun();
    const before = await compared.rowsOf('batches');
    await compared.sql('delete from batches');
    await compared.compare();
    expect(await compared.rowsOf('batches')).toEqual(before);
    expect(await fixture.enqueue('mail', [{ batch }])).not.toContain('BATCH_NOT_FOUND');
  });

  it('count the tasks that ended while they were missing', async () => {
    await begun();
    const open = await fixture.claim('mail');
    await compared.sql('delete from batches');
    await fixture.settle(open);
    await compared.compare();
    expect(await compared.rowsOf('batches')).toMatchObject([{ open: 0, total: 3, succeeded: 2, failed: 1 }]);
  });

  it('of batches without tasks are made anew once something happens to them', async () => {
    await compared.sql('delete from batches');
    await appendBatch('BatchReportRequested', { by: 'ann' });
    await compared.compare();
    expect(await compared.rowsOf('batches')).toMatchObject([{ id: batch, state: 'reporting', revision: 1, total: 0 }]);
    expect(await compared.sql('select * from consequences')).toEqual([]);
    expect(await compared.mended()).toEqual({ batches: 1 });
  });

  it('that hide a task which ended after its batch have tasks looked for, once', async () => {
    [batch, revision] = [uuidv7(), -1];
    await appendBatch('BatchCreated', { name: 'scan', at: AT, policy: { reRunReporting: 'own' } });
    await begun();
    await fixture.settle(await fixture.claim('mail'));
    await appendBatch('BatchReported', REPORT);
    await appendBatch('BatchFailed', { counts: { ...COUNTS, succeeded: 2 }, at: AT });
    const [{ task_id: failed } = { task_id: '' }] = await compared.sql<{ task_id: string }>(
      `select task_id from tasks where state = 'failed'`,
    );
    expect(
      await fixture.command(failed, { type: 'RetryTask', step: null, override: false, heldBy: null } as never),
    ).toBe('accepted');
    await fixture.settle(await fixture.claim('mail'));
    await compared.settled();
    const looked = () => compared.sql('update batches set task_ended = false');
    const isLookedFor = async () => (await compared.sql('select from batches where task_ended')).length > 0;
    expect(await isLookedFor()).toBe(true);
    await looked();
    await compared.compare();
    expect(await isLookedFor()).toBe(true);
    await looked();
    await compared.compare();
    expect(await isLookedFor()).toBe(false);
    expect(await compared.mended()).toEqual({});
  });

  it('are deleted if nobody created the batch', async () => {
    const before = await compared.rowsOf('batches');
    await compared.sql(`insert into batches (id, revision, position, name, state, created_at, plan_ended, re_runs, reports, total, open, succeeded,
      failed, aborted, deleted, task_ended, awaited) values (gen_random_uuid(), 0, 1, 'x', 'running', now(), false, 'own', 0, 0, 0, 0, 0, 0, 0, false, false)`);
    await compared.compare();
    expect(await compared.rowsOf('batches')).toEqual(before);
  });

  it('let the tasks go that were added while an open batch was said to be planned', async () => {
    await begun();
    await fixture.settle(await fixture.claim('mail'));
    await compared.settled();
    await compared.sql(`update batches set state = 'planning'`);
    await fixture.enqueue('mail', [{ batch }]);
    await compared.settled();
    expect(await fixture.claim('mail')).toEqual([]);
    await compared.compare();
    expect(await fixture.claim('mail')).toHaveLength(1);
  });

  it('say of a planned batch that its planner has not ended', async () => {
    const before = await compared.rowsOf('batches');
    await compared.sql('update batches set plan_ended = true');
    await compared.compare();
    expect(await compared.rowsOf('batches')).toEqual(before);
  });

  it('know again that a task waits for the batch', async () => {
    await fixture.enqueue('mail', [{ after: [{ batch }] }]);
    const before = await compared.rowsOf('batches');
    await compared.sql('update batches set awaited = false');
    await compared.compare();
    expect(before).toMatchObject([{ awaited: true }]);
    expect(await compared.rowsOf('batches')).toEqual(before);
  });

  it('get what they lacked when the tasks were counted, on top of what has changed since', async () => {
    await begun();
    await compared.sql('update batches set open = 5, total = 9');
    const [found] = await compared.sql<{ f: object }>('select jsonb_agg(f) as f from waybill_recount($1) f', [[batch]]);
    await fixture.settle(await fixture.claim('mail'));
    await compared.settled();
    await compared.sql('select waybill_add_lacking($1)', [JSON.stringify(found!.f)]);
    expect(await compared.rowsOf('batches')).toMatchObject([{ open: 0, total: 3, succeeded: 2, failed: 1 }]);
  });

  it('are mended by the submissions and starts that they would refuse', async () => {
    await begun();
    await compared.sql('delete from batches');
    expect(await fixture.enqueue('mail', [{ batch }, { batch }])).not.toContain('BATCH_NOT_FOUND');
    await compared.settled();
    await compared.sql(`update batches set state = 'completed'`);
    expect(await fixture.enqueue('mail', [{ batch }])).not.toContain('BATCH_ENDED');
    await compared.settled();
    await compared.sql('delete from batches');
    expect(await fixture.enqueue('mail', [{ after: [{ batch }] }])).not.toContain('PREREQUISITE_NOT_FOUND');
    await compared.settled();
    expect(await compared.rowsOf('batches')).toMatchObject([{ state: 'running', total: 6, open: 4, awaited: true }]);
  });
});
