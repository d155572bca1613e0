import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Evidence, evidenceIn, evidencePage } from '@waybill/client/evidence-page';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifiedEvidence } from '../../packages/cli/src/commands/verify-evidence.js';
import { verifyProof } from '../../src/maintenance/verify-proof.js';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

/** For each version of the page, a folder with the key of a log and pages with proofs from it. */
const FOLDER = import.meta.dirname;
const NEWEST = join(FOLDER, '2');

/** What a page shows otherwise than it is written. */
const STRANGE = `<b>&"'\n\t\u202e\u2028ä🙂`;
/** The page shows its beginning only. */
const LONG = `${STRANGE} ${'long '.repeat(600)}`;

/** Written once, and never again: somebody else has such pages. */
async function write(): Promise<void> {
  const keys = await mkdtemp(join(tmpdir(), 'waybill-golden-'));
  const service = await startService({ notaryDir: keys });
  try {
    await until('a notary', async () => (await service.waybill.log.get()).key);
    const pages = await pagesOf(service);
    await mkdir(NEWEST, { recursive: true });
    await copyFile(join(keys, 'key.pub'), join(NEWEST, 'key.pub'));
    for (const [name, page] of Object.entries(pages)) await writeFile(join(NEWEST, `${name}.html`), page);
  } finally {
    await service.stop();
    await rm(keys, { recursive: true });
  }
}

async function pagesOf({ waybill }: RunningService): Promise<Readonly<Record<string, string>>> {
  const mail = waybill.queue('mail');
  await mail.define({ retry: { maxAttempts: 1 } });
  const { id: batch } = await waybill.createBatch({ name: STRANGE });
  const enqueued = await mail.enqueueMany(Array.from({ length: 3 }, (_, n) => ({ payload: { n, text: LONG }, batch })));
  const [task] = enqueued.map((one) => ('id' in one ? one.id : ''));
  await waybill.batch(batch).open(3);
  await waybill.task(task!).hold({ reason: STRANGE });
  await waybill.task(task!).release();
  await waybill.task(task!).amend({ text: LONG }, { reason: 'soon' });
  const claimed = await mail.claim({ worker: 'w-1', build: '1.0', max: 3 });
  const error = { message: `no paper ${STRANGE}`, class: 'business' } as const;
  await waybill.settle(claimed.map(({ taskId, token }) => ({ taskId, token, verdict: { type: 'fail', error } })));
  const group = await until('a failure group', async () => {
    for await (const one of waybill.failures.list()) if (one.failedTasks === 3) return one.id;
    return null;
  });
  // So that numbers have groups of digits.
  for (let n = 0; n < 1_000; n++) await mail.enqueue(n);
  return {
    task: await waybill.evidence({ task: task! }),
    'private-task': await waybill.evidence({ task: task! }, { private: true }),
    'part-of-a-batch': await waybill.evidence({ batch }, { tasks: 2 }),
    group: witnessed(await waybill.evidence({ group }, { private: true })),
  };
}

/** With the name of a witness in each seal. */
function witnessed(page: string): string {
  const evidence = evidenceIn(page)!;
  const proofs = evidence.proofs.map((proof) => ({
    ...proof,
    segments: proof.segments.map((one) => ({ ...one, proof: `${one.proof}— auditors.example AAAAAAAA\n` })),
  }));
  return evidencePage({ ...evidence, proofs } satisfies Evidence);
}

describe('a page of evidence that somebody has', () => {
  beforeAll(async () => {
    if (process.env.GOLDEN === 'write' && !existsSync(NEWEST)) await write();
  });

  it('verifies for ever, whatever words an event has in lists by now', async () => {
    const verified: string[] = [];
    for (const version of (await readdir(FOLDER)).filter((name) => /^\d+$/.test(name))) {
      const key = (await readFile(join(FOLDER, version, 'key.pub'), 'utf8')).trim();
      for (const name of (await readdir(join(FOLDER, version))).filter((file) => file.endsWith('.html'))) {
        const page = await readFile(join(FOLDER, version, name), 'utf8');
        const { tasks } = await verifiedEvidence(page, (proof) => verifyProof(proof, key));
        verified.push(`${version}/${name}: ${tasks.map(({ events }) => events.length).join()}`);
      }
    }
    expect(verified).toEqual([
      '2/group.html: 7,4,4',
      '2/part-of-a-batch.html: 7,4',
      '2/private-task.html: 7',
      '2/task.html: 7',
    ]);
  });
});
