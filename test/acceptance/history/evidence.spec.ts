import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { WaybillError } from '@waybill/client';
import { type Evidence, evidenceIn, evidencePage } from '@waybill/client/evidence-page';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { main } from '../../../packages/cli/src/index.js';
import { verifyProof } from '../../../src/maintenance/verify-proof.js';
import { isElsewhere, type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';

/** In EventStoreDB, a proof has the private halves or is none. */
const PRIVATE = isElsewhere ? ['--private'] : [];

/** Ends a script, an attribute and a comment, and would do something. */
const ATTACK = `</script></style>--><script>alert(1)</script><img src=x onerror="alert('2')">&lt;\u2028\u202e`;

describe('a page of evidence', () => {
  let service: RunningService;
  let folder: string;
  let key: string;
  let task: string;
  let batch: string;
  let group: string;
  let page: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waybill-evidence-'));
    key = join(folder, 'keys/key.pub');
    service = await startService({ notaryDir: join(folder, 'keys') });
    const { waybill } = service;
    await until('a notary', async () => (await waybill.log.get()).key);
    const mail = waybill.queue('mail');
    await mail.define({ retry: { maxAttempts: 1 } });
    ({ id: batch } = await waybill.createBatch({ name: ATTACK }));
    const members = Array.from({ length: 3 }, (_, n) => ({ payload: `secret ${n}`, batch }));
    await mail.enqueueMany(members);
    await waybill.batch(batch).open(3);
    await fail();
    ({ id: task } = await mail.enqueue({ [ATTACK]: `secret ${ATTACK}` }, { description: ATTACK, priority: 9 }));
    await waybill.task(task).hold({ reason: ATTACK });
    page = await written('task', task, ...PRIVATE);
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  /** Two tasks of the batch fail with the same cause. */
  async function fail(): Promise<void> {
    const claimed = await service.waybill.queue('mail').claim({ worker: 'w1', max: 2 });
    const error = { message: `no paper ${ATTACK}`, class: 'business' } as const;
    await service.waybill.settle(
      claimed.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'fail', error } })),
    );
    group = await until('a group of both', async () => {
      for await (const one of service.waybill.failures.list()) if (one.failedTasks === 2) return one.id;
      return null;
    });
  }

  async function run(...args: readonly string[]) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const said = Promise.all([text(stdout), text(stderr)]);
    const out = stdout as unknown as NodeJS.WriteStream;
    const env = { WAYBILL_URL: service.url };
    const code = await main([...args], { stdin: Readable.from([]), stdout: out, stderr, env, verifyProof });
    stdout.end();
    stderr.end();
    const [printed, told] = await said;
    return { code, out: printed, err: told };
  }
  async function written(...args: readonly string[]): Promise<string> {
    const file = join(folder, 'evidence.html');
    const { code, err } = await run('evidence', ...args, '-o', file);
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('waybill verify') });
    return readFile(file, 'utf8');
  }
  async function verified(content: string) {
    const file = join(folder, 'given.html');
    await writeFile(file, content);
    return run('verify', file, '--key', key);
  }
  const forged = (change: Partial<Evidence>, of = page): string => evidencePage({ ...evidenceIn(of)!, ...change });

  it('shows what happened to a task, and verifies', async () => {
    const { code, out, err } = await verified(page);
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining(`Verified 2 events of the task ${task}`) });
    expect(out).toMatch(/TaskEnqueued[^]*TaskHeld/);
    expect(page).toMatch(/Task enqueued[^]*Task held/);
    expect(page).toContain('What it does not prove');
    expect(page).toContain('npx waybill verify FILE');
    expect(page.includes('secret')).toBe(isElsewhere);
    expect(Date.parse(evidenceIn(page)!.madeAt)).toBeGreaterThan(Date.parse('2026-01-01'));
    expect(page.includes('Description')).toBe(isElsewhere);
    const whole = await written('task', task, '--private');
    expect(whole).toContain('secret');
    expect((await verified(whole)).code).toBe(0);
    const { out: printed } = await run('evidence', 'task', task, ...PRIVATE);
    expect((await verified(printed)).code).toBe(0);
  });

  it('loads nothing and runs nothing, whatever texts it shows', async () => {
    const pages = [
      page,
      await written('task', task, '--private'),
      await written('batch', batch, '--private'),
      await written('group', group, '--private'),
    ];
    for (const one of pages) {
      const tags = Array.from(one.matchAll(/<(?!\/)([a-z][\w-]*)/gi), ([, name]) => name!.toLowerCase());
      expect(
        tags.filter((name) => ['script', 'img', 'link', 'iframe', 'object', 'base', 'form'].includes(name)),
      ).toEqual(['script']);
      expect(one.match(/<\/script/gi)).toHaveLength(1);
      expect(one).toContain('<script type="application/json" id="evidence">');
      expect(one).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
      const [visible] = one.split('<script');
      for (const [tag] of visible!.matchAll(/<[^>]*>/g)) expect(tag).not.toMatch(/\b(src|href|on\w+)=/i);
      expect(visible).not.toMatch(/url\(|@import/i);
      expect(one).not.toMatch(/[\u2028\u202e]/);
      expect(one).toContain('&lt;/script&gt;');
      expect((await verified(one)).code).toBe(0);
    }
  });

  it('is found changed where any character was changed', async () => {
    for (let at = 0; at < page.length; at += 113) {
      const other = page[at] === 'x' ? 'y' : 'x';
      const { code } = await verified(page.slice(0, at) + other + page.slice(at + 1));
      expect([at, code]).not.toEqual([at, 0]);
    }
  });

  it('is found wrong where it shows other words than its proofs, or is of something else', async () => {
    const other = await written('batch', batch, ...PRIVATE);
    const { proofs, about } = evidenceIn(other)!;
    expect(proofs.length).toBe(3);
    const [first] = evidenceIn(page)!.proofs;
    const forgeries: Readonly<Record<string, string>> = {
      'other words': page.replace('Task held', 'Task succeeded'),
      'more words': page.replace('</main>', '<p>And all was well.</p></main>'),
      'another script beside it': page.replace(
        '</body>',
        '<script type="application/json" id="evidence">{}</script></body>',
      ),
      'nothing that it is about': page.replace(/"about":\{.*?\},/, ''),
      'another task': forged({ about: { kind: 'task', id: proofs[0]!.task } }),
      'a task that is not of the batch': forged({ about, tasks: 3, proofs: [...proofs, first!] }, other),
      'a task twice': forged({ proofs: [proofs[0]!, proofs[0]!] }, other),
      'fewer tasks than it has': forged({ tasks: 1 }, other),
      'words as its time': forged({ madeAt: '2026-11-28, VERIFIED by the auditors' }),
      'words as a count': forged({ tasks: '3, all of them paid' as never }, other),
      'words as a failure group': forged({ about: { kind: 'group', id: 'g1, refunded in full' } }),
      'a changed proof': forged({
        proofs: [
          {
            ...first!,
            segments: first!.segments.map((one) => ({
              ...one,
              text: one.text.replace('"priority":9', '"priority":1'),
            })),
          },
        ],
      }),
    };
    for (const [what, content] of Object.entries(forgeries)) {
      const { code, err } = await verified(content);
      expect({ what, code, err }).toEqual({ what, code: 1, err: expect.stringContaining('Expected ') });
    }
    expect((await verified(forged({}))).code).toBe(0);
  });

  it('names witnesses only where it says what it does not prove, because anybody can write them into a seal', async () => {
    const [first] = evidenceIn(page)!.proofs;
    const segments = first!.segments.map((one) => ({ ...one, proof: `${one.proof}— auditors.example AAAAAAAA\n` }));
    const content = forged({ proofs: [{ ...first!, segments }] });
    expect((await verified(content)).code).toBe(0);
    const [proves, doesNot] = content.split('What it does not prove');
    expect(proves).not.toContain('auditors.example');
    expect(doesNot!.split('</section>')[0]).toContain('names as witnesses: auditors.example');
  });

  it('has the first tasks of a batch and of a failure group, and says how many it leaves out', async () => {
    const ofBatch = await written('batch', batch, '--tasks', '2', ...PRIVATE);
    expect(ofBatch).toContain('The page has the first 2 of 3 tasks.');
    expect(await verified(ofBatch)).toMatchObject({
      code: 0,
      err: expect.stringContaining(`2 of 3 tasks, about the batch ${batch}`),
    });
    const ofGroup = await written('group', group, ...PRIVATE);
    expect(ofGroup).not.toContain('Left out:');
    expect(ofGroup).toContain('or that each of these is one');
    expect(await verified(ofGroup)).toMatchObject({ code: 0, err: expect.stringContaining('2 of 2 tasks') });
    for (const [tasks, code] of [
      ['0', 2],
      ['501', 2],
    ] as const)
      expect((await run('evidence', 'batch', batch, '--tasks', tasks)).code).toBe(code);
    await expect(service.waybill.evidence({ batch }, { tasks: 501 })).rejects.toThrow('from 1 to 500, but it is 501');
  });

  it('is refused as something else, and by another key', async () => {
    const refused: readonly (readonly [string, RegExp])[] = [
      ['<!doctype html><p>Hello', /Expected a page of evidence of version 2/],
      [page.replace('"version":2,"about"', '"version":1,"about"'), /Expected a page of evidence of version 2/],
      [page.replace('{"format":"waybill-evidence"', '{"format":'), /Expected a page of evidence of version 2/],
      [forged({}).replace('"proofs":[{', '"proofs":[{"format":"other","x":{'), /Expected a/],
    ];
    for (const [content, says] of refused) {
      const { code, err } = await verified(content);
      expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(says) });
    }
    await writeFile(join(folder, 'other.pub'), 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k');
    await writeFile(join(folder, 'page.html'), page);
    expect((await run('verify', join(folder, 'page.html'), '--key', join(folder, 'other.pub'))).code).toBe(1);
  });

  it('needs a task that is there and a log that is sealed', async () => {
    const none = '01a1fd8f-9c1e-7e0a-8d55-0f5c6b3a7e21';
    expect(await run('evidence', 'task', none)).toMatchObject({ code: 1, out: '' });
    const unsealed = await startService();
    try {
      await unsealed.waybill.queue('mail').define();
      const { id } = await unsealed.waybill.queue('mail').enqueue(1);
      const refusal = await unsealed.waybill
        .evidence({ task: id }, { private: true })
        .catch(({ code }: WaybillError) => code);
      expect(refusal).toBe('NOT_SEALED');
    } finally {
      await unsealed.stop();
    }
  });
});
