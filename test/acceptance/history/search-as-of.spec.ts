import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClaimedTask, QueueHandle } from '@waybill/client';
import { Memory } from '../../support/history/remembered.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';

let service: RunningService;
let mail: QueueHandle;
/** The tasks by the names that the tests give them. */
const ids: Record<string, string> = {};
/** The position at which one task had failed, one was held and one ran. */
let then: string;

beforeAll(async () => {
  service = await startService();
  mail = service.waybill.queue('mail');
  await mail.define({ retry: { maxAttempts: 1, classes: [] }, search: ['to'] });
  ids['failed'] = (await mail.enqueue({ to: 'ann' }, { reference: 'inv-1', labels: { run: '7' } })).id;
  const claimed = await claim('w1', 'build-41');
  ids['held'] = (await mail.enqueue({ to: 'bob' }, { reference: 'inv-2', kind: 'letter', key: 'k1' })).id;
  await service.as('olga').task(ids['held']).hold({ reason: 'later' });
  ids['runs'] = (await mail.enqueue({ to: 'ann' }, { description: 'A Card' })).id;
  await claim('w2', 'build-42');
  await service.waybill.settle([
    { ...tokenOf(claimed), verdict: { type: 'fail', error: { message: 'connect ETIMEDOUT', class: 'transient' } } },
  ]);
  then = await head();
  await change();
});
afterAll(() => service.stop());

/** Everything that a search finds is something else afterwards. */
async function change(): Promise<void> {
  const waybill = service.as('otto');
  await waybill.task(ids['failed']!).amend({ to: 'eve' });
  await waybill.task(ids['failed']!).abort();
  await waybill.task(ids['held']!).release();
  const last = await claim('w3', 'build-43');
  await service.waybill.settle([{ ...tokenOf(last), verdict: { type: 'succeed', result: null } }]);
  await service.waybill.task(ids['held']!).runAgain('again');
  await service.waybill.task(ids['runs']!).cancel();
  await mail.enqueue({ to: 'ann' }, { reference: 'inv-3', kind: 'letter', labels: { run: '7' } });
}

const claim = async (worker: string, build: string): Promise<ClaimedTask> =>
  until('a task to be claimed', async () => (await mail.claim({ worker, build, waitMs: 10_000 }))[0] ?? null);

const tokenOf = ({ taskId, token }: ClaimedTask) => ({ taskId, token });

const head = (): Promise<string> => new Memory(service.url).head();

async function found(q: string, moment = then): Promise<string[]> {
  const names: string[] = [];
  for await (const { id } of service.waybill.asOf(moment).tasks({ q }))
    names.push(Object.keys(ids).find((name) => ids[name] === id) ?? id);
  return names.sort();
}

const detailOf = async (q: string): Promise<unknown> => {
  const { code, problem } = await refusalOf(service.waybill.asOf(then).taskPage({ q }));
  return [code, (problem as unknown as { errors: object[] }).errors];
};

describe('a search as of a moment', () => {
  it.each<[string, string[]]>([
    ['state:failed', ['failed']],
    ['state:failed,held', ['failed', 'held']],
    ['state:running queue:mail', ['runs']],
    ['state:aborted queue:mail', []],
    ['error:etimedout', ['failed']],
    ['error:transient', ['failed']],
    ['error:refused', []],
    ['etimedout queue:mail', ['failed']],
    ['card', ['runs']],
    ['worker:w1', ['failed']],
    ['worker:w*', ['failed', 'runs']],
    ['worker:w3', []],
    ['payload.to:ann', ['failed', 'runs']],
    ['payload.to:eve', []],
    ['label.run:7', ['failed']],
    ['kind:letter', ['held']],
    ['key:k*', ['held']],
    ['reference:inv-*', ['failed', 'held']],
    ['reference:inv-3 queue:mail', []],
    ['reference:inv-2 queue:mail', ['held']],
    ['actor:olga', ['held']],
    ['actor:otto', []],
    ['build:build-41', ['failed']],
    ['build:build-43', []],
    ['actor:olga state:failed', []],
    ['since:1h', ['failed', 'held', 'runs']],
    ['until:1h', []],
    ['ended>1h', ['failed']],
    ['ended<1h', []],
    ['queue:nowhere', []],
  ])('%s finds %j', async (q, names) => {
    expect(await found(q)).toEqual(names);
  });

  it('finds tasks by whole ids and by their last 8 characters', async () => {
    expect(await found(`id:${ids['held']!}`)).toEqual(['held']);
    expect(await found(`id:${ids['held']!.slice(-8)},${ids['runs']!}`)).toEqual(['held', 'runs']);
  });

  it('counts how long ago from the moment', async () => {
    const [, held] = await service.waybill
      .asOf(then)
      .taskPage()
      .then(({ items }) => items);
    const { at } = (await service.waybill.asOf(then).taskPage()).asOf!;
    const ms = Date.parse(at) - Date.parse(held!.enqueuedAt!);
    await service.pool.query(`select pg_sleep($1)`, [(ms + 1_000) / 1_000]);
    // The moment of a position is that of its event, so one has to be recorded after the wait.
    await mail.enqueue({ to: 'zoe' });
    expect(await found(`since:${Math.ceil(ms / 1_000)}s`)).toContain('held');
    expect(await found(`since:${Math.ceil(ms / 1_000)}s`, await head())).not.toContain('held');
  });

  it('looks at a bounded number of tasks for each page', async () => {
    await service.pool.query(
      `insert into tasks (task_id, queue, state, kind, priority, enqueued_at, finished_at, attempt, seq, position, revision)
       select lpad(to_hex(n), 32, '0')::uuid, 'archive', 'succeeded', case n when 20500 then 'last' else 'old' end, 0, now(), now(), 1, 0, 0, 2
       from generate_series(1, 20500) n`,
    );
    const past = service.waybill.asOf(then);
    const first = await past.taskPage({ q: 'kind:none' });
    expect([first.items, first.nextCursor]).toEqual([[], expect.any(String)]);
    const second = await past.taskPage({ q: 'kind:none' }, { cursor: first.nextCursor! });
    expect([second.items, second.nextCursor]).toEqual([[], null]);
    await service.pool.query(`delete from tasks where queue = 'archive'`);
  });

  it('refuses a path of a payload by which no queue is searched', async () => {
    expect(await detailOf('payload.colour:red')).toEqual([
      'INVALID_INPUT',
      [{ pointer: '#/query/q', detail: expect.stringContaining("'colour' in 'search'") }],
    ]);
  });
});
