import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LogView } from '@waybill/client';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { main } from '../../../packages/cli/src/index.js';
import { parseCheckpoint } from '../../../src/domain/seals/checkpoint.js';
import { parseNote } from '../../../src/domain/seals/note.js';
import { verifierKey } from '../../../src/domain/seals/note-key.js';
import { signersOf } from '../../../src/domain/seals/signers.js';
import { verifySignature } from '../../../src/infrastructure/notary/node-signing.js';
import { verifyCertificate } from '../../../src/maintenance/verify-certificate.js';
import { verifyExport } from '../../../src/maintenance/verify-export.js';
import { verifyLog } from '../../../src/maintenance/verify-log.js';
import { verifyProof } from '../../../src/maintenance/verify-proof.js';
import { samplesIn } from '../../support/both-modes/player.js';
import { configFor, isElsewhere, type RunningService, startService } from '../../support/running-service.js';
import { TestWitness } from '../../support/test-witness.js';
import { until } from '../../support/until.js';

const HOUR_MS = 3_600_000;

describe('a log with two witnesses', () => {
  let service: RunningService;
  let folder: string;
  let near: TestWitness;
  let far: TestWitness;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waybill-witnesses-'));
    [near, far] = await Promise.all([TestWitness.start('near.example'), TestWitness.start('far.example')]);
    service = await startService({ notaryDir: join(folder, 'keys'), witnesses: [near.options, far.options] });
    await service.waybill.queue('mail').define();
  });
  afterAll(async () => {
    await service.stop();
    near.stop();
    far.stop();
    await rm(folder, { recursive: true });
  });

  /** For `waybill verify`. */
  function environment(): NodeJS.ProcessEnv {
    const { databaseUrl, eventStoreUrl, eventStorePrefix } = configFor(service.databaseUrl);
    const store = eventStoreUrl ? { EVENT_STORE_URL: eventStoreUrl, EVENT_STORE_PREFIX: eventStorePrefix } : {};
    return { DATABASE_URL: databaseUrl!, ...store };
  }

  const logOnce = (what: string, passes: (log: LogView) => boolean): Promise<LogView> =>
    until(what, async () => {
      const log = await service.waybill.log.get();
      return passes(log) ? log : null;
    });
  const sealedTo = (position: string, witnesses: readonly string[]): Promise<LogView> =>
    logOnce(
      `a seal of ${witnesses.join(' and ')}`,
      ({ seal }) =>
        seal !== null && BigInt(seal.position) >= BigInt(position) && seal.witnesses.length === witnesses.length,
    );

  const verify = (env: NodeJS.ProcessEnv, ...args: readonly string[]) => run(env, 'verify', ...args);

  async function run(env: NodeJS.ProcessEnv, ...args: readonly string[]) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const said = Promise.all([buffer(stdout), text(stderr)]);
    const out = stdout as unknown as NodeJS.WriteStream;
    const verifies = { verifyLog, verifyProof, verifyExport, verifyCertificate };
    const code = await main(args, { stdin: Readable.from([]), stdout: out, stderr, env, ...verifies });
    stdout.end();
    stderr.end();
    const [printed, told] = await said;
    return { code, out: printed.toString(), err: told, bytes: printed };
  }

  it('has their lines in its seals, and the line of one that was away later', async () => {
    far.isAway = true;
    const { position } = await service.waybill.queue('mail').enqueue('early');
    const without = await sealedTo(position!, ['near']);
    expect(without).toMatchObject({ state: 'sealing', seal: { witnesses: ['near.example'] } });
    far.isAway = false;
    const { seal } = await sealedTo(position!, ['near', 'far']);
    const note = parseNote(seal!.note);
    expect(signersOf(note, [near.key, far.key], verifySignature).map(({ key }) => key.name)).toEqual(seal!.witnesses);
    // Without news: it is the same seal, with one line more.
    expect([seal!.size, parseNote(without.seal!.note).text]).toEqual([without.seal!.size, note.text]);
    // After a restart, the notary knows no more what they cosigned.
    await service.restart();
    const later = await service.waybill.queue('mail').enqueue('later');
    expect((await sealedTo(later.position!, ['near', 'far'])).seal!.size).toBeGreaterThan(seal!.size);
  });

  it('has files whose seal each witness that is named must have cosigned', async () => {
    const other = await TestWitness.start('other.example');
    other.stop();
    const { id } = await service.waybill.queue('mail').enqueue('filed');
    await service.waybill.task(id).abort();
    const erasure = isElsewhere ? null : (await service.waybill.erase({ task: id }, 'Art. 17')).id!;
    if (erasure !== null)
      await until('the erasure', async () => (await service.waybill.task(erasure).get()).finishedAt && true);
    const { position } = await service.waybill.queue('mail').pause();
    await service.waybill.queue('mail').resume();
    await sealedTo(position, ['near', 'far']);
    const commands = [
      ['task', 'proof', id, '--private'],
      ['evidence', 'task', id, '--private'],
      ['log', 'export', '--private'],
      ...(erasure === null ? [] : [['erasure', 'certificate', erasure]]),
    ];
    const keys = join(folder, 'keys/key.pub');
    for (const [name, { key }] of Object.entries({ near, far, other }))
      await writeFile(join(folder, `${name}.pub`), verifierKey(key));
    for (const command of commands) {
      const { code, bytes } = await run({ WAYBILL_URL: service.url }, ...command);
      const file = join(folder, 'file');
      await writeFile(file, bytes);
      const told = async (...names: readonly string[]) => {
        const named = names.flatMap((name) => ['--witness', join(folder, `${name}.pub`)]);
        return run({}, 'verify', file, '--key', keys, ...named);
      };
      const both = await told('near', 'far');
      expect([command, code, both.code]).toEqual([command, 0, 0]);
      for (const name of ['near', 'far'])
        expect(both.err).toMatch(new RegExp(`Cosigned by the witness '${name}\\.example' at \\d{4}-`));
      expect((await told('near')).err).not.toContain('far.example');
      const { code: without, err } = await told('near', 'other');
      expect([command, without, err]).toEqual([command, 1, expect.stringContaining('a signature of other.example')]);
    }
  });

  it('H-35 finds an event that claims to be a minute older than the time of a witness for a log without it', async () => {
    far.clock = () => Date.now() + HOUR_MS;
    const before = await service.waybill.queue('mail').enqueue('before');
    const { seal } = await sealedTo(before.position!, ['near', 'far']);
    const files = { seal: join(folder, 'kept'), near: join(folder, 'near.pub'), far: join(folder, 'far.pub') };
    await writeFile(files.seal, seal!.note);
    for (const witness of [near, far])
      await writeFile(files[witness === near ? 'near' : 'far'], verifierKey(witness.key));
    const { position } = await service.waybill.queue('mail').enqueue('backdated');
    await sealedTo(position!, ['near', 'far']);
    const run = (...more: readonly string[]) =>
      verify(environment(), '--key', join(folder, 'keys/key.pub'), '--seal', files.seal, ...more);
    expect(await run('--witness', files.near)).toMatchObject({ code: 0 });
    const { code, out } = await run('--witness', files.near, '--witness', files.far);
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^TOO_OLD at ${position}: it was recorded at `, 'm')),
    ]);
    far.clock = () => Date.now();
    await writeFile(files.near, verifierKey({ ...near.key, name: 'other.example' }));
    expect(await run('--witness', files.near)).toMatchObject({ code: 2 });
  });

  it('H-36 is sealed no more if one refuses, and all else goes on; metrics and /v1/log say it, and for how long', async () => {
    const sealed = await service.waybill.queue('mail').enqueue('sealed');
    const before = await sealedTo(sealed.position!, ['near', 'far']);
    const { origin, ...head } = parseCheckpoint(parseNote(before.seal!.note).text);
    far.seen.set(origin, { ...head, root: head.root.with(0, head.root[0]! ^ 1) });
    const { id, position } = await service.waybill.queue('mail').enqueue('unsealed');
    const { stopped, seal } = await logOnce('the refusal', ({ state }) => state === 'stopped');
    expect(stopped!.reason).toMatch(
      /^the witness 'far\.example' refuses the seal: the log does not begin with the \d+ leaves/,
    );
    expect(seal).toEqual(before.seal);
    const samples = samplesIn(await (await fetch(`${service.url}/metrics`)).text());
    expect(samples).toMatchObject({ waybill_sealing_stopped: 1, waybill_sealed_leaves: head.size });
    expect(samples['waybill_witness_refusals_total']).toBeGreaterThan(0);
    expect(await service.waybill.queue('mail').claim({ worker: 'w1', waitMs: 10_000 })).toHaveLength(1);
    expect(await service.waybill.task(id).get()).toMatchObject({ id, state: 'pending' });
    expect(await service.waybill.log.get()).toMatchObject({ state: 'stopped', stopped: { since: stopped!.since } });
    far.seen.set(origin, head);
    expect(await sealedTo(position!, ['near', 'far'])).toMatchObject({ state: 'sealing', stopped: null });
  });
});
