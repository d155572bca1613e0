import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ClaimedTask, createWaybill, type QueueHandle, type SettleItem, type Waybill } from '@waybill/client';
import { createHash, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { LOG_LOCK } from '../../src/infrastructure/database/locks.js';
import { type ApiKey, PERMISSIONS, type Quota } from '../../src/api/access/api-keys.js';
import type { Grant } from '../../src/api/access/grants.js';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

const keyOf = (name: string, may: readonly Grant[] = PERMISSIONS, quota?: Quota): ApiKey => ({
  name,
  sha256: createHash('sha256').update(`wb_${name}`).digest('hex'),
  may,
  ...(quota && { quota }),
});

let service: RunningService;
let queue: QueueHandle;
beforeAll(async () => {
  service = await startService({
    apiKeys: [keyOf('boss'), keyOf('mailer', ['work:mail']), keyOf('one', PERMISSIONS, { runningTasks: 1 })],
  });
  await as('boss').queue('mail').define();
});
afterAll(() => service.stop());
beforeEach(() => void (queue = as('boss').queue(`turns-${randomUUID()}`)));

/** That of no claim. */
const NO_TOKEN = '1.019a0000-0000-7000-8000-000000000000';

const as = (name: string): Waybill => createWaybill({ url: service.url, apiKey: `wb_${name}`, logger: null });
const done = ({ taskId, token }: ClaimedTask): SettleItem => ({ taskId, token, verdict: { type: 'succeed' } });
const stateOf = async (taskId: string): Promise<string> => (await as('boss').task(taskId).get()).state;

/** Some tasks of the queue, of which the first is claimed. */
async function claimedOf(count: number, task: object = {}, policy: object = {}): Promise<ClaimedTask> {
  await queue.define(policy);
  await queue.enqueueMany(Array.from({ length: count }, () => task));
  return (await queue.claim({ worker: 'w1', server: 's1' }))[0]!;
}

describe('a turn', () => {
  it('settles tasks and gives others, with a result for each and the position of all', async () => {
    const first = await claimedOf(3);
    const turn = await queue.takeTurn({ worker: 'w1', max: 5, items: [done(first)] });
    expect(turn.results).toMatchObject([{ id: first.taskId, state: 'succeeded', recorded: true }]);
    expect(turn.tasks).toHaveLength(2);
    const [claimed] = (await as('boss').task(turn.tasks[1]!.taskId).history()).slice(-1);
    expect(turn.position).toBe(claimed!.position);
    expect(turn).not.toHaveProperty('problem');
  });

  it('settles tasks of another queue', async () => {
    const first = await claimedOf(1);
    const other = as('boss').queue(`turns-${randomUUID()}`);
    await other.define();
    const { id } = await other.enqueue();
    const turn = await other.takeTurn({ worker: 'w1', items: [done(first)] });
    expect([turn.results[0], turn.tasks[0]]).toMatchObject([{ state: 'succeeded' }, { taskId: id }]);
  });

  it('gives what the settlement frees: the next task of a key', async () => {
    const first = await claimedOf(2, { key: 'k' }, { duplicatePending: 'allow' });
    expect(await queue.claim({ worker: 'w1' })).toEqual([]);
    const { tasks } = await queue.takeTurn({ worker: 'w1', items: [done(first)] });
    expect(tasks).toMatchObject([{ key: 'k' }]);
  });

  it('gives what the settlement frees: a place of a queue that limits what runs', async () => {
    const first = await claimedOf(2, {}, { concurrency: { perServer: 1 } });
    const full = await queue.takeTurn({ worker: 'w1', server: 's1', items: [done({ ...first, token: NO_TOKEN })] });
    expect(full).toMatchObject({ tasks: [], position: null, refusal: { code: 'SERVER_FULL' } });
    const { tasks } = await queue.takeTurn({ worker: 'w1', server: 's1', items: [done(first)] });
    expect(tasks).toHaveLength(1);
  });

  it('is no less settled if there is nothing to claim', async () => {
    const first = await claimedOf(1);
    const turn = await queue.takeTurn({ worker: 'w1', max: 5, items: [done(first)] });
    const settled = (await as('boss').task(first.taskId).history()).at(-1)!;
    expect(turn).toMatchObject({ results: [{ state: 'succeeded' }], tasks: [], position: settled.position });
  });

  it('claims although an item is refused, and settles the others', async () => {
    await queue.define();
    await queue.enqueueMany([{}, {}, {}]);
    const [first, second] = await queue.claim({ worker: 'w1', max: 2 });
    const wrong = done({ ...first!, token: NO_TOKEN });
    const { results, tasks } = await queue.takeTurn({ worker: 'w1', max: 5, items: [wrong, done(second!)] });
    expect(results).toMatchObject([{ problem: { code: 'LEASE_LOST' } }, { state: 'succeeded' }]);
    expect(tasks).toHaveLength(1);
    expect(await stateOf(first!.taskId)).toBe('running');
  });

  it('makes text of a failure storable, as a settlement does', async () => {
    const { taskId, token } = await claimedOf(1, {}, { onFailure: 'fail' });
    const verdict = { type: 'fail', error: { message: 'not sent: \0' } } as const;
    const { results } = await queue.takeTurn({ worker: 'w1', items: [{ taskId, token, verdict }] });
    expect(results).toMatchObject([{ state: 'failed' }]);
    expect((await as('boss').task(taskId).get()).error).toMatchObject({ message: 'not sent: \ufffd' });
  });
});

describe('a repeated turn', () => {
  it('with the same claim id gives the same tasks, and says that all is settled', async () => {
    const first = await claimedOf(4);
    const turn = { worker: 'w1', max: 2, claimId: randomUUID(), items: [done(first)] };
    const once = await queue.takeTurn(turn);
    const again = await queue.takeTurn(turn);
    expect(again.tasks).toEqual(once.tasks);
    expect(again.results).toMatchObject([{ state: 'succeeded', recorded: false }]);
  });

  it('is answered as the claim that it made, and the other way round', async () => {
    const first = await claimedOf(3);
    const claimId = randomUUID();
    const { tasks } = await queue.takeTurn({ worker: 'w1', claimId, items: [done(first)] });
    expect(await queue.claim({ worker: 'w1', claimId })).toEqual(tasks);
    const claimed = await queue.claim({ worker: 'w1', claimId: randomUUID() });
    const turn = { worker: 'w1', claimId: claimed[0]!.claimId, items: [done(first)] };
    expect((await queue.takeTurn(turn)).tasks).toEqual(claimed);
  });
});

describe('a turn whose claim fails', () => {
  const results = [{ state: 'succeeded', recorded: true }];

  it.each([
    ['QUEUE_NOT_FOUND', 404, (): [QueueHandle, object] => [as('boss').queue('nowhere'), {}]],
    ['STEP_UNKNOWN', 422, (): [QueueHandle, object] => [queue, { steps: ['none'] }]],
  ])('with %s settles nevertheless', async (code, status, to) => {
    const first = await claimedOf(1);
    const [where, more] = to();
    const turn = await where.takeTurn({ worker: 'w1', ...more, items: [done(first)] });
    expect(turn).toMatchObject({ results, tasks: [], problem: { code, status } });
    expect(await stateOf(first.taskId)).toBe('succeeded');
  });

  it('because its id is that of another claim settles nevertheless', async () => {
    const first = await claimedOf(2);
    const { claimId } = (await queue.claim({ worker: 'w2' }))[0]!;
    const turn = await queue.takeTurn({ worker: 'w1', claimId, items: [done(first)] });
    expect(turn).toMatchObject({ results, tasks: [], problem: { code: 'CLAIM_ID_REUSED', status: 422 } });
  });

  it('because enough tasks run for its API key settles nevertheless, and gets the place that it frees', async () => {
    await queue.define();
    await queue.enqueueMany([{}, {}, {}]);
    const own = as('one').queue(queue.name);
    const [other] = await queue.claim({ worker: 'w2' });
    const [first] = await own.claim({ worker: 'w1' });
    const full = await own.takeTurn({ worker: 'w1', items: [done(other!)] });
    expect(full).toMatchObject({ results, tasks: [], problem: { code: 'HOLDER_FULL', status: 429 } });
    const turn = await own.takeTurn({ worker: 'w1', max: 5, items: [done(first!)] });
    expect([turn.results, turn.tasks]).toMatchObject([results, [{ queue: queue.name }]]);
  });
});

describe('a turn is refused as a whole', () => {
  it('if its API key is not for the queue', async () => {
    const first = await claimedOf(1);
    const turn = as('mailer')
      .queue(queue.name)
      .takeTurn({ worker: 'w1', items: [done(first)] });
    await expect(turn).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await stateOf(first.taskId)).toBe('running');
  });

  it.each([
    ['no item', { items: [] }, '/items'],
    ['a time to wait', { waitMs: 1_000 }, '/waitMs'],
    ['no worker', { worker: undefined }, '/worker'],
  ])('if it has %s', async (_, wrong, pointer) => {
    const first = await claimedOf(1);
    const turn = queue.takeTurn({ worker: 'w1', items: [done(first)], ...wrong } as never);
    await expect(turn).rejects.toMatchObject({ code: 'INVALID_INPUT', errors: [{ pointer }] });
    expect(await stateOf(first.taskId)).toBe('running');
  });

  it('and is told no more of a task outside of its queues than that it does not exist', async () => {
    const first = await claimedOf(1);
    const wrong = done({ ...first, token: NO_TOKEN });
    const { results } = await as('mailer')
      .queue('mail')
      .takeTurn({ worker: 'w1', items: [wrong] });
    expect(results).toMatchObject([{ problem: { code: 'TASK_NOT_FOUND' } }]);
  });
});

it('settles and claims nothing if its client has left before', async () => {
  const first = await claimedOf(2);
  const connection = await service.pool.connect();
  await connection.query('begin');
  await connection.query(`select pg_advisory_xact_lock(${LOG_LOCK})`);
  const body = JSON.stringify({ worker: 'w1', items: [done(first)] });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer wb_boss' };
  const sent = request(`${service.url}/v1/queues/${queue.name}/turns`, { method: 'POST', headers });
  sent.on('error', () => undefined);
  sent.end(body);
  await until('the turn to wait for the log', async () => {
    const { rows } = await service.pool.query(`select from pg_locks where locktype = 'advisory' and not granted`);
    return rows.length > 0 || null;
  });
  sent.destroy();
  await new Promise((resolve) => sent.once('close', resolve));
  await connection.query('rollback');
  connection.release();
  await until('the task to succeed', async () => ((await stateOf(first.taskId)) === 'succeeded' ? true : null));
  expect(await queue.claim({ worker: 'w2', waitMs: 30_000 })).toMatchObject([{ attempt: 1 }]);
});
