import { describe, expect, it } from '@jest/globals';
import type { LeafSource, LogLeaves } from '../../../src/infrastructure/notary/log-leaves.port.js';
import { StoredProofs } from '../../../src/infrastructure/notary/stored-proofs.js';

const MIB = 1_024 * 1_024;
const STREAM = '019ab000-0000-7000-8000-000000000001';

/** The proof of so many events, whose segments have a text of so many bytes and a private half of as many. */
async function proofOf(count: number, bytes: number) {
  const source = (position: bigint): LeafSource => ({
    leaf: { position, text: `leaf ${position}` },
    first: position,
    text: 'x'.repeat(bytes),
    streams: [STREAM],
    halves: [{ salt: Buffer.alloc(16), line: 'y'.repeat(bytes) }],
  });
  const positions = Array.from({ length: count }, (_, at) => BigInt(at + 1));
  let read = 0;
  const leaves = {
    after: () => Promise.resolve(positions.map((position) => source(position).leaf)),
    sources(asked: readonly bigint[]) {
      read += asked.length;
      return Promise.resolve(asked.map(source));
    },
  } as Partial<LogLeaves> as LogLeaves;
  const tree = {
    tileOf: () => Promise.resolve({ index: 0, after: 0n }),
    rootsOf: (ranges: readonly unknown[]) => Promise.resolve(ranges.map(() => new Uint8Array(32))),
  };
  const sealed = { size: count, note: 'note\n' };
  const { segments, isCut } = await new StoredProofs(leaves, tree, false).of(positions, sealed, STREAM);
  return { positions: segments.map(({ position }) => position), isCut, read };
}

describe('a proof of large segments', () => {
  it('ends before 8 MiB of text and private halves, and reads little more', async () => {
    expect(await proofOf(500, MIB)).toEqual({ positions: ['1', '2', '3', '4'], isCut: true, read: 8 });
  });

  it('has at least one segment, and all of small ones', async () => {
    expect(await proofOf(2, 5 * MIB)).toMatchObject({ positions: ['1'], isCut: true });
    expect(await proofOf(500, 100)).toMatchObject({ isCut: false, read: 500 });
  });
});
