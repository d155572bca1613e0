import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createWaybill, type TaskProof, type Waybill, type WaybillError } from '@waybill/client';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { main } from '../../../packages/cli/src/index.js';
import { type ApiKey, PERMISSIONS } from '../../../src/api/access/api-keys.js';
import { verifyProof } from '../../../src/maintenance/verify-proof.js';
import { isElsewhere, type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';

/** In EventStoreDB, a proof has the private halves or is none. */
const OPTIONS = isElsewhere ? { private: true } : {};

const keyOf = (name: string, may: ApiKey['may']): ApiKey => ({
  name,
  may,
  sha256: createHash('sha256').update(`wb_${name}`).digest('hex'),
});
const KEYS = [keyOf('boss', [...PERMISSIONS]), keyOf('mailer', ['read:mail'])];

describe('a proof of a task', () => {
  let service: RunningService;
  let folder: string;
  let own: string;
  let other: string;
  let boss: Waybill;
  let sealedBefore: number;
  let proof: TaskProof;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waybill-proof-'));
    service = await startService({ notaryDir: join(folder, 'keys'), apiKeys: KEYS });
    boss = as('boss');
    await until('a notary', async () => (await boss.log.get()).key);
    const queue = boss.queue('mail');
    await queue.define();
    const first = await queue.enqueue('first');
    await boss.task(first.id).proof(OPTIONS);
    sealedBefore = (await boss.log.get()).seal!.size;
    const items = await queue.enqueueMany([{ payload: 'mine-secret' }, { payload: 'theirs-secret' }]);
    [own, other] = items.map((item) => (item as { id: string }).id) as [string, string];
    await boss.task(own).prioritise(3);
    proof = await boss.task(own).proof(OPTIONS);
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  const as = (name: string): Waybill => createWaybill({ url: service.url, apiKey: `wb_${name}` });

  async function run(...args: readonly string[]) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const said = Promise.all([text(stdout), text(stderr)]);
    const out = stdout as unknown as NodeJS.WriteStream;
    const env = { WAYBILL_URL: service.url, WAYBILL_API_KEY: 'wb_boss' };
    const code = await main([...args], { stdin: Readable.from([]), stdout: out, stderr, env, verifyProof });
    stdout.end();
    stderr.end();
    const [printed, told] = await said;
    return { code, out: printed, err: told };
  }
  async function verified(given: object | string, key = join(folder, 'keys/key.pub')) {
    const file = join(folder, 'task.proof');
    await writeFile(file, typeof given === 'string' ? given : JSON.stringify(given));
    return run('verify', file, '--key', key);
  }
  const changed = (change: (segment: TaskProof['segments'][number]) => object, of = proof): object => ({
    ...of,
    segments: of.segments.map((segment, at) => (at === 0 ? { ...segment, ...change(segment) } : segment)),
  });

  it('H-45 answers with the next seal when it is asked for at once after the submission', async () => {
    const seal = proof.segments[0]!.proof.split('\n\n')[1]!;
    expect(Number(seal.split('\n')[1])).toBeGreaterThan(sealedBefore);
    expect(proof).toMatchObject({ format: 'waybill-proof', version: 1, task: own, truncated: false });
  });

  it('cannot be looked at with what is no key, which is no fault of the proof', async () => {
    const file = join(folder, 'none.pub');
    await writeFile(file, 'none');
    expect(await verified(proof, file)).toMatchObject({ code: 2, err: expect.stringContaining('an Ed25519 key') });
  });

  it('H-43 verifies without a service by waybill verify, and by the commands of the guide alone', async () => {
    const { code, out, err } = await verified(proof);
    expect([code, out.trim().split('\n')]).toEqual([
      0,
      [expect.stringMatching(/^\d+ .*  TaskEnqueued/), expect.stringMatching(/^\d+ .*  TaskReprioritised/)],
    ]);
    expect(err).toMatch(/^Verified 2 events of the task .+: in the log 'waybill\/.+' of \d+ leaves\./);
    const to = join(folder, 'parts');
    expect(await run('task', 'proof', own, '--to', to, ...(isElsewhere ? ['--private'] : []))).toMatchObject({
      code: 0,
    });
    await copyFile(join(folder, 'keys/key.pub'), join(to, 'key.pub'));
    const bash = () => spawnSync('bash', ['-c', COMMANDS], { cwd: to, encoding: 'utf8' });
    expect(bash()).toMatchObject({ status: 0, stdout: 'Signature Verified Successfully\n'.repeat(2) });
    for (const [file, from, into] of [
      ['1.text', 'TaskEnqueued', 'TaskDeleted'],
      ['2.leaf', 'waybill 1', 'waybill 2'],
      ['1.proof', '\nwaybill/', '\nwaybull/'],
    ] as const) {
      const before = readFileSync(join(to, file), 'utf8');
      await writeFile(join(to, file), before.replace(from, into));
      expect([file, bash().status]).toEqual([file, 1]);
      await writeFile(join(to, file), before);
    }
  });

  it('the commands of the guide run nothing that stands in a proof', async () => {
    const to = join(folder, 'attack');
    await run('task', 'proof', own, '--to', to, ...(isElsewhere ? ['--private'] : []));
    await copyFile(join(folder, 'keys/key.pub'), join(to, 'key.pub'));
    const file = join(to, '1.proof');
    const before = readFileSync(file, 'utf8');
    for (const [from, into] of [
      [/^index \d+$/m, 'index a[$(touch index.ran)]'],
      [/^(waybill\/.+\n)\d+$/m, '$1a[$$(touch size.ran)]'],
    ] as const) {
      await writeFile(file, before.replace(from, into));
      expect(spawnSync('bash', ['-c', COMMANDS], { cwd: to }).status).not.toBe(0);
    }
    expect((await readdir(to)).filter((name) => name.endsWith('.ran'))).toEqual([]);
  });

  it('H-44 has no private half of another task, its own only if asked for, and fails with a changed payload', async () => {
    const whole = await boss.task(own).proof({ private: true });
    expect(JSON.stringify(whole)).toContain('mine-secret');
    expect(JSON.stringify(whole)).not.toContain('theirs-secret');
    if (isElsewhere) {
      const refused = (await boss
        .task(own)
        .proof()
        .catch((error: unknown) => error)) as WaybillError;
      expect(refused).toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining("'private=true'") });
    } else {
      expect(JSON.stringify(proof)).not.toContain('mine-secret');
      expect(proof.segments[0]!.text).toContain(other);
      expect((await verified(whole)).out).toContain('TaskEnqueued  with its private half');
      expect(await verified(changed(withCutHalf, whole))).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringContaining('Expected a salt of 16 bytes'),
      });
    }
    const forged = JSON.stringify(whole).replace('mine-secret', 'mine-forged');
    expect(await verified(forged)).toMatchObject({ code: 1, out: '' });
  });

  it('proves nothing once any part of it is changed, taken out or of another task', async () => {
    const theirs = await boss.task(other).proof(OPTIONS);
    const forged: Readonly<Record<string, object>> = {
      text: changed(({ text: was }) => ({ text: was.replace('"mail"', '"post"') })),
      leaf: changed(({ leaf }) => ({ leaf: leaf.replace('waybill 1', 'waybill 0') })),
      'another leaf': changed(() => ({ leaf: proof.segments[1]!.leaf, text: proof.segments[1]!.text })),
      index: changed(({ proof: was }) => ({ proof: was.replace(/^index \d+/m, 'index 0') })),
      size: changed(({ proof: was }) => ({ proof: was.replace(/^(waybill\/.+\n)(\d+)$/m, '$11$2') })),
      'the first segment': { ...proof, segments: proof.segments.slice(1) },
      'an order': { ...proof, segments: proof.segments.toReversed() },
      'another task': { ...theirs, task: '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f' },
      'a half without a commitment': changed(() => ({ private: [{ event: 7, salt: '', half: '{}' }] })),
    };
    for (const [what, given] of Object.entries(forged))
      expect([what, await verified(given)]).toEqual([
        what,
        { code: 1, out: '', err: expect.stringContaining('Expected ') },
      ]);
  });

  it('of the first events alone verifies, and says that there are more', async () => {
    const first = { ...proof, truncated: true, segments: proof.segments.slice(0, 1) };
    const { code, out, err } = await verified(first);
    expect([code, out.trim().split('\n')]).toEqual([0, [expect.stringMatching(/ {2}TaskEnqueued/)]]);
    expect(err).toMatch(/^Verified 1 event of the task .+, which has more: /);
    // Its events are the first ones all the same.
    expect(await verified({ ...first, segments: proof.segments.slice(1) })).toMatchObject({ code: 1 });
  });

  it('is refused as a file that is none, and without the key of the log', async () => {
    for (const given of [
      '',
      '{"format"',
      '[]',
      '{}',
      { ...proof, version: 2 },
      { ...proof, segments: [] },
      { ...proof, segments: [1] },
      changed(() => ({ private: [null] })),
      changed(() => ({ private: [{ event: 0 }] })),
    ])
      expect([given, (await verified(given)).code]).toEqual([given, 2]);
    const key = join(folder, 'other.pub');
    await writeFile(key, 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k');
    expect(await verified(proof, key)).toMatchObject({
      code: 1,
      err: expect.stringContaining('Expected a signature of'),
    });
    expect(await run('verify', join(folder, 'task.proof'))).toMatchObject({ code: 2 });
  });

  it('is for keys that may see all that was appended together', async () => {
    await boss.queue('post').define();
    const [mail, post] = (await boss.enqueueMany([{ queue: 'mail' }, { queue: 'post' }])) as { readonly id: string }[];
    const codeFor = (name: string, { id }: { readonly id: string }) =>
      as(name)
        .task(id)
        .proof(OPTIONS)
        .then(
          () => 'proven',
          ({ code }: WaybillError) => code,
        );
    // In EventStoreDB, what was appended together are texts of their own.
    expect([await codeFor('boss', mail!), await codeFor('mailer', mail!), await codeFor('mailer', post!)]).toEqual([
      'proven',
      isElsewhere ? 'proven' : 'FORBIDDEN',
      'TASK_NOT_FOUND',
    ]);
    expect(
      (await fetch(`${service.url}/v1/log/tlog/checkpoint`, { headers: { authorization: 'Bearer wb_mailer' } })).status,
    ).toBe(403);
  });

  it('is of a task that is there, and of a log that somebody seals', async () => {
    const codeOf = (id: string) =>
      boss
        .task(id)
        .proof(OPTIONS)
        .catch(({ code }: WaybillError) => code);
    expect(await codeOf('019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f')).toBe('TASK_NOT_FOUND');
    expect((await run('log')).out).toContain('not witnessed');
    expect((await run('log', 'seals')).out).toContain(proof.segments[0]!.proof.split('\n\n')[1]!.split('\n')[2]);
    await service.pool.query('truncate notary, seals');
    const [signed] = (await readdir(join(folder, 'keys'))).filter((file) => file.startsWith('signed.'));
    await writeFile(join(folder, 'keys', signed!), 'broken');
    await boss.task(own).prioritise(4);
    expect(await codeOf(own)).toBe('NOT_SEALED');
  });
});

/** The same bytes with another end of the salt: what is left of the half has lost its first character. */
function withCutHalf({ private: [given] }: TaskProof['segments'][number]): object {
  const { event, salt, half } = given!;
  const longer = Buffer.concat([Buffer.from(salt, 'base64'), Buffer.from(half.slice(0, 1))]);
  return { private: [{ event, salt: longer.toString('base64'), half: half.slice(1) }] };
}

/** What the guide shows last. */
const COMMANDS = [
  ...readFileSync(join(import.meta.dirname, '../../../docs/how-to/prove-what-happened-to-a-task.md'), 'utf8').matchAll(
    /```sh\n([\s\S]*?)```/g,
  ),
].at(-1)![1]!;
