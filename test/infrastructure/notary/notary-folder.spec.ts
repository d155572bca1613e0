import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkpointText } from '../../../src/domain/seals/checkpoint.js';
import { verifierKey } from '../../../src/domain/seals/note-key.js';
import { hashing, newPrivateKey } from '../../../src/infrastructure/notary/node-signing.js';
import { NotaryFolder, Overtaken } from '../../../src/infrastructure/notary/notary-folder.js';

const AT_ONCE = 8;
const HEAD = (origin: string) => ({ origin, size: 3, root: hashing.empty });

describe('the folder of the notary', () => {
  let path: string;
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'waybill-folder-'));
  });
  afterEach(() => rm(path, { recursive: true }));

  const records = async (): Promise<readonly string[]> =>
    (await readdir(path)).filter((file) => file.startsWith('signed.'));
  const sized = (folder: NotaryFolder, size: number) =>
    checkpointText({ origin: folder.key.name, size, root: hashing.empty });
  const all = <T>(work: (at: number) => Promise<T>) =>
    Promise.all(Array.from({ length: AT_ONCE }, (_, at) => work(at)));

  it('gets one key, also if several processes begin at once', async () => {
    const folders = await all(() => NotaryFolder.open(path));
    const later = await NotaryFolder.open(path);
    expect(folders.map(({ key }) => key)).toEqual(folders.map(() => later.key));
    expect((await readdir(path)).sort()).toEqual(['key.pem', 'key.pub', 'signed.0']);
  });

  it('begins again where it was killed before it had a key', async () => {
    await writeFile(join(path, 'signed.0'), checkpointText({ origin: 'waybill/1', size: 0, root: hashing.empty }));
    const { key } = await NotaryFolder.open(path);
    await rm(join(path, 'key.pub'));
    expect((await NotaryFolder.open(path)).key).toEqual(key);
    expect(key.name).toBe('waybill/1');
  });

  it('keeps the last record only', async () => {
    const folder = await NotaryFolder.open(path);
    for (const size of [3, 5]) await folder.remember(sized(folder, size), await folder.last());
    expect([await folder.last(), await records()]).toMatchObject([{ number: 2, signed: { size: 5 } }, ['signed.2']]);
  });

  it('takes one of the records that follow the same one', async () => {
    const folder = await NotaryFolder.open(path);
    const last = await folder.last();
    const ends = await all((at) => folder.remember(sized(folder, at + 1), last).catch((error: Error) => error));
    expect(ends.filter((end) => end instanceof Overtaken)).toHaveLength(AT_ONCE - 1);
    const size = ends.findIndex((end) => !(end instanceof Error)) + 1;
    expect([await folder.last(), await records()]).toMatchObject([{ number: 1, signed: { size } }, ['signed.1']]);
  });

  /** What a thief may leave in the folder: a secret key of theirs in the place of the next one. */
  const plant = () =>
    writeFile(join(path, 'key.2.pem'), newPrivateKey().export({ format: 'pem', type: 'pkcs8' }) as string);

  it('begins the next log with the same secret key, and overtakes whoever signs the one before', async () => {
    const before = await NotaryFolder.open(path);
    const last = await before.last();
    await plant();
    await before.beginLog('waybill/next/2', last);
    await expect(before.last()).rejects.toThrow(Overtaken);
    await expect(before.remember(sized(before, 3), last)).rejects.toThrow(Overtaken);
    // Whoever opens it makes the public keys right, also if others do so at once.
    const [next] = await all(() => NotaryFolder.open(path));
    expect(next!.key).toMatchObject({ name: 'waybill/next/2', publicKey: before.key.publicKey });
    expect(await next!.last()).toMatchObject({ signed: { origin: 'waybill/next/2', size: 0 } });
    expect(await readFile(join(path, 'key.1.pub'), 'utf8')).toBe(`${verifierKey(before.key)}\n`);
    expect(await readFile(join(path, 'key.pub'), 'utf8')).toBe(`${verifierKey(next!.key)}\n`);
  });

  it('begins the next log with the key that was made for it, also if others do so at once, or it was killed in between', async () => {
    const before = await NotaryFolder.open(path);
    await plant();
    const keys = await all(() => before.newKey(`${before.key.name}/2`));
    expect(new Set(keys.map(verifierKey)).size).toBe(AT_ONCE);
    const last = await before.remember(
      checkpointText(HEAD(before.key.name), verifierKey(keys[0]!)),
      await before.last(),
    );
    expect((await NotaryFolder.open(path)).key).toEqual(before.key);
    await before.beginLog(`${before.key.name}/2`, last, { size: 3, root: hashing.empty });
    const next = await all(() => NotaryFolder.open(path));
    expect(next.map(({ key }) => key)).toEqual(next.map(() => keys[0]));
    expect(await next[0]!.last()).toMatchObject({ signed: { origin: `${before.key.name}/2`, size: 3 } });
    // As if it was killed before the public key was written.
    await writeFile(join(path, 'key.pub'), `${verifierKey(before.key)}\n`);
    expect((await NotaryFolder.open(path)).key).toEqual(keys[0]);
    expect(keys[0]!.publicKey).not.toEqual(before.key.publicKey);
    expect(await readFile(join(path, 'key.1.pub'), 'utf8')).toBe(`${verifierKey(before.key)}\n`);
    expect((await readdir(path)).sort()).toEqual(['key.1.pub', 'key.pem', 'key.pub', 'signed.2']);
  });

  it('refuses a record that follows one of long ago, although its name is free', async () => {
    const folder = await NotaryFolder.open(path);
    const before = await folder.last();
    for (const size of [3, 5]) await folder.remember(sized(folder, size), await folder.last());
    await expect(folder.remember(sized(folder, 4), before)).rejects.toThrow(Overtaken);
    expect([await folder.last(), await records()]).toMatchObject([{ number: 2, signed: { size: 5 } }, ['signed.2']]);
  });
});
