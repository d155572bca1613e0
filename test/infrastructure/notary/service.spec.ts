import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LogView } from '@waybill/client';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompactRange } from '../../../src/domain/merkle/compact-range.js';
import { TILE_WIDTH, tilePath, tilesOfTree } from '../../../src/domain/merkle/tile-paths.js';
import { tileWith } from '../../../src/domain/merkle/tiles.js';
import { parseCheckpoint } from '../../../src/domain/seals/checkpoint.js';
import { parseNote } from '../../../src/domain/seals/note.js';
import { parseVerifierKey } from '../../../src/domain/seals/note-key.js';
import { signersOf } from '../../../src/domain/seals/signers.js';
import { hashing, sha256, verifySignature } from '../../../src/infrastructure/notary/node-signing.js';
import { samplesIn } from '../../support/both-modes/player.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';

/** More than a tile, so that there are two levels. */
const MANY = 300;

describe('a service with a folder for the notary', () => {
  let service: RunningService;
  let folder: string;
  beforeAll(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'waybill-notary-')), 'keys');
    service = await startService({ notaryDir: folder });
  });
  afterAll(async () => {
    await service.stop();
    await rm(join(folder, '..'), { recursive: true });
  });

  const logOnce = (what: string, passes: (log: LogView) => boolean): Promise<LogView> =>
    until(what, async () => {
      const log = await service.waybill.log.get();
      return passes(log) ? log : null;
    });
  const sealedTo = (position: string): Promise<LogView> =>
    logOnce('a seal', ({ seal }) => seal !== null && BigInt(seal.position) >= BigInt(position));
  const fetched = (path: string): Promise<Response> => fetch(`${service.url}/v1/log/tlog/${path}`);
  const bytesAt = async (path: string): Promise<Buffer> => {
    const response = await fetched(path);
    expect([path, response.status]).toEqual([path, 200]);
    return Buffer.from(await response.arrayBuffer());
  };

  it('seals its log, says so, and goes on after a restart', async () => {
    expect(await service.waybill.log.get()).toMatchObject({ stopped: null });
    const { position } = await service.waybill.queue('mail').define();
    const log = await sealedTo(position!);
    const kept = await readFile(join(folder, 'key.pub'), 'utf8');
    expect(log).toMatchObject({ state: 'sealing', stopped: null, key: kept.trim(), name: kept.split('+')[0] });
    expect(log.seal).toMatchObject({ size: log.size, witnesses: [] });
    const { audited } = await logOnce('the audit', (one) => one.audited?.position === log.seal!.position);
    const metrics = samplesIn(await (await fetch(`${service.url}/metrics`)).text());
    expect(metrics).toMatchObject({
      waybill_log_audited_position: Number(audited!.position),
      waybill_witness_refusals_total: 0,
    });
    expect(signersOf(parseNote(log.seal!.note), [parseVerifierKey(log.key!, sha256)], verifySignature)).toHaveLength(1);
    await service.restart();
    const later = await service.waybill.queue('mail').pause();
    await sealedTo(later.position!);
    const seals = [];
    for await (const seal of service.waybill.log.seals({ limit: 1 })) seals.push(seal);
    expect(seals.map(({ size }) => size)).toEqual([...new Set(seals.map(({ size }) => size))].sort((a, b) => b - a));
    expect(seals).toContainEqual(log.seal);
  });

  it('is a tile log, from which others make the root that it signed', async () => {
    for (let at = 0; at < MANY; at++) await service.waybill.queue('mail').enqueue(at);
    const { position } = await service.waybill.queue('mail').resume();
    await sealedTo(position!);
    const { size, root } = parseCheckpoint(parseNote((await bytesAt('checkpoint')).toString()).text);
    const leaves = await entriesOf(size, bytesAt);
    const range = new CompactRange(hashing);
    for (const leaf of leaves) range.add(hashing.leaf(leaf));
    expect([leaves.length, Buffer.from(range.root())]).toEqual([size, Buffer.from(root)]);
    const places = tilesOfTree(size);
    expect(places.map(tilePath)).toContain('tile/1/000.p/1');
    for (const place of places.filter(({ level }) => level === 0)) {
      const from = place.index * TILE_WIDTH;
      const hashes = leaves.slice(from, from + place.width).map((leaf) => hashing.leaf(leaf));
      expect(await bytesAt(tilePath(place))).toEqual(Buffer.from(tileWith(hashes)));
    }
    expect(await bytesAt('tile/0/000.p/7')).toEqual((await bytesAt('tile/0/000')).subarray(0, 7 * 32));
    const [upper] = leaves.length >= TILE_WIDTH ? [await bytesAt('tile/1/000.p/1')] : [];
    const first = new CompactRange(hashing);
    for (const leaf of leaves.slice(0, TILE_WIDTH)) first.add(hashing.leaf(leaf));
    expect(upper).toEqual(Buffer.from(first.root()));
  });

  it('serves tiles that never change, and none that no seal covers', async () => {
    const tile = await fetched('tile/0/000');
    expect([tile.headers.get('cache-control'), tile.headers.get('content-type')]).toEqual([
      'private, max-age=31536000, immutable',
      'application/octet-stream',
    ]);
    expect((await fetched('checkpoint')).headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const paths = [
      'tile/0/900',
      'tile/1/000',
      'tile/0/000.p/256',
      'tile/0/0',
      'tile/entries/009',
      'tile/x/000',
      'tile/63/000.p/1',
    ];
    for (const path of paths) expect([path, (await fetched(path)).status]).toEqual([path, 404]);
  });

  it('names the methods of its paths to other ones', async () => {
    for (const path of ['checkpoint', 'tile/0/000']) {
      const response = await fetch(`${service.url}/v1/log/tlog/${path}`, { method: 'POST' });
      expect([path, response.status, response.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
    }
  });

  it('says why it seals nothing, for as long as it does, and goes on by itself', async () => {
    const [file] = (await readdir(folder)).filter((one) => one.startsWith('signed.'));
    const signed = await readFile(join(folder, file!), 'utf8');
    const [name, size] = signed.split('\n');
    await writeFile(join(folder, file!), `${name}\n${size}\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n`);
    const { position } = await service.waybill.queue('mail').pause();
    const { stopped, lagSeconds } = await logOnce(
      'the reason',
      (log) => log.state === 'stopped' && log.lagSeconds! > 0,
    );
    expect(stopped!.reason).toMatch(/^the log of \d+ leaves does not begin with the \d+ that were signed$/);
    const samples = samplesIn(await (await fetch(`${service.url}/metrics`)).text());
    expect(samples).toMatchObject({ waybill_sealing_stopped: 1, waybill_sealed_leaves: Number(size) });
    expect(samples['waybill_seal_lag_seconds']).toBeGreaterThanOrEqual(lagSeconds!);
    await writeFile(join(folder, file!), signed);
    expect(await sealedTo(position!)).toMatchObject({ state: 'sealing', stopped: null });
  });
});

/** The leaves of the log, by its bundles of entries. */
async function entriesOf(size: number, bytesAt: (path: string) => Promise<Buffer>): Promise<Buffer[]> {
  const leaves: Buffer[] = [];
  for (const { index, width } of tilesOfTree(size).filter(({ level }) => level === 0)) {
    const bundle = await bytesAt(tilePath({ level: 'entries', index, width }));
    for (let at = 0; at < bundle.length; at += 2 + bundle.readUInt16BE(at))
      leaves.push(bundle.subarray(at + 2, at + 2 + bundle.readUInt16BE(at)));
  }
  return leaves;
}
