import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ClaimedTask } from '@waybill/client';
import { evidenceIn, evidencePage } from '@waybill/client/evidence-page';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { uuidv7 } from 'uuidv7';
import { main } from '../../../packages/cli/src/index.js';
import { digestOf } from '../../../src/application/kernel/payload-store.port.js';
import { verifyExport } from '../../../src/maintenance/verify-export.js';
import { verifyProof } from '../../../src/maintenance/verify-proof.js';
import { erased } from '../../support/erased.js';
import { isElsewhere, type RunningService, startService } from '../../support/running-service.js';
import { erasing } from '../../support/subject-keys.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';

// What reads payloads, beside the claims of workers, with payloads that are outside the log.

const LARGE = { text: 'quetzal '.repeat(500), of: 'a customer' };
const OTHER = { text: 'toucan '.repeat(500), of: 'another' };
const SHA_256 = digestOf(JSON.stringify(LARGE));
const OTHER_SHA_256 = digestOf(JSON.stringify(OTHER));

let service: RunningService;
let root: string;
let folder: string;
let key: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'waybill-readers-'));
  folder = join(root, 'payloads');
  key = join(root, 'keys/key.pub');
  await mkdir(folder);
  service = await startService({ payloadStore: folder, notaryDir: join(root, 'keys'), ...erasing() });
  await until('a notary', async () => (await service.waybill.log.get()).key);
});
afterAll(async () => {
  await service.stop();
  await rm(root, { recursive: true });
});

let queues = 0;
async function queueOf(more: object = {}) {
  const queue = service.waybill.queue(`read-${++queues}`);
  await queue.define({ payloadsOutsideAboveBytes: 1_024, ...more });
  return queue;
}
type Queue = Awaited<ReturnType<typeof queueOf>>;

const claim = (queue: Queue) => queue.claim({ worker: 'w1', max: 5, waitMs: 10_000 });

/** The digests of the objects of a task. */
async function digestsOf(task: string): Promise<string[]> {
  const [day] = (await readdir(folder)).filter((name) => name !== 'log');
  return (await readdir(join(folder, day!, task)).catch(() => [])).sort();
}

async function fileOf(task: string, sha256 = SHA_256): Promise<string> {
  const [day] = (await readdir(folder)).filter((name) => name !== 'log');
  return join(folder, day!, task, sha256);
}

const ended = (id: string | null) =>
  until('the operation to end', async () => ((await service.waybill.task(id!).get()).finishedAt ? true : null));

async function run(...args: readonly string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = Promise.all([buffer(stdout), text(stderr)]);
  const env = { WAYBILL_URL: service.url };
  const streams = { stdin: Readable.from([]), stdout: stdout as unknown as NodeJS.WriteStream, stderr };
  const code = await main([...args], { ...streams, env, verifyProof, verifyExport });
  for (const stream of [stdout, stderr]) stream.end();
  const [out, err] = await said;
  return { code, out, err };
}

it('gives a job the payloads of its items, and leaves out one whose payload is gone, which fails', async () => {
  const [items, robots] = [await queueOf(), await queueOf()];
  const [kept, gone] = [await items.enqueue(LARGE), await items.enqueue(LARGE)];
  await service.waybill
    .trigger(`poll-${items.name}`)
    .define({ queue: items.name, batchSize: 10, every: 3_600, task: { queue: robots.name } });
  await until('the items to be claimed', async () =>
    (await service.waybill.task(gone.id).get()).state === 'running' ? true : null,
  );
  await rm(await fileOf(gone.id));

  const [job] = await claim(robots);

  expect(job!.items).toMatchObject([{ taskId: kept.id, payload: LARGE }]);
  expect(await service.waybill.task(gone.id).get()).toMatchObject({
    state: 'failed',
    error: { message: expect.stringContaining('PAYLOAD_MISSING') },
  });
});

it('gives the copies of a batch that runs again payloads of their own', async () => {
  const queue = await queueOf({ onFailure: 'fail' });
  const plan = service.waybill.planBatch({ name: 'scans', reRunReporting: 'rerun-batch' });
  plan.add(queue.name, LARGE);
  const batch = await plan.submit();
  const [{ taskId, token }] = (await claim(queue)) as [ClaimedTask];
  const error = { message: 'no paper', class: 'business' } as const;
  await service.waybill.settle([{ taskId, token, verdict: { type: 'fail', error } }]);
  await until('the batch to fail', async () => ((await batch.get()).state === 'failed' ? true : null));

  await batch.rerun();

  const [copy] = await claim(queue);
  expect(copy).toMatchObject({ payload: LARGE });
  expect(copy!.taskId).not.toBe(taskId);
  expect(await digestsOf(copy!.taskId)).toEqual([SHA_256]);
});

it('gives tasks that an operation runs again payloads of their own, also in a queue that keeps them in the log', async () => {
  const [queue, small] = [await queueOf(), await queueOf({ payloadsOutsideAboveBytes: null })];
  const { id } = await queue.enqueue(LARGE);
  await service.waybill.task(id).abort({ reason: 'Not now' });

  for (const to of [queue, small]) {
    const order = { reason: 'Now', again: { queue: to.name } };
    await ended((await service.waybill.operate('runAgain', { tasks: [id] }, order)).id);
    const [again] = await claim(to);
    expect(again).toMatchObject({ payload: LARGE });
    expect(await digestsOf(again!.taskId)).toEqual(to === queue ? [SHA_256] : []);
    const { taskId, token } = again!;
    await service.waybill.settle([{ taskId, token, verdict: { type: 'succeed' } }]);
  }
});

it('gives a task that an undo brings back the payload that it had', async () => {
  const queue = await queueOf();
  const { id } = await queue.enqueue(LARGE);
  const { id: operation } = await service.waybill.operate('abort', { tasks: [id] }, { reason: 'a mistake' });
  await ended(operation);

  await ended((await service.waybill.undo(operation!, { reason: 'it was one' })).id);

  expect(await claim(queue)).toMatchObject([{ taskId: id, payload: LARGE }]);
});

it('gives the task that waits for a key the payload of a duplicate that replaces its own', async () => {
  const queue = await queueOf({ duplicatePending: 'replace-payload' });
  const { id } = await queue.enqueue(LARGE, { key: 'k' });

  const again = await queue.enqueue(OTHER, { key: 'k' });

  expect(again).toMatchObject({ id, status: 'replaced' });
  expect(await digestsOf(id)).toEqual([SHA_256, OTHER_SHA_256].sort());
  expect(await claim(queue)).toMatchObject([{ taskId: id, payload: OTHER }]);
});

it('gives a claim that is repeated the same payload', async () => {
  const queue = await queueOf();
  const { id } = await queue.enqueue(LARGE);
  const claimId = uuidv7();
  const claimed = () => queue.claim({ worker: 'w1', waitMs: 0, claimId });

  const [first, second] = [await claimed(), await claimed()];

  expect([first, second]).toMatchObject([[{ taskId: id, payload: LARGE }], [{ taskId: id, payload: LARGE }]]);
  expect(second[0]!.token).toBe(first[0]!.token);
});

it('gives the payload of then to whoever asks about a moment before an amendment', async () => {
  const queue = await queueOf();
  const { id } = await queue.enqueue(LARGE);
  const { position } = await service.waybill.task(id).get();

  await service.waybill.task(id).amend(OTHER, { reason: 'It was another' });

  expect(await service.waybill.task(id).payload()).toEqual(OTHER);
  expect(await service.waybill.asOf(position).task(id).payload()).toEqual(LARGE);
  expect((await service.waybill.asOf(position).task(id).get()).payloadOutside).toMatchObject({ sha256: SHA_256 });
});

it('prints a payload outside the log for the command line', async () => {
  const queue = await queueOf();
  const { id } = await queue.enqueue(LARGE);

  const [payload, shown] = [await run('task', 'payload', id), await run('task', 'show', id)];

  expect(JSON.parse(payload.out.toString())).toEqual(LARGE);
  expect(shown.out.toString()).toContain(`outside the log since`);
  expect(shown.out.toString()).toContain(SHA_256);
  expect(shown.out.toString()).not.toContain('quetzal');
});

it('tells neither a payload nor its digest to those who are told of an event', async () => {
  const [queue, told] = [await queueOf(), await queueOf()];
  await service.waybill
    .trigger(`tell-${queue.name}`)
    .define({ event: { types: ['TaskEnqueued'], queue: queue.name }, task: { queue: told.name, payload: {} } });

  const { id } = await queue.enqueue(LARGE);

  const [notice] = await claim(told);
  const said = JSON.stringify(notice!.payload);
  expect(said).toContain(id);
  expect([said.includes('quetzal'), said.includes(SHA_256)]).toEqual([false, false]);
});

it('searches neither a payload that is outside the log nor what stands in its place', async () => {
  const searched = { payloadsOutsideAboveBytes: null, search: ['of'] };
  const [queue] = [await queueOf(searched), await queueOf(searched)];
  const { id } = await queue.enqueue({ of: 'a customer' });
  const { policyVersion } = await queue.get();
  await queue.changePolicy({ payloadsOutsideAboveBytes: 1_024, search: [] }, { ifVersion: policyVersion });
  const found = async (q: string) => (await service.waybill.tasks.page({ q })).items.length;
  expect(await found('payload.of:"a customer"')).toBe(1);

  await service.waybill.task(id).amend(OTHER, { reason: 'It was another' });

  expect([await found('payload.of:"a customer"'), await found('payload.of:another')]).toEqual([0, 0]);
});

it('answers whoever asks for a payload that was erased with none', async () => {
  const queue = await queueOf();
  const { id } = await queue.enqueue(LARGE);

  await erased(service.waybill, { task: id });

  expect(await service.waybill.task(id).payload()).toBeNull();
  expect(await service.waybill.task(id).get()).toMatchObject({ payload: null });
  expect(await digestsOf(id)).toEqual([]);
});

it('refuses the payload of a task that nobody enqueued', async () => {
  const { code } = await refusalOf(service.waybill.task('0193a000-0000-7000-8000-000000000000').payload());

  expect(code).toBe('TASK_NOT_FOUND');
});

/** In EventStoreDB, a proof has the private halves or is none. */
const HALVES = isElsewhere ? [{ options: ['--private'] }] : [{ options: ['--private'] }, { options: [] }];

it.each(HALVES)(
  'proves by its digest a payload, which no proof and no evidence has, with $options',
  async ({ options }) => {
    const queue = await queueOf();
    const { id } = await queue.enqueue(LARGE);
    const [page, proof] = [join(root, 'evidence.html'), join(root, 'task.proof')];

    await run('evidence', 'task', id, '-o', page, ...options);
    await writeFile(proof, (await run('task', 'proof', id, ...options)).out);

    for (const file of [page, proof]) {
      const written = await readFile(file, 'utf8');
      expect([written.includes('quetzal'), written.includes(SHA_256)]).toEqual([false, options.length > 0]);
      expect(await run('verify', file, '--key', key)).toMatchObject({ code: 0 });
    }
    // What the proof names is what the store has, so whoever has the object can prove it, too.
    expect(digestOf(await readFile(await fileOf(id)))).toBe(SHA_256);
  },
);

it('does not verify a page of evidence with the digest of another payload', async () => {
  const queue = await queueOf();
  const { id } = await queue.enqueue(LARGE);
  const page = (await run('evidence', 'task', id, '--private')).out.toString();
  const given = join(root, 'given.html');
  await writeFile(given, evidencePage(JSON.parse(JSON.stringify(evidenceIn(page)).replaceAll(SHA_256, OTHER_SHA_256))));

  expect(await run('verify', given, '--key', key)).toMatchObject({ code: 1 });
});

it('exports the digest of a payload with the private halves, and not the payload, and the export verifies', async () => {
  const queue = await queueOf();
  const { id } = await queue.enqueue(LARGE);
  await service.waybill.task(id).proof({ private: true });
  const file = join(root, 'log.gz');

  const { out } = await run('log', 'export', '--private', '--queue', queue.name);
  await writeFile(file, out);

  const exported = gunzipSync(out).toString();
  expect([exported.includes('quetzal'), exported.includes(SHA_256)]).toEqual([false, true]);
  expect(await run('verify', file, '--key', key)).toMatchObject({ code: 0 });
});

it.each(['events', 'csv', 'ocel2', 'xes', 'prov', 'openlineage', 'cloudevents'])(
  'exports no payload that is outside the log as %s',
  async (format) => {
    const queue = await queueOf();
    await queue.enqueue(LARGE);
    await claim(queue);

    const { code, out } = await run('log', 'export', '--format', format, '--private', '--queue', queue.name);

    expect([code, out.toString().includes('quetzal')]).toEqual([0, false]);
    expect(out.length).toBeGreaterThan(0);
  },
);
