import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ErasureSubject, StartedErasure, TaskDetails } from '@waybill/client';
import { explained } from '@waybill/client/words';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { main } from '../../../packages/cli/src/index.js';
import { checkIndexFromLog } from '../../../src/maintenance/rebuild-from-log.js';
import { verifyLog } from '../../../src/maintenance/verify-log.js';
import { type Compared, rebuildOf } from '../../support/rebuilt.js';
import { configFor, isElsewhere, type RunningService, startService } from '../../support/running-service.js';
import { environmentOf, erasing } from '../../support/subject-keys.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';

/** In everything that the subject's tasks are about, and in nothing else. */
const MARK = 'quetzal';
const KEYS = erasing();
const SUBJECT = { label: { name: 'customer', value: MARK } };
const REASON = 'Art. 17, ticket 88';

let service: RunningService;
let folder: string;
beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'waybill-erasure-')), 'keys');
  service = await startService({ notaryDir: folder, erasureApproval: true, ...KEYS });
});
afterAll(async () => {
  await service.stop();
  await rm(join(folder, '..'), { recursive: true });
});

const config = () => Object.assign(configFor(service.databaseUrl), KEYS);

const about = (n: number) => ({
  payload: { to: `${MARK}-${n}@example.org` },
  reference: `${MARK}-${n}`,
  description: `letter to ${MARK}`,
  labels: { customer: MARK },
  data: { seen: MARK },
});

async function ended(id: string): Promise<TaskDetails> {
  return until('the erasure to end', async () => {
    const task = await service.waybill.task(id).get();
    return task.finishedAt === null ? null : task;
  });
}

const order = (subject: ErasureSubject, abortOpen = false): Promise<StartedErasure> =>
  service.as('dora').erase(subject, REASON, { abortOpen });

/** With the approval of another. */
async function erase(subject: ErasureSubject, abortOpen = false): Promise<unknown> {
  const { id } = await order(subject, abortOpen);
  await service.as('ann').task(id!).release();
  return (await ended(id!)).result;
}

/** Every row of every table as text, as a dump has them. */
async function dump(): Promise<string> {
  const { rows } = await service.pool.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  const all = rows.map(async ({ name }) => {
    const { rows: found } = await service.pool.query<{ row: string }>(`select t::text as row from ${name} t`);
    return found.map(({ row }) => `${name}: ${row}`).join('\n');
  });
  return (await Promise.all(all)).join('\n');
}

const withMark = (texts: string): readonly string[] => texts.split('\n').filter((line) => line.includes(MARK));

async function events(): Promise<string> {
  const lines: string[] = [];
  for await (const event of service.waybill.events({ follow: false })) lines.push(JSON.stringify(event));
  return lines.join('\n');
}

async function verify(...args: readonly string[]): Promise<{ readonly code: number; readonly said: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([text(stdout), text(stderr)]);
  const [out, env] = [stdout as unknown as NodeJS.WriteStream, environmentOf(config())];
  const code = await main(['verify', ...args], { stdin: Readable.from([]), stdout: out, stderr, env, verifyLog });
  for (const stream of [stdout, stderr]) stream.end();
  return { code, said: (await said).join('\n') };
}

describe('what the tasks of a subject were about', () => {
  /** Of the subject: succeeded, failed, deleted, in the archive; then one that waits, and one that failed and has a key. */
  let tasks: readonly string[];
  let other: string;

  beforeAll(async () => {
    const mail = service.waybill.queue('mail');
    await mail.define({ onFailure: 'fail', search: ['to'], uniqueReference: 'always' });
    const receipts = await mail.enqueueMany([
      { ...about(0), key: MARK },
      about(1),
      about(2),
      about(3),
      { payload: { to: 'ann@example.org' }, labels: { customer: 'ann' } },
      { ...about(5), dueAt: '2100-01-01T00:00:00Z' },
      { ...about(6), key: `${MARK}-6` },
    ]);
    const ids = receipts.map((receipt) => (receipt as { readonly id: string }).id);
    other = ids[4]!;
    tasks = ids.filter((id) => id !== other);
    await service.waybill.task(ids[5]!).amend({ to: `${MARK}@example.com` });
    const claimed = await mail.claim({ worker: 'w', max: 10 });
    const error = { message: `no such recipient ${MARK}`, class: 'business' } as const;
    await service.waybill.settle(
      claimed.map(({ taskId, token }) => {
        const fails = taskId === ids[1] || taskId === ids[6];
        const verdict = fails
          ? { type: 'fail' as const, error }
          : { type: 'succeed' as const, result: taskId === other ? 'sent' : MARK };
        return { taskId, token, verdict };
      }),
    );
    await service.waybill.task(ids[2]!).delete();
    await service.pool.query(
      `with gone as (delete from tasks where task_id = $1 returning *) insert into tasks_archive select now(), gone.* from gone`,
      [ids[3]],
    );
  });

  const groups = async () => {
    const all = [];
    for await (const group of service.waybill.failures.list()) all.push({ ...group, message: null });
    return all;
  };

  const sealed = async (name: string): Promise<string> => {
    const { position } = await service.waybill.queue('mail').pause();
    await until('a seal', async () => {
      const { rows } = await service.pool.query('select from seals where position >= $1', [position]);
      return rows.length > 0 || null;
    });
    await service.waybill.queue('mail').resume();
    await copyFile(join(folder, 'seal'), join(folder, name));
    return join(folder, name);
  };

  it('are counted by a preview, which changes nothing', async () => {
    const before = await events();
    const preview = await service.waybill.erase(SUBJECT, REASON, { preview: true });
    expect(preview).toEqual({
      tasks: 6,
      batches: 0,
      open: 2,
      outbox: 0,
      id: null,
      position: null,
      needsApproval: true,
    });
    expect(await events()).toBe(before);
  });

  it('H-52 are not erased under a legal hold, which keeps no task from being given out', async () => {
    const labels = { customer: 'heron' };
    const subject = { label: { name: 'customer', value: 'heron' } };
    await service.as('ann').holds.place('lawsuit', labels, { reason: 'case 7', forbidsErasure: true });
    const { id } = await service.waybill.queue('mail').enqueue(null, { labels });
    expect(await service.waybill.queue('mail').claim({ worker: 'w' })).toMatchObject([{ taskId: id }]);
    await service.waybill.task(id).abort();
    const hold = { hold: 'lawsuit', by: 'ann', reason: 'case 7' };
    for (const options of [{}, { preview: true }]) {
      const { code, problem } = await refusalOf(service.waybill.erase(subject, REASON, options));
      expect([code, problem]).toEqual(['ERASURE_FORBIDDEN', expect.objectContaining(hold)]);
    }
    await service.waybill.holds.lift('lawsuit');
    const { id: order } = await service.as('dora').erase(subject, REASON);
    await service.as('ann').holds.place('lawsuit', labels, { forbidsErasure: true });
    await service.as('ann').task(order!).release();
    expect((await ended(order!)).result).toMatchObject({ erased: 0, refused: { ERASURE_FORBIDDEN: 1 } });
    expect(await service.waybill.task(id).get()).toMatchObject({ labels });
    await service.waybill.holds.lift('lawsuit');
    expect(await erase(subject)).toMatchObject({ erased: 1, refused: {} });
  });

  it('H-52 wait until somebody else approves it, and nothing else makes it go on', async () => {
    const { id } = await service.waybill.queue('mail').enqueue(null, { labels: { customer: 'egret' } });
    await service.waybill.task(id).abort();
    const ordered = await order({ task: id });
    const erasure = service.as('dora').task(ordered.id!);
    expect([ordered.needsApproval, (await erasure.get()).state]).toEqual([true, 'held']);
    const { code, problem } = await refusalOf(erasure.release());
    expect([code, problem]).toEqual(['APPROVAL_NEEDED', expect.objectContaining({ by: 'dora' })]);
    await erasure.cancel();
    await erasure.retry();
    expect(await ended(ordered.id!)).toMatchObject({
      state: 'failed',
      error: { message: expect.stringContaining('nobody has') },
    });
    expect(await service.waybill.task(id).get()).toMatchObject({ labels: { customer: 'egret' } });
  });

  it('H-53 are erased to the last byte, of open tasks once they are aborted, and the log verifies as before', async () => {
    const seal = await sealed('before');
    const { counts } = await service.waybill.queue('mail').stats();
    const before = await groups();
    expect(await erase(SUBJECT)).toEqual({
      erased: 4,
      batches: 0,
      alreadyErased: 0,
      halves: expect.any(Number),
      outbox: 0,
      refused: { TASK_NOT_ENDED: 2 },
      examples: expect.arrayContaining([{ task: tasks[4], code: 'TASK_NOT_ENDED' }]),
    });
    expect(withMark(await dump()).length).toBeGreaterThan(0);
    expect((await service.waybill.queue('mail').stats()).counts).toEqual(counts);
    expect(await groups()).toEqual(before);
    expect(await erase(SUBJECT, true)).toMatchObject({ erased: 2, refused: {} });
    expect(withMark(await dump())).toEqual([]);
    expect(withMark(await events())).toEqual([]);
    const verified = await verify('--key', join(folder, 'key.pub'), '--seal', seal);
    expect(verified).toMatchObject({ code: 0 });
  });

  it('H-48 leave no hash of a request about them, so that a repetition is refused and brings nothing back', async () => {
    const mail = service.waybill.queue('mail');
    const labels = { customer: 'wren' };
    const requests = [
      () => mail.enqueue({ to: 'wren' }, { labels, idempotencyKey: 'wren-1' }),
      () =>
        service.waybill.transaction(
          (tx) => {
            tx.queue('mail').enqueue({ to: 'wren' }, { labels });
            tx.queue('mail').enqueue({ to: 'ann' });
          },
          { idempotencyKey: 'wren-2' },
        ),
      () => service.waybill.createBatch({ name: 'wren', labels }, { idempotencyKey: 'wren-3' }),
    ];
    for (const request of requests) await request();
    const hashes = async () =>
      (
        await service.pool.query(
          `select from idempotency_keys where key ~ 'wren-[123]$' and fingerprint ~ '^[0-9a-f]{64}$'`,
        )
      ).rowCount;
    const ids = async () => (await service.waybill.tasks.page({ queue: 'mail' })).items.map(({ id }) => id);
    expect(await hashes()).toBe(3);
    expect(await erase({ label: { name: 'customer', value: 'wren' } }, true)).toMatchObject({ erased: 2, batches: 1 });
    const before = await ids();
    expect(await hashes()).toBe(0);
    for (const request of requests) expect((await refusalOf(request())).code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await ids()).toEqual(before);
  });

  it('leaves the other events of their segments as they are', async () => {
    const { payload, labels } = await service.waybill.task(other).get();
    expect({ payload, labels }).toEqual({ payload: { to: 'ann@example.org' }, labels: { customer: 'ann' } });
    if (isElsewhere) return;
    const { rows } = await service.pool.query(`select position from segments s where private like '%ann@example.org%'
      and private like '%#%' and digest = waybill_digest(s.category, s.type, s.version, s.meta, s.shared, s.streams, s.revisions, s.ids, s.data, s.private, s.salts)`);
    expect(rows).toHaveLength(1);
  });

  it('do not come back when rows are built from the log', async () => {
    const differing: string[] = [];
    const [log, onProgress] = [() => undefined, () => undefined];
    await checkIndexFromLog({
      config: config(),
      log,
      onProgress,
      onBuilt: (line) => differing.push(line),
    });
    expect(differing).toEqual(['The index differs from the log in 0 rows']);
    const { position } = await service.waybill.queue('mail').pause();
    await service.caughtUp('failure-groups', position!);
    expect((await rebuildOf(service.waybill, 'failure-groups', 'diff')).result as Compared).toMatchObject({ rows: 0 });
  });

  it('H-53 are said to be erased, by whom and why, and the task takes no command but its deletion', async () => {
    const history = await service.waybill.task(tasks[0]!).history();
    expect(history.at(-1)).toMatchObject({ type: 'TaskErased', envelope: { actor: 'dora', reason: REASON } });
    const task = service.waybill.task(tasks[1]!);
    expect(await task.get()).toMatchObject({ state: 'failed', payload: null, data: {}, labels: {}, reference: null });
    expect((await refusalOf(task.retry())).code).toBe('TASK_ERASED');
    expect((await refusalOf(task.annotate({ a: 1 }))).code).toBe('TASK_ERASED');
    expect((await refusalOf(task.runAgain('why', { payload: 1 }))).code).toBe('TASK_ERASED');
    const why = await task.why();
    expect(why).toMatchObject({ allowed: ['DeleteTask'], reasons: [{ because: 'ended', erased: true }] });
    expect(explained(why).at(-1)).toBe('To do its work again, enqueue a new task.');
    await task.delete();
    expect((await task.get()).state).toBe('deleted');
    const { payload, reference } = about(1);
    expect(await service.waybill.queue('mail').enqueue(payload, { reference })).toMatchObject({
      id: expect.any(String),
    });
  });

  it('is refused for whom there is nothing', async () => {
    const nobody = { label: { name: 'customer', value: 'nobody' } };
    expect((await refusalOf(service.waybill.erase(nobody, REASON))).code).toBe('NO_TASK_MATCHES');
  });
});
