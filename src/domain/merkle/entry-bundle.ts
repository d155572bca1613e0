const LENGTH_BYTES = 2;
const MOST_BYTES = 2 ** 16 - 1;

/** Leaves as logs serve them (c2sp.org/tlog-tiles): before each are two bytes with its length. Throws if one is longer. */
export function entryBundle(leaves: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(leaves.reduce((sum, { length }) => sum + LENGTH_BYTES + length, 0));
  let at = 0;
  for (const leaf of leaves) {
    if (leaf.length > MOST_BYTES)
      throw new RangeError(`Expected a leaf of at most ${MOST_BYTES} bytes, but it has ${leaf.length}`);
    new DataView(bytes.buffer).setUint16(at, leaf.length);
    bytes.set(leaf, at + LENGTH_BYTES);
    at += LENGTH_BYTES + leaf.length;
  }
  return bytes;
}
