import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ErasureCertificate, LogPart, LogView } from '@waybill/client';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { main } from '../../../packages/cli/src/index.js';
import { parseCheckpoint } from '../../../src/domain/seals/checkpoint.js';
import { parseNote } from '../../../src/domain/seals/note.js';
import { verifyCertificate } from '../../../src/maintenance/verify-certificate.js';
import { verifyExport } from '../../../src/maintenance/verify-export.js';
import { isElsewhere, type RunningService, startService } from '../../support/running-service.js';
import { erasing } from '../../support/subject-keys.js';
import { until } from '../../support/until.js';

const OPTIONS = isElsewhere ? { private: true } : {};

describe('what was under way when somebody retired the key of the log', () => {
  let service: RunningService;
  let folder: string;
  let before: LogView;
  let after: LogView;
  /** Orders that ended before the change, and after it. */
  let ended: string;
  let waiting: string;
  let firstPart: LogPart;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waybill-across-keys-'));
    service = await startService({ notaryDir: join(folder, 'notary'), erasureApproval: true, ...erasing() });
    const { waybill } = service;
    await until('a notary', async () => (await waybill.log.get()).key);
    await waybill.queue('mail').define();
    await sealed((await waybill.queue('mail').enqueue('first')).position!);
    [ended, waiting] = [await order(), await order()];
    await approve(ended);
    before = await sealed((await waybill.queue('mail').enqueue('early')).position!);
    for await (const part of exported()) {
      firstPart = part;
      break;
    }
    const { position } = await waybill.log.newKey(before.name!, 'a copy was found');
    await waybill.queue('mail').enqueue('late');
    after = await sealed(position!, (log) => log.name !== before.name);
    await approve(waiting);
    await sealed((await waybill.queue('mail').enqueue('last')).position!);
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  const sealed = (position: string, isIt: (log: LogView) => boolean = () => true): Promise<LogView> =>
    until('a seal', async () => {
      const log = await service.waybill.log.get();
      return log.seal && BigInt(log.seal.position) >= BigInt(position) && isIt(log) ? log : null;
    });

  /** Erases a task. */
  async function order(): Promise<string> {
    const { id: task } = await service.waybill.queue('mail').enqueue('quetzal');
    await service.waybill.task(task).abort();
    return (await service.as('dora').erase({ task }, 'Art. 17')).id!;
  }

  async function approve(id: string): Promise<void> {
    await service.as('ann').task(id).release();
    await until('the erasure to end', async () => ((await service.waybill.task(id).get()).finishedAt ? true : null));
  }

  const exported = (goOn?: string) =>
    service.waybill.log.export({ size: before.seal!.size, ...OPTIONS, ...(goOn && { after: goOn }) });

  /** What `waybill log export` writes. */
  async function exportOf(parts: readonly LogPart[]): Promise<string> {
    const head = { format: 'waybill-sealed-log', version: 1, queue: null, from: null, to: null, private: isElsewhere };
    const lines = [{ ...head, seal: before.seal!.note }, ...parts].map((line) => `${JSON.stringify(line)}\n`).join('');
    const end = { segments: parts.length, sha256: createHash('sha256').update(lines).digest('hex') };
    return file('export', `${lines}${JSON.stringify({ end })}\n`);
  }

  async function file(name: string, content: string): Promise<string> {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  }

  const certificateOf = (id: string): Promise<ErasureCertificate> => service.waybill.erasureCertificate(id);

  const verified = (certificate: ErasureCertificate, { key }: LogView) =>
    verifyCertificate(JSON.stringify(certificate), key!);

  const sizeOf = (seal: string): number => parseCheckpoint(parseNote(seal).text).size;

  it('H-41 an export goes on after its last part, and verifies by the key that was retired', async () => {
    const parts = [firstPart];
    for await (const part of exported(firstPart.position)) parts.push(part);
    const result = await verifyExport(await exportOf(parts), before.key!, []);
    expect(result).toMatchObject({ log: before.name, size: before.seal!.size, leftOut: 0 });
  });

  it('H-56 the certificate of an erasure from before names a seal from before it, which the old key proves', async () => {
    const certificate = await certificateOf(ended);
    expect(certificate.seals.before).toMatch(`${before.name!}\n`);
    expect(certificate.seals.after).toMatch(`${after.name!}\n`);
    const result = verified(certificate, before);
    expect(result).toMatchObject({ log: after.name, before: sizeOf(certificate.seals.before!), unproven: null });
    expect(result).toMatchObject({ nextKey: after.key });
  });

  it('H-56 the certificate of an erasure under way names a seal from before it, too', async () => {
    const certificate = await certificateOf(waiting);
    expect(verified(certificate, before)).toMatchObject({ before: sizeOf(certificate.seals.before!) });
  });

  it('H-56 by the new key alone, a certificate says that it does not prove the seal from before', async () => {
    const certificate = await certificateOf(ended);
    expect(verified(certificate, after)).toMatchObject({ before: null, unproven: before.name, nextKey: null });
    const [key1, key2] = [await file('key1', before.key!), await file('key2', after.key!)];
    const path = await file('certificate', JSON.stringify(certificate));
    expect(await said('verify', path, '--key', key2)).toContain(
      `the seal from before the order is of the log '${before.name!}': verify the file once more with the key of that log`,
    );
    const byOld = await said('verify', path, '--key', key1);
    expect(byOld).toContain(`Its last seal names the key that signed the certificate: ${after.key!}`);
    expect(byOld).toMatch(/begins with the \d+ that were sealed before the order/);
  });

  it('H-56 a certificate with another last seal, or without it, proves nothing to the old key', async () => {
    const { seals, ...certificate } = await certificateOf(ended);
    const [last] = seals.lastSeals;
    const named = last!.replace(/next .*/, `next ${before.key!}`);
    for (const lastSeals of [[], [named]])
      expect(verified({ ...certificate, seals: { ...seals, lastSeals } }, before)).toMatchObject({
        fault: expect.any(String),
      });
  });

  it('H-56 a certificate with another seal from before is found by either key', async () => {
    const { seals, ...certificate } = await certificateOf(ended);
    const wrong = seals.before!.replace(/\n[^\n]{44}\n/, `\n${Buffer.alloc(32).toString('base64')}\n`);
    for (const log of [before, after])
      expect(verified({ ...certificate, seals: { ...seals, before: wrong } }, log)).toMatchObject({
        fault: expect.any(String),
      });
  });

  /** What the command line tells people. */
  async function said(...args: readonly string[]): Promise<string> {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const told = text(stderr);
    const out = stdout as unknown as NodeJS.WriteStream;
    expect(await main([...args], { stdin: Readable.from([]), stdout: out, stderr, env: {}, verifyCertificate })).toBe(
      0,
    );
    stderr.end();
    return told;
  }
});
