import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TaskProof } from '@waybill/client';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SAMPLED } from '../../../src/infrastructure/ports/erasable.js';
import { createLog } from '../../../src/infrastructure/telemetry/pino-logger.js';
import { checkIndexFromLog } from '../../../src/maintenance/rebuild-from-log.js';
import { verifyLog } from '../../../src/maintenance/verify-log.js';
import { verifyProof } from '../../../src/maintenance/verify-proof.js';
import { erased } from '../../support/erased.js';
import { type Compared, rebuildOf } from '../../support/rebuilt.js';
import { configFor, isElsewhere, type RunningService, startService } from '../../support/running-service.js';
import { environmentOf, erasing } from '../../support/subject-keys.js';
import { tablesIn, tablesWith } from '../../support/tables-with.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';

/** In everything that the subject's tasks are about, and in nothing else. */
const MARK = 'quetzal';
const KEYS = erasing();
/** Of the server's own version, where that is installed (`scripts/test-on-postgres.sh`). */
const { PG_DUMP } = process.env;
const SUBJECT = { label: { name: 'customer', value: MARK } };

let service: RunningService;
let folder: string;
/** What the process logged, at its most talkative. */
let logged = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-erased-'));
  const destination = { write: (line: string) => void (logged += line) };
  service = await startService(
    { notaryDir: join(folder, 'keys'), ...KEYS },
    createLog({ level: 'trace', format: 'json', destination }),
  );
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const config = () => Object.assign(configFor(service.databaseUrl), KEYS);

const keyText = (): string => readFileSync(join(folder, 'keys', 'key.pub'), 'utf8').trim();

async function ask(path: string): Promise<string> {
  return (await fetch(`${service.url}${path}`)).text();
}

interface Listed {
  readonly items: readonly { readonly id: string; readonly state: string }[];
}

interface Counted {
  readonly counts: object;
}

const tablesWithMark = () => tablesWith(MARK, service.pool);

/** The tables of whose rows Postgres has samples with the mark. */
async function samplesWithMark(): Promise<readonly string[]> {
  const { rows } = await service.pool.query<{ name: string }>(
    `select distinct tablename as name from pg_stats s where s::text like '%${MARK}%' order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** The files of the database with the mark, after everything is written anew and to the disk. */
async function filesWithMark(): Promise<readonly string[]> {
  for (const name of [...(await tablesIn(service.pool)), 'pg_statistic'])
    await service.pool.query(`vacuum full ${name}`);
  await service.pool.query('checkpoint');
  const { rows } = await service.pool.query<{ path: string }>(
    `select current_setting('data_directory') || '/base/' || oid as path from pg_database where datname = current_database()`,
  );
  const { path } = rows[0]!;
  const files = readdirSync(path);
  expect(files.length).toBeGreaterThan(100);
  return files.filter((file) => readFileSync(join(path, file)).includes(MARK));
}

async function events(): Promise<string> {
  const lines: string[] = [];
  for await (const event of service.waybill.events({ follow: false })) lines.push(JSON.stringify(event));
  return lines.join('\n');
}

describe('after an erasure', () => {
  let own: readonly string[];
  let other: string;
  let proofs: readonly TaskProof[];
  let before: readonly string[];
  /** Before the erasure. */
  let then: string;

  /** What stays: states as of then and now, counts and statistics. */
  async function kept(): Promise<readonly string[]> {
    const { waybill } = service;
    const read = async (path: string, asOf?: string) =>
      JSON.parse(await ask(`${path}${asOf === undefined ? '' : `&asOf=${asOf}`}`)) as Listed & Counted;
    const states = async (asOf?: string) =>
      (await read('/v1/tasks?queue=mail', asOf)).items.map(({ id, state }) => `${id} ${state}`).join();
    const counts = async (asOf?: string) => JSON.stringify((await read('/v1/queues/mail/stats?', asOf)).counts);
    const { rows } = await service.pool.query(
      `select queue, at, to_jsonb(m) as figures from queue_minutes m where queue = 'mail' order by at`,
    );
    const groups = [];
    for await (const { id, failedTasks } of waybill.failures.list()) groups.push({ id, failedTasks });
    return [
      await states(),
      await states(then),
      await counts(),
      await counts(then),
      JSON.stringify(rows),
      JSON.stringify(groups),
    ];
  }

  beforeAll(async () => {
    const mail = service.waybill.queue('mail');
    await mail.define({ onFailure: 'fail', search: ['to'], uniqueReference: 'open' });
    const about = (n: number) => ({
      payload: { to: `${MARK}-${n}@example.org` },
      key: `${MARK}-${n}`,
      reference: `${MARK}-${n}`,
      description: `letter to ${MARK}`,
      labels: { customer: MARK },
      data: { seen: MARK },
    });
    const receipts = await mail.enqueueMany([
      about(0),
      { payload: { to: 'ann@example.org' }, labels: { customer: 'ann' } },
      about(2),
    ]);
    const again = mail.enqueue({}, { reference: `${MARK}-0`, idempotencyKey: 'again' });
    expect(await refusalOf(again)).toMatchObject({ code: 'REFERENCE_IN_USE', message: expect.stringContaining(MARK) });
    const ids = receipts.map((receipt) => (receipt as { readonly id: string }).id);
    [own, other] = [[ids[0]!, ids[2]!], ids[1]!];
    const claimed = await mail.claim({ worker: 'w', max: 3 });
    const line = { number: 1, at: new Date().toISOString(), level: 'info' as const, text: `to ${MARK}` };
    await service.waybill.extend(
      claimed.flatMap(({ taskId, token }) => (taskId === other ? [] : [{ taskId, token, log: [line] }])),
    );
    const settled = await service.waybill.settle(
      claimed.map(({ taskId, token }) => ({
        taskId,
        token,
        verdict:
          taskId === ids[0]
            ? { type: 'fail' as const, error: { message: `no such recipient ${MARK}`, class: 'business' as const } }
            : { type: 'succeed' as const, result: taskId === other ? 'sent' : MARK },
      })),
    );
    expect(settled).toHaveLength(3);
    await service.waybill.task(ids[0]!).abort();
    const named = { name: MARK, description: `for ${MARK}`, labels: { customer: MARK } };
    const batch = await service.waybill.createBatch({ ...named, reportTo: { mail: { to: [`${MARK}@example.org`] } } });
    await batch.abort();
    then = (await mail.pause()).position!;
    for (const name of ['failure-groups', 'queue-stats', 'queue-history']) await service.caughtUp(name, then);
    before = await kept();
    for (const states of before.slice(0, 2)) expect(states).toContain(other);
    for (const figures of before.slice(2)) expect(figures).toMatch(/[1-9]/);
    proofs = await Promise.all([...own, other].map((id) => service.waybill.task(id).proof({ private: true })));
    const withMark = await tablesWithMark();
    expect(withMark).toEqual(
      expect.arrayContaining([isElsewhere ? 'ended_histories' : 'segments', 'tasks', 'batches', 'task_log']),
    );
    expect(SAMPLED).toEqual(expect.arrayContaining([...withMark]));
    await service.pool.query('analyze');
    expect(await samplesWithMark()).toContain('tasks');
    expect(await erased(service.waybill, SUBJECT)).toMatchObject({ erased: 2, batches: 1, refused: {} });
  });

  it('H-48 no byte of its mark is in a dump, in files once they are written anew, in streams, in answers and in logs', async () => {
    expect(await tablesWithMark()).toEqual([]);
    expect(await samplesWithMark()).toEqual([]);
    expect(await filesWithMark()).toEqual([]);
    expect(await events()).not.toContain(MARK);
    const paths = own.flatMap((id) => [`/v1/tasks/${id}`, `/v1/tasks/${id}/history`, `/v1/tasks/${id}?asOf=${then}`]);
    const answers = await Promise.all(
      [...paths, '/v1/tasks', '/v1/batches', '/v1/failures', '/v1/events', '/v1/activity'].map(ask),
    );
    expect(answers.filter((answer) => answer.includes(MARK))).toEqual([]);
    expect(answers.filter((answer) => answer.includes(own[0]!)).length).toBeGreaterThan(3);
    expect(logged.length).toBeGreaterThan(1_000);
    // Requests have their paths in the log, and none of these here named the mark.
    expect(logged).not.toContain(MARK);
  });

  if (PG_DUMP !== undefined)
    it('H-48 no byte of its mark is in what pg_dump writes', async () => {
      const { stdout } = await promisify(execFile)(PG_DUMP, ['--dbname', service.databaseUrl], { maxBuffer: 1e8 });
      expect(stdout).toContain(own[0]);
      // Bytes are in it as hexadecimal digits.
      for (const text of [MARK, Buffer.from(MARK).toString('hex')]) expect(stdout).not.toContain(text);
    });

  it('H-49 the log and the proofs from before verify, what stays is the same, and a rebuild brings nothing back', async () => {
    const seal = readFileSync(join(folder, 'keys', 'seal'), 'utf8');
    const verified = await verifyLog(environmentOf(config()), {
      key: keyText(),
      seals: [{ name: 'seal', text: seal }],
      witnesses: [],
      onFinding: () => undefined,
    });
    expect(verified).toMatchObject({ findings: 0, seals: 1 });
    for (const proof of proofs) expect(verifyProof(JSON.stringify(proof), keyText())).toHaveProperty('events');
    await service.waybill.queue('mail').resume();
    await service.waybill.queue('mail').pause();
    expect(await kept()).toEqual(before);
    const differing: string[] = [];
    await checkIndexFromLog({
      config: config(),
      log: () => undefined,
      onProgress: () => undefined,
      onBuilt: (line) => differing.push(line),
    });
    expect(differing).toEqual(['The index differs from the log in 0 rows']);
    for (const model of ['failure-groups', 'queue-stats'])
      expect((await rebuildOf(service.waybill, model, 'diff')).result as Compared).toMatchObject({ rows: 0 });
    expect(await tablesWithMark()).toEqual([]);
  });

  it('H-50 another event of an erased segment still has a proof with its private half', async () => {
    const proof = await until('a proof', () => service.waybill.task(other).proof({ private: true }));
    if (!isElsewhere) expect(proof.segments[0]!.text).toContain(own[0]);
    expect(proof.segments[0]!.private.map(({ half }) => half).join()).toContain('ann@example.org');
    const events = (verifyProof(JSON.stringify(proof), keyText()) as { events: readonly object[] }).events;
    expect(events[0]).toMatchObject({ type: 'TaskEnqueued', isWhole: true });
    expect(JSON.stringify(await service.waybill.task(own[0]!).proof({ private: true }))).not.toContain(MARK);
  });
});
