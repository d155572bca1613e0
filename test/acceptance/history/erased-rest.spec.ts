import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TaskDetails } from '@waybill/client';
import { checkIndexFromLog } from '../../../src/maintenance/rebuild-from-log.js';
import { configFor, isElsewhere, type RunningService, startService } from '../../support/running-service.js';
import { type MailSink, startMailSink } from '../../support/sinks/mail-sink.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';

const REASON = 'Art. 17, ticket 88';

let service: RunningService;
let mails: MailSink;
beforeAll(async () => {
  mails = await startMailSink();
  service = await startService({ smtpUrl: mails.url, mailFrom: 'shop@example.org', erasureApproval: true });
  await service.waybill.queue('mail').define({});
});
afterAll(async () => {
  await service.stop();
  await mails.stop();
});

const subjectOf = (customer: string) => ({ label: { name: 'customer', value: customer } });

async function ordered(customer: string): Promise<string> {
  return (await service.as('dora').erase(subjectOf(customer), REASON)).id!;
}

async function approved(id: string): Promise<TaskDetails> {
  await service.as('ann').task(id).release();
  return until('the erasure to end', async () => {
    const task = await service.waybill.task(id).get();
    return task.finishedAt === null ? null : task;
  });
}

async function ended(customer: string): Promise<string> {
  const { id } = await service.waybill.queue('mail').enqueue({ to: customer }, { labels: { customer } });
  await service.waybill.task(id).abort();
  return id;
}

/** A row of the outbox that no task can be made of, because its queue is not there. */
async function refusedRow(customer: string): Promise<string> {
  const { rows } = await service.pool.query<{ id: string }>(
    `select waybill.enqueue('nowhere', to_jsonb($1::text), labels => jsonb_build_object('customer', $1::text)) as id`,
    [customer],
  );
  const { id } = rows[0]!;
  await until('the row to be refused', async () => {
    const { rowCount } = await service.pool.query('select from waybill_outbox where id = $1 and refusal is not null', [
      id,
    ]);
    return rowCount === 0 ? null : true;
  });
  return id;
}

const isThere = async (id: string): Promise<boolean> =>
  (await service.pool.query('select from waybill_outbox where id = $1', [id])).rowCount === 1;

function here(): void {
  it('H-48 rows of the outbox go when the erasure is approved, not when it is ordered, also if nothing else matches', async () => {
    const row = await refusedRow('wren');
    expect(await service.waybill.erase(subjectOf('wren'), REASON, { preview: true })).toMatchObject({
      tasks: 0,
      outbox: 1,
    });
    const rejected = await ordered('wren');
    await service.waybill.task(rejected).cancel();
    expect(await isThere(row)).toBe(true);
    expect((await approved(await ordered('wren'))).result).toMatchObject({ erased: 0, outbox: 1, refused: {} });
    expect(await isThere(row)).toBe(false);
    expect((await refusalOf(service.waybill.erase(subjectOf('wren'), REASON))).code).toBe('NO_TASK_MATCHES');
  });

  it('H-52 rows of the outbox stay under a legal hold, whenever it was placed', async () => {
    const row = await refusedRow('tern');
    const order = await ordered('tern');
    await service.waybill.holds.place('tern', { customer: 'tern' }, { forbidsErasure: true });
    expect((await refusalOf(service.waybill.erase(subjectOf('tern'), REASON))).code).toBe('ERASURE_FORBIDDEN');
    expect((await approved(order)).result).toMatchObject({ outbox: 0, refused: { ERASURE_FORBIDDEN: 1 } });
    expect(await isThere(row)).toBe(true);
  });

  it('a row that was let go meanwhile is no row any more, and a task that an order has no say in', async () => {
    const row = await refusedRow('rail');
    const order = await ordered('rail');
    await service.waybill.queue('nowhere').define({});
    await service.pool.query('update waybill_outbox set refusal = null, refused_at = null where id = $1', [row]);
    // Wakes the relay.
    await service.pool.query(`select waybill.enqueue('mail')`);
    await until('the task', () =>
      service.waybill
        .task(row)
        .get()
        .catch(() => null),
    );
    expect((await approved(order)).result).toMatchObject({ erased: 0, outbox: 0, refused: {} });
    expect(await service.waybill.task(row).get()).toMatchObject({ payload: 'rail' });
  });

  it('H-48 the batches with its label are erased once they have ended, and take no command but their deletion', async () => {
    const { waybill } = service;
    const labels = { customer: 'plover' };
    await waybill.queue('drafts').define({ onFailure: 'fail' });
    const batch = await waybill.createBatch({
      name: 'letters to plover',
      description: 'plover wants them',
      labels,
      plan: { queue: 'drafts', payload: {} },
    });
    const open = await waybill.createBatch({ name: 'plover again', labels });
    const [planner] = await waybill.queue('drafts').claim({ worker: 'w' });
    const error = { message: 'no address of plover', class: 'business' } as const;
    const { taskId, token } = planner!;
    await waybill.settle([{ taskId, token, verdict: { type: 'fail', error, final: true } }]);
    await until('its plan to fail', async () => ((await batch.get()).state === 'failed' ? true : null));
    const rowsWith = async () =>
      (await service.pool.query(`select from batches b where b::text like '%plover%'`)).rowCount;
    const halvesWith = async () =>
      (await service.pool.query(`select from segments where category = 'batch' and private like '%plover%'`)).rowCount;
    expect([await rowsWith(), await halvesWith()]).toEqual([2, 3]);
    expect(await waybill.erase(subjectOf('plover'), REASON, { preview: true })).toMatchObject({
      // The one that planned it.
      tasks: 1,
      batches: 2,
      open: 1,
    });
    expect((await approved(await ordered('plover'))).result).toMatchObject({
      erased: 1,
      batches: 1,
      refused: { BATCH_NOT_ENDED: 1 },
      examples: [{ batch: open.id, code: 'BATCH_NOT_ENDED' }],
    });
    expect([await rowsWith(), await halvesWith()]).toEqual([1, 1]);
    const { id } = await service.as('dora').erase(subjectOf('plover'), REASON, { abortOpen: true });
    expect((await approved(id!)).result).toMatchObject({ batches: 1, refused: {} });
    expect([await rowsWith(), await halvesWith()]).toEqual([0, 0]);
    expect(await batch.get()).toMatchObject({ name: '(erased)', labels: {}, description: null, state: 'failed' });
    expect((await refusalOf(batch.abort())).code).toBe('BATCH_ERASED');
    const differing: string[] = [];
    await checkIndexFromLog({
      config: configFor(service.databaseUrl),
      log: () => undefined,
      onProgress: () => undefined,
      onBuilt: (line) => differing.push(line),
    });
    expect(differing).toEqual(['The index differs from the log in 0 rows']);
    await open.delete();
  });

  it('H-52 a batch under a legal hold stays', async () => {
    const batch = await service.waybill.createBatch({ name: 'dunlin', labels: { customer: 'dunlin' } });
    await batch.abort();
    const order = await ordered('dunlin');
    await service.waybill.holds.place('dunlin', { customer: 'dunlin' }, { forbidsErasure: true });
    expect((await refusalOf(service.waybill.erase(subjectOf('dunlin'), REASON))).code).toBe('ERASURE_FORBIDDEN');
    expect((await approved(order)).result).toMatchObject({ batches: 0, refused: { ERASURE_FORBIDDEN: 1 } });
    expect(await batch.get()).toMatchObject({ name: 'dunlin' });
  });

  it('H-48 one event that was stored whole stops its own task only', async () => {
    const [old, other] = [await ended('crane'), await ended('crane')];
    await service.pool.query(
      `update segments set data = left(data, -1) || case when data = '{}' then '' else ',' end || substr(private, 2), private = null, salts = null, digest = null
        where streams = array[$1::uuid] and private is not null`,
      [old],
    );
    const { result } = await approved(await ordered('crane'));
    expect(result).toMatchObject({
      erased: 1,
      refused: { STORED_WHOLE: 1 },
      examples: [{ task: old, code: 'STORED_WHOLE' }],
    });
    const types = (await service.waybill.task(old).history()).map(({ type }) => type);
    expect(types).not.toContain('TaskErased');
    expect(await service.waybill.task(other).get()).toMatchObject({ payload: null });
  });

  it('H-48 one task that cannot be read stops itself only', async () => {
    const [damaged] = [await ended('finch'), await ended('finch')];
    await service.pool.query(`update segments set type = 'TaskUnheardOf' where streams = array[$1::uuid]`, [damaged]);
    expect((await approved(await ordered('finch'))).result).toMatchObject({
      erased: 1,
      refused: { STREAM_UNREADABLE: 1 },
    });
  });

  it('H-48 nothing is left in the texts of what went wrong with a task', async () => {
    const id = await ended('heron');
    const { rows } = await service.pool.query<{ position: string }>('select position from events where stream = $1', [
      id,
    ]);
    const texts = [
      [`insert into quarantined (task_id, error, retry_at) values ($1, 'no heron', 'infinity')`, [id]],
      [`insert into failing_items (chore, item, error, tries) values ('test', $1, 'no heron', 1)`, [id]],
      [
        `insert into events_put_aside (follower, line, position, error, retry_at) values ('test', 'heron-less', $1, 'no heron', 'infinity')`,
        [rows[0]!.position],
      ],
    ] as const;
    for (const [text, values] of texts) await service.pool.query(text, [...values]);
    await approved(await ordered('heron'));
    const { rows: left } = await service.pool.query<{ error: string }>(
      `select error from quarantined where task_id = $1 union all select error from failing_items where item = $1::text
        union all select error from events_put_aside where follower = 'test'`,
      [id],
    );
    expect(left.map(({ error }) => error)).toEqual(['(erased)', '(erased)', '(erased)']);
    await service.pool.query(`delete from quarantined; delete from events_put_aside where follower = 'test'`);
  });

  it('H-48 the deliveries that came of its tasks and their batches are erased with them', async () => {
    const { waybill } = service;
    await waybill.queue('plans').define({}, { preset: 'repository-submissions' });
    const batch = await waybill.createBatch({
      name: 'one letter',
      plan: { queue: 'plans', payload: {} },
      reportTo: { mail: { to: ['office@example.org'] } },
    });
    const worker = waybill.worker({ logger: null, waitMs: 50 }).plan('plans', (_, plan) => {
      plan.add('mail', { to: 'egret' }, { reference: 'egret-1', labels: { customer: 'egret' } });
    });
    await worker.start();
    const task = await until('the task', async () => (await waybill.tasks.page({ batch: batch.id })).items[0] ?? null);
    await worker.stop();
    await waybill.task(task.id).abort();
    await until('the mail', async () => mails.received.find(({ raw }) => raw.includes('egret-1')) ?? null);
    const told = await until('its task', async () => {
      const { items } = await waybill.tasks.page({ queue: 'waybill.mail' });
      const [one] = items;
      return one?.state === 'succeeded' ? one.id : null;
    });
    expect(JSON.stringify((await waybill.task(told).get()).payload)).toContain('egret-1');
    expect((await approved(await ordered('egret'))).result).toMatchObject({ erased: 2, refused: {} });
    expect(await waybill.task(told).get()).toMatchObject({ state: 'succeeded', payload: null });
  });
}

describe('what was made of the tasks of a subject', () => {
  if (isElsewhere)
    it('stays where the store cannot forget', async () => {
      expect((await refusalOf(service.waybill.erase(subjectOf('wren'), REASON))).code).toBe('ERASURE_NOT_POSSIBLE');
    });
  else here();
});
