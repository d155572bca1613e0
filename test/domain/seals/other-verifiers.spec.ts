import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GrowingTree, type Tile } from '../../../src/domain/merkle/growing-tree.js';
import { inclusionPath } from '../../../src/domain/merkle/proofs.js';
import { rootInTiles } from '../../../src/domain/merkle/tiles.js';
import { checkpointText } from '../../../src/domain/seals/checkpoint.js';
import { cosignedText, timeAndSignature } from '../../../src/domain/seals/cosignature.js';
import { noteText } from '../../../src/domain/seals/note.js';
import { noteKey } from '../../../src/domain/seals/note-key.js';
import { cosignature, logSignature } from '../../../src/domain/seals/signers.js';
import { hashing, publicKeyOf, sha256 } from '../../../src/infrastructure/notary/node-signing.js';
import { sigstore } from '../../support/sigstore.js';
import { signingKey } from '../../support/tree-hashing.js';

const ORIGIN = 'example.com/orders';

/** A log with so many leaves, sealed by its own key and by a witness. */
function sealed(size: number) {
  const [log, other] = [signingKey(), signingKey()];
  const tree = new GrowingTree(hashing);
  for (let at = 0; at < size; at++) tree.add(hashing.leaf(leaf(at)));
  const text = checkpointText({ origin: ORIGIN, size, root: tree.root() });
  const key = noteKey(ORIGIN, 'log', log.publicKey, sha256);
  const witness = noteKey('witness.example.com', 'witness', other.publicKey, sha256);
  const signatures = [logSignature(key, text, log.sign), cosignature(witness, text, 1_790_000_000, other.sign)];
  return { size, tiles: tree.takeTiles(), key, witness, text, signatures, seal: noteText({ text, signatures }) };
}

const leaf = (at: number): Uint8Array => new TextEncoder().encode(`leaf ${at}`);

/** The proof that a leaf is in a sealed log, as Sigstore's transparency log hands it out. */
function entryOf(index: number, { size, tiles, seal }: ReturnType<typeof sealed>, body = leaf(index)) {
  const read = (level: number, at: number) =>
    tiles.find((one: Tile) => one.level === level && one.index === at)?.hashes;
  const hashes = inclusionPath(index, size)!.map((range) => Buffer.from(rootInTiles(range, read, hashing)));
  return {
    inclusionProof: { logIndex: String(index), hashes, checkpoint: { envelope: seal } },
    canonicalizedBody: Buffer.from(body),
  };
}

const trusted = ({ key }: ReturnType<typeof sealed>) => {
  const logID = Buffer.alloc(32);
  logID.writeUInt32BE(key.id);
  return [{ logID, baseURL: `https://${key.name}`, publicKey: publicKeyOf(key.publicKey) }];
};

describe("Sigstore's verifier", () => {
  it.each([1, 2, 7, 256, 1_000])('takes the seal and the inclusion proofs of a log of %d leaves', (size) => {
    const log = sealed(size);
    const accepted = [0, size >> 1, size - 1].map((index) => {
      const entry = entryOf(index, log);
      const checkpoint = sigstore.verifyCheckpoint(entry, trusted(log));
      sigstore.verifyMerkleInclusion(entry, checkpoint);
      return checkpoint;
    });
    expect(accepted).toEqual(
      accepted.map(() => expect.objectContaining({ origin: ORIGIN, logSize: BigInt(size) }) as object),
    );
  });

  it('refuses another leaf, and the seal of another key', () => {
    const log = sealed(100);
    const entry = entryOf(3, log, leaf(4));
    const checkpoint = sigstore.verifyCheckpoint(entry, trusted(log));
    expect(() => sigstore.verifyMerkleInclusion(entry, checkpoint)).toThrow('root hash does not match');
    expect(() =>
      sigstore.verifyCheckpoint(entry, trusted({ ...log, key: { ...sealed(1).key, id: log.key.id } })),
    ).toThrow('invalid checkpoint signature');
  });
});

describe('openssl', () => {
  /** Whether `openssl pkeyutl` takes the signature. */
  function verifies(publicKey: Uint8Array, message: string, signature: Uint8Array): boolean {
    const folder = mkdtempSync(join(tmpdir(), 'seal-'));
    const file = (name: string, content: string | Uint8Array): string => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const key = file('key.pem', publicKeyOf(publicKey).export({ format: 'pem', type: 'spki' }));
    const args = ['pkeyutl', '-verify', '-pubin', '-inkey', key, '-rawin', '-in', file('text', message)];
    try {
      const said = execFileSync('openssl', [...args, '-sigfile', file('signature', signature)], { encoding: 'utf8' });
      return said.includes('Signature Verified Successfully');
    } catch {
      return false;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  it('takes the signature of the log and that of the witness, and none of another text', () => {
    const { text, signatures, key, witness } = sealed(5);
    const timed = timeAndSignature(signatures[1]!.bytes)!;
    expect([
      verifies(key.publicKey, text, signatures[0]!.bytes),
      verifies(witness.publicKey, cosignedText(text, 1_790_000_000), timed.signature),
      verifies(key.publicKey, `${text}more\n`, signatures[0]!.bytes),
      verifies(witness.publicKey, cosignedText(text, 1_790_000_001), timed.signature),
    ]).toEqual([true, true, false, false]);
  });
});
