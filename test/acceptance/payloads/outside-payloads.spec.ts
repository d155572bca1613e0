import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { ErasureSubject } from '@waybill/client';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { type RunningService, startService } from '../../support/running-service.js';
import { samplesIn } from '../../support/both-modes/player.js';
import { erasing } from '../../support/subject-keys.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';

const LARGE = { text: 'quetzal '.repeat(500), of: 'a customer' };
const TEXT = JSON.stringify(LARGE);
const SHA_256 = createHash('sha256').update(TEXT).digest('hex');
const TODAY = new Date().toISOString().slice(0, 10);
const IN_PLACE = { 'waybill:outside': { sha256: SHA_256, bytes: TEXT.length, day: TODAY } };

let service: RunningService;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-payloads-'));
  service = await startService({ payloadStore: folder, ...erasing() });
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

let queues = 0;
const queueOf = async (more: object = {}): Promise<string> => {
  const name = `outside-${++queues}`;
  await service.waybill.queue(name).define({ payloadsOutsideAboveBytes: 1_024, ...more });
  return name;
};

const fileOf = (task: string): string => join(folder, TODAY, task, SHA_256);
const filesOf = (task: string): Promise<string[]> => readdir(join(folder, TODAY, task)).catch(() => []);

const submit = async (queue: string, payload: unknown = LARGE): Promise<string> =>
  (await service.waybill.queue(queue).enqueue(payload)).id;

function claim(queue: string) {
  return service.waybill.queue(queue).claim({ worker: 'w1', max: 5, waitMs: 0 });
}

async function storedEvents(task: string): Promise<string> {
  const found = [];
  for await (const event of service.waybill.events({ task, follow: false })) found.push(event);
  return JSON.stringify(found);
}

it('keeps the digest of a large payload in the log, and gives the payload to its worker and to whoever asks for it', async () => {
  const queue = await queueOf();

  const id = await submit(queue);

  expect(await filesOf(id)).toEqual([SHA_256]);
  const events = await storedEvents(id);
  expect(events).toContain(JSON.stringify(IN_PLACE));
  expect(events).not.toContain('quetzal');
  const shown = await service.waybill.task(id).get();
  expect(shown).toMatchObject({
    payload: null,
    payloadOutside: { sha256: SHA_256, bytes: TEXT.length, day: TODAY },
  });
  const asked = [service.waybill.task(id).payload(), service.waybill.asOf(shown.position).task(id).payload()];
  expect(await Promise.all(asked)).toEqual([LARGE, LARGE]);
  expect(await claim(queue)).toMatchObject([{ taskId: id, payload: LARGE }]);
});

it('gives the tasks of a claim as many payloads as one answer may have, and the others to the next claim', async () => {
  const queue = await queueOf({ limits: { payloadBytes: 2_097_152 } });
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) ids.push(await submit(queue, { n, text: 'x'.repeat(1_000_000) }));
  const small = await submit(queue, { text: 'small' });

  const given = [];
  for (let claims = 0; claims < 3; claims++)
    given.push(
      (await service.waybill.queue(queue).claim({ worker: 'w1', max: 10, waitMs: 0 })).map(({ taskId }) => taskId),
    );

  expect(given).toEqual([ids.slice(0, 4), [...ids.slice(4), small], []]);
});

it('gives a payload alone that is larger than an answer of several', async () => {
  const queue = await queueOf({ limits: { payloadBytes: 4_194_304 } });
  const large = await submit(queue, { text: 'x'.repeat(4_000_000) });
  const other = await submit(queue, { text: 'x'.repeat(300_000) });

  const [first, second] = [await claim(queue), await claim(queue)];

  expect([first, second]).toMatchObject([[{ taskId: large }], [{ taskId: other }]]);
});

it('shows in histories and lists what stands in place of a payload, and not the payload', async () => {
  const queue = await queueOf();
  const id = await submit(queue);

  const answers = [await service.waybill.task(id).history(), await service.waybill.queue(queue).get()];

  expect(JSON.stringify(answers)).toContain(SHA_256);
  expect(JSON.stringify(answers)).not.toContain('quetzal');
});

it('reads no payload that nobody asked for', async () => {
  const queue = await queueOf();
  const id = await submit(queue);
  const before = await samples();

  await service.waybill.task(id).get();
  await service.waybill.tasks.page({ queue });
  await service.waybill.task(id).why();

  const after = await samples();
  expect(after['waybill_payloads_read_total']).toBe(before['waybill_payloads_read_total']);
});

it('leaves a payload in the log that is not above the limit', async () => {
  const queue = await queueOf();

  const id = await submit(queue, { text: 'small' });

  expect(await filesOf(id)).toEqual([]);
  expect(await storedEvents(id)).toContain('small');
});

it('knows a task again that is submitted twice, also if the policy has changed meanwhile', async () => {
  const queue = await queueOf();
  const id = await submit(queue);
  await service.waybill.queue(queue).changePolicy({ payloadsOutsideAboveBytes: null }, { ifVersion: 1 });

  const again = await service.waybill.queue(queue).enqueue(LARGE, { id });

  expect(again).toMatchObject({ id, status: 'existing' });
});

it('stores the payload that a person puts in place of another', async () => {
  const queue = await queueOf();
  const id = await submit(queue, { text: 'small' });

  await service.waybill.task(id).amend(LARGE, { reason: 'It was too small' });

  expect(await filesOf(id)).toEqual([SHA_256]);
  expect(await claim(queue)).toMatchObject([{ payload: LARGE }]);
});

it('records nothing when a task is given the large payload that it has, also by a submission in its place', async () => {
  const queue = await queueOf({ duplicatePending: 'replace-payload' });
  const { id } = await service.waybill.queue(queue).enqueue(LARGE, { key: 'k1' });
  const before = await storedEvents(id);

  await service.waybill.task(id).amend(LARGE, { reason: 'Once more' });
  await service.waybill.queue(queue).enqueue(LARGE, { key: 'k1' });

  expect(await storedEvents(id)).toBe(before);
  await service.waybill.task(id).amend({ ...LARGE, of: 'another' }, { reason: 'It was of another' });
  expect(await filesOf(id)).toHaveLength(2);
});

it('stores the payloads of a transaction, and of a task that starts at once', async () => {
  const queue = await queueOf({ concurrency: 'unlimited' });
  let inTransaction = '';
  await service.waybill.transaction((tx) => {
    inTransaction = tx.queue(queue).enqueue(LARGE);
  });

  const started = await service.waybill.queue(queue).start({ worker: 'w1', payload: LARGE });

  expect(started).toMatchObject({ payload: LARGE });
  expect([await filesOf(inTransaction), await filesOf(started.taskId)]).toEqual([[SHA_256], [SHA_256]]);
});

it('gives the second run of a task a payload of its own', async () => {
  const queue = await queueOf();
  const id = await submit(queue);
  await service.waybill.task(id).abort({ reason: 'Not now' });

  const again = await service.waybill.task(id).runAgain('Now');

  expect(await filesOf(again.id)).toEqual([SHA_256]);
  expect(await claim(queue)).toMatchObject([{ taskId: again.id, payload: LARGE }]);
});

it.each([
  ['PAYLOAD_MISSING', (file: string) => rm(file)],
  ['PAYLOAD_CHANGED', (file: string) => writeFile(file, '{"text":"forged"}')],
])('fails an attempt for good with %s, and gives its worker nothing', async (code, harm) => {
  const queue = await queueOf({ onFailure: 'retry' });
  const id = await submit(queue);
  await harm(fileOf(id));

  expect(await claim(queue)).toEqual([]);

  const task = await service.waybill.task(id).get();
  expect(task).toMatchObject({ state: 'failed', attempt: 1, payload: null, payloadOutside: { sha256: SHA_256 } });
  expect((await refusalOf(service.waybill.task(id).payload())).code).toBe(code);
  expect(task.error?.message).toContain(code);
});

it('gives a payload that was put back to a second run of its task', async () => {
  const queue = await queueOf();
  const id = await submit(queue);
  await rm(fileOf(id));
  await claim(queue);

  await writeFile(fileOf(id), TEXT);
  const again = await service.waybill.task(id).runAgain('It is back');

  expect(await claim(queue)).toMatchObject([{ taskId: again.id, payload: LARGE }]);
});

it('refuses a payload that looks like what the log has in place of one', async () => {
  const queue = await queueOf();

  const { code, problem } = await refusalOf(submit(queue, IN_PLACE));

  expect([code, problem]).toEqual(['PAYLOAD_MISSING', expect.objectContaining({ sha256: SHA_256 })]);
});

it('refuses a policy that would search payloads outside the log', async () => {
  const { code } = await refusalOf(queueOf({ search: ['of'] }));

  expect(code).toBe('SEARCH_NOT_POSSIBLE');
});

it('refuses a large payload while there is no store, takes small ones, and gives tasks back to their queue', async () => {
  const queue = await queueOf();
  const id = await submit(queue);
  await service.restart({ payloadStore: undefined });

  const refused = await service.waybill
    .queue(queue)
    .enqueue(LARGE, { retry: { attempts: 1 } })
    .catch(causeOf);
  const small = await submit(queue, { text: 'small' });
  const given = await claim(queue);
  const shown = await service.waybill.task(id).get();

  await service.restart({ payloadStore: folder });
  expect(refused).toMatchObject({ code: 'PAYLOAD_STORE_UNAVAILABLE' });
  expect(given).toMatchObject([{ taskId: small }]);
  expect(shown).toMatchObject({ state: 'pending', attempt: 0, payloadOutside: { sha256: SHA_256 } });
  expect(await service.waybill.task(id).payload()).toEqual(LARGE);
});

/** The client says whether a call may be repeated, and then why. */
const causeOf = (error: unknown): unknown => (error as Error).cause ?? error;

it('takes an empty folder in place of the store for one that does not answer, also after a restart, and tells only its log where that is', async () => {
  const said = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
  const queue = await queueOf();
  const id = await submit(queue);
  await rename(folder, `${folder}-away`);
  await mkdir(folder);

  const answers: unknown[] = [];
  for (const _ of ['before', 'after a restart']) {
    const enqueued = service.waybill.queue(queue).enqueue(LARGE, { retry: { attempts: 1 } });
    answers.push(await enqueued.catch(causeOf));
    answers.push(await (await fetch(`${service.url}/healthz/ready`)).json(), await claim(queue));
    await service.restart();
  }

  const left = await readdir(folder);
  await rm(folder, { recursive: true });
  await rename(`${folder}-away`, folder);
  const refused = {
    code: 'PAYLOAD_STORE_UNAVAILABLE',
    problem: { detail: expect.not.stringContaining(folder) },
  };
  const degraded = { status: 'degraded', details: { payloads: { status: 'degraded' } } };
  expect(answers).toMatchObject([refused, degraded, [], refused, degraded, []]);
  expect(left).toEqual([]);
  expect(said).toHaveBeenCalledWith(
    expect.stringMatching(`^Expected the payload store to answer, but: .*${folder}`) as never,
  );
  expect(await service.waybill.task(id).get()).toMatchObject({ state: 'pending', attempt: 0 });
  expect(await service.waybill.task(id).payload()).toEqual(LARGE);
});

it('counts what is stored, read and failed, in payloads and bytes', async () => {
  const queue = await queueOf({ onFailure: 'fail' });
  const [, gone, changed] = [await submit(queue), await submit(queue), await submit(queue)];
  await rm(fileOf(gone));
  await writeFile(fileOf(changed), '{"text":"forged"}');
  const before = await samples();
  await submit(queue);
  await claim(queue);
  const after = await samples();

  const grown = (name: string): number => (after[name] ?? 0) - (before[name] ?? 0);
  expect(grown('waybill_payloads_stored_total')).toBe(1);
  expect(grown('waybill_payloads_stored_bytes_total')).toBe(TEXT.length);
  expect(grown('waybill_payloads_read_total')).toBe(2);
  expect(grown('waybill_payloads_read_bytes_total')).toBe(2 * TEXT.length);
  expect(grown('waybill_payload_failures_total{code="PAYLOAD_MISSING"}')).toBe(1);
  expect(grown('waybill_payload_failures_total{code="PAYLOAD_CHANGED"}')).toBe(1);
});

const samples = async () => samplesIn(await (await fetch(`${service.url}/metrics`)).text());

it('deletes by its sweeper what no event names, and counts it', async () => {
  const task = join(folder, '2020-01-01', uuidv7());
  await mkdir(task, { recursive: true });
  await writeFile(join(task, SHA_256), TEXT);

  await service.restart();

  await until('the sweep', async () =>
    (await readdir(join(folder, '2020-01-01')).catch(() => [])).length > 0 ? null : true,
  );
  expect(await samples()).toMatchObject({ waybill_payloads_swept_total: 1 });
});

async function ended(queue: string, days = 0): Promise<string> {
  const id = await submit(queue);
  await service.waybill.task(id).abort({ reason: 'Not now' });
  await service.pool.query(`update tasks set finished_at = now() - $2 * interval '1 day' where task_id = $1`, [
    id,
    days,
  ]);
  return id;
}

async function erase(subject: ErasureSubject): Promise<void> {
  const { id } = await service.waybill.erase(subject, 'Art. 17');
  await until('the erasure to end', async () => ((await service.waybill.task(id!).get()).finishedAt ? true : null));
}

it('deletes the payloads of an erased task, also one that was replaced, and not the same payload of another', async () => {
  const queue = await queueOf();
  const [erased, other] = [await submit(queue), await submit(queue)];
  await service.waybill.task(erased).amend({ text: 'small' }, { reason: 'It was too large' });
  expect(await filesOf(erased)).toEqual([SHA_256]);
  for (const id of [erased, other]) await service.waybill.task(id).abort({ reason: 'Not now' });

  await erase({ task: erased });

  expect([await filesOf(erased), await filesOf(other)]).toEqual([[], [SHA_256]]);
  expect(await storedEvents(erased)).not.toContain(SHA_256);
});

it('deletes the payloads of the tasks that a purge erases, and of no others', async () => {
  const queue = await queueOf();
  const [old, young] = [await ended(queue, 91), await ended(queue, 89)];

  await erase({ queue, endedBefore: '90d' });

  expect([await filesOf(old), await filesOf(young)]).toEqual([[], [SHA_256]]);
  expect(await storedEvents(old)).not.toContain(SHA_256);
});

it('deletes the payloads of the tasks whose contents expire, and of no others', async () => {
  const queue = await queueOf();
  const [old, young] = [await ended(queue, 31), await ended(queue, 29)];

  await service.waybill.queue(queue).define({ payloadsOutsideAboveBytes: 1_024, expireDays: 30 }, { replace: true });

  await until('the contents to expire', async () => ((await filesOf(old)).length === 0 ? true : null));
  expect(await filesOf(young)).toEqual([SHA_256]);
});
