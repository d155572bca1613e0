import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LogView, TaskProof } from '@waybill/client';
import { createPrivateKey } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { main } from '../../../packages/cli/src/index.js';
import { nextKeyIn, parseCheckpoint } from '../../../src/domain/seals/checkpoint.js';
import { noteText, parseNote } from '../../../src/domain/seals/note.js';
import { noteKey, parseVerifierKey, verifierKey } from '../../../src/domain/seals/note-key.js';
import { logSignature } from '../../../src/domain/seals/signers.js';
import { sha256, signWith } from '../../../src/infrastructure/notary/node-signing.js';
import { verifyLog } from '../../../src/maintenance/verify-log.js';
import { verifyProof } from '../../../src/maintenance/verify-proof.js';
import { configFor, isElsewhere, type RunningService, startService } from '../../support/running-service.js';
import { environmentOf } from '../../support/subject-keys.js';
import { TestWitness } from '../../support/test-witness.js';
import { signingKey } from '../../support/tree-hashing.js';
import { until } from '../../support/until.js';

const OPTIONS = isElsewhere ? { private: true } : {};
const REASON = 'a copy of key.pem was found\non another machine';

describe('a log whose key somebody retired', () => {
  let service: RunningService;
  let witness: TestWitness;
  let folder: string;
  let before: LogView;
  let after: LogView;
  let proof: TaskProof;
  /** What a thief has: the secret key, from before it was retired. */
  let stolen: string;
  /** The files that were kept: keys by the numbers of their logs, and seals. */
  const kept: Record<'key1' | 'key2' | 'early' | 'last' | 'late', string> = {} as never;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waybill-new-keys-'));
    witness = await TestWitness.start('w.example');
    service = await startService({ notaryDir: join(folder, 'notary'), witnesses: [witness.options] });
    const { waybill } = service;
    await until('a notary', async () => (await waybill.log.get()).key);
    await waybill.queue('mail').define();
    const { id } = await waybill.queue('mail').enqueue('early');
    proof = await waybill.task(id).proof(OPTIONS);
    before = await waybill.log.get();
    stolen = await readFile(join(folder, 'notary/key.pem'), 'utf8');
    // The thief leaves a key of theirs in the place of the next one.
    await writeFile(join(folder, 'notary/key.2.pem'), stolen);
    const { position } = await service.as('ann').log.newKey(before.name!, REASON);
    await waybill.queue('mail').enqueue('late');
    after = await until('the next log', async () => {
      const log = await waybill.log.get();
      return log.name !== before.name && log.seal && BigInt(log.seal.position) > BigInt(position!) ? log : null;
    });
    kept.key1 = await file('key1', before.key!);
    kept.key2 = await file('key2', after.key!);
    kept.early = await file('early', before.seal!.note);
    kept.last = await file('last', after.before!.note);
    kept.late = await file('late', after.seal!.note);
  });
  afterAll(async () => {
    await service.stop();
    witness.stop();
    await rm(folder, { recursive: true });
  });

  async function file(name: string, content: string): Promise<string> {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  }

  async function run(...args: readonly string[]) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const said = Promise.all([text(stdout), text(stderr)]);
    const out = stdout as unknown as NodeJS.WriteStream;
    const env = { WAYBILL_URL: service.url, ...environmentOf(configFor(service.databaseUrl)) };
    const code = await main([...args], { stdin: Readable.from([]), stdout: out, stderr, env, verifyLog, verifyProof });
    stdout.end();
    stderr.end();
    const [printed, told] = await said;
    return { code, out: printed, err: told };
  }

  const verify = (key: string, ...seals: readonly string[]) =>
    run('verify', '--key', key, ...seals.flatMap((seal) => ['--seal', seal]));

  /** A seal that the thief signed, of what a right one says, or of another log. */
  function forged(seal: string, change: (text: string) => string): string {
    const changed = change(parseNote(seal).text);
    const key = parseVerifierKey(before.key!, sha256);
    const signature = logSignature(key, changed, signWith(createPrivateKey(stolen)));
    return noteText({ text: changed, signatures: [signature] });
  }

  it('H-41 goes on under the next name and a new key, which the last seal under the old one names', async () => {
    expect(after.name).toBe(`${before.name!}/2`);
    expect(after.before).toMatchObject({ name: before.name, why: 'newKey', by: 'ann', reason: REASON });
    const last = parseNote(after.before!.note);
    expect(nextKeyIn(last.text)).toBe(after.key);
    expect(last.signatures.map(({ name }) => name)).toEqual([before.name, 'w.example']);
    expect(parseVerifierKey(after.key!, sha256).publicKey).not.toEqual(parseVerifierKey(before.key!, sha256).publicKey);
    expect(await readFile(join(folder, 'notary/key.1.pub'), 'utf8')).toBe(`${before.key!}\n`);
    expect(await readFile(join(folder, 'notary/key.pem'), 'utf8')).not.toBe(stolen);
    expect(await service.waybill.log.keys()).toMatchObject([
      { name: before.name, key: before.key, end: { why: 'newKey', size: parseCheckpoint(last.text).size, by: 'ann' } },
      { name: after.name, key: after.key, end: null },
    ]);
  });

  it('H-41 has a last seal up to the event that retires the key, and none under the old key after it', async () => {
    const { position, size } = after.before!;
    const notes = [];
    for await (const seal of service.waybill.log.seals()) notes.push(seal);
    const own = notes.filter(({ note }) => note.startsWith(`${before.name!}\n`));
    expect(own[0]).toMatchObject({ size, position });
    expect(own.slice(1).every((one) => BigInt(one.position) < BigInt(position))).toBe(true);
  });

  it('H-41 keeps its proofs under the old key, and the seals under each', async () => {
    expect(verifyProof(JSON.stringify(proof), before.key!)).toMatchObject({ log: before.name });
    expect(await verify(kept.key1, kept.early, kept.last)).toMatchObject({ code: 0, out: '' });
    expect(await verify(kept.key2, kept.late)).toMatchObject({ code: 0, out: '' });
  });

  it('tells verifiers of the next key, and takes its seals with the last seal of the old key only', async () => {
    const { code, err } = await verify(kept.key1, kept.last, kept.late);
    expect([code, err]).toEqual([0, expect.stringContaining(`the key that comes next: ${after.key!}`)]);
    expect(await verify(kept.key1, kept.early, kept.late)).toMatchObject({ code: 2 });
    expect(await verify(kept.key2, kept.late, kept.early)).toMatchObject({ code: 2 });
  });

  it('takes no next key from a seal that the old key did not sign, and no seal of a log from the key of another', async () => {
    const { publicKey, sign } = signingKey();
    const named = (name: string) => noteKey(name, 'log', publicKey, sha256);
    const thief = named(after.name!);
    const signedBy = (said: string, key = thief) =>
      noteText({ text: said, signatures: [logSignature(key, said, sign)] });
    const last = parseNote(after.before!.note).text;
    const forgedLast = await file('thief-last', signedBy(last.replace(/next .*/, `next ${verifierKey(thief)}`)));
    const forgedLate = await file('thief-late', signedBy(parseNote(after.seal!.note).text));
    expect(await verify(kept.key1, forgedLast, forgedLate)).toMatchObject({ code: 2 });
    expect(await verify(kept.key1, kept.last, forgedLate)).toMatchObject({ code: 2 });
    expect(await verify(kept.key1, kept.last, forgedLast)).toMatchObject({ code: 2 });
    // A key of the name of the old log itself.
    const same = named(before.name!);
    const own = signedBy(last.replace(/next .*/, `next ${verifierKey(same)}`), same);
    expect(await verify(kept.key1, await file('thief-own', own))).toMatchObject({ code: 2 });
    // The right next key signs for its own log only.
    const [secret, key] = [
      await readFile(join(folder, 'notary/key.pem'), 'utf8'),
      parseVerifierKey(after.key!, sha256),
    ];
    const said = parseNote(before.seal!.note).text;
    const late = noteText({ text: said, signatures: [logSignature(key, said, signWith(createPrivateKey(secret)))] });
    expect(await verify(kept.key1, kept.last, await file('late-for-early', late))).toMatchObject({ code: 2 });
  });

  it('says who retired the key, in one line, to whoever verifies the next log', async () => {
    const { err } = await verify(kept.key2, kept.late);
    const { position } = after.before!;
    expect(err).toContain(
      `This log goes on after a new key that ann ordered at position ${position}: a copy of key.pem was found ⏎ on another machine. Verify the one before, '${before.name!}', with its own key and seals.\n`,
    );
    expect((await verify(kept.key1, kept.early)).err).not.toContain('goes on after');
  });

  it('shows what the stolen key signed beyond the end', async () => {
    const seal = forged(after.seal!.note, (said) => said.replace(after.name!, before.name!));
    const { code, out } = await verify(kept.key1, await file('beyond', seal));
    const { position, size } = after.before!;
    expect([code, out]).toEqual([
      1,
      `KEY_RETIRED at ${position}: the key of '${before.name!}' was retired here and signs no more than ${size} leaves, but this was sealed:\n${seal}\n`,
    ]);
  });

  it('tells of a seal whose text steers a terminal, without a character that does', async () => {
    const seal = forged(
      after.seal!.note,
      (said) => `${said.replace(after.name!, before.name!)}\u009b2K\u009b1A all is well\n`,
    );
    const { code, out } = await verify(kept.key1, await file('steering', seal));
    expect([code, out]).toEqual([1, expect.stringContaining('\n�2K�1A all is well\n')]);
  });

  it('shows what the stolen key signed in place of what the log says', async () => {
    const root = Buffer.alloc(32).toString('base64');
    const seal = forged(after.before!.note, (said) => said.replace(/\n[^\n]{44}\n/, `\n${root}\n`));
    expect((await verify(kept.key1, await file('other', seal))).out).toMatch(/^CONFLICT: the first /);
  });

  it('shows two last seals that name different keys', async () => {
    const seal = forged(after.before!.note, (said) => said.replace(/next .*/, `next ${before.key!}`));
    const { code, out } = await verify(kept.key1, kept.last, await file('last-too', seal));
    expect([code, out]).toEqual([1, expect.stringMatching(/^CONFLICT: two last seals name different keys /)]);
  });

  it('is listed and retired by the command line, once', async () => {
    const { out } = await run('log', 'keys');
    expect(out).toContain(`${before.key!}  ended with ${after.before!.size} leaves: ann retired its key at `);
    expect(out).toContain(`${after.key!}  in use`);
    expect((await run('log')).out).toContain('ann retired its key at');
    expect(await run('log', 'new-key', '--log', before.name!, '--reason', 'again')).toMatchObject({ code: 0 });
    expect(await service.waybill.log.keys()).toHaveLength(2);
    const refused = service.waybill.log.newKey('waybill/other', 'why');
    await expect(refused).rejects.toMatchObject({ code: 'LOG_NOT_SEALED' });
  });

  it('goes on after a restart', async () => {
    await service.restart();
    const { position } = await service.waybill.queue('mail').enqueue('later');
    const sealed = await until('a seal', async () => {
      const { seal } = await service.waybill.log.get();
      return seal && BigInt(seal.position) >= BigInt(position) ? seal : null;
    });
    expect(await verify(kept.key2, kept.late, await file('later', sealed.note))).toMatchObject({ code: 0 });
  });
});
