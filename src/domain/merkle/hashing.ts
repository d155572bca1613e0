/** 32 bytes. */
export type Hash = Uint8Array;

/** The domain computes no hash itself. The result belongs to the caller; the argument may change after the call. */
export type Sha256 = (bytes: Uint8Array) => Hash;

export const HASH_BYTES = 32;

/** How a Merkle tree hashes (RFC 6962, section 2.1). A leaf can never be taken for a node, because they begin differently. */
export interface TreeHashing {
  /** The root of a tree without leaves. */
  readonly empty: Hash;
  readonly leaf: (data: Uint8Array) => Hash;
  readonly node: (left: Hash, right: Hash) => Hash;
}

const LEAF = 0;
const NODE = 1;

export function treeHashing(sha256: Sha256): TreeHashing {
  const pair = new Uint8Array(1 + 2 * HASH_BYTES);
  pair[0] = NODE;
  // Most leaves fit. Memory for each would cost as much as its hash.
  let room = new Uint8Array(512);
  return {
    empty: sha256(new Uint8Array(0)),
    leaf(data) {
      if (room.length <= data.length) room = new Uint8Array(2 * data.length);
      room[0] = LEAF;
      room.set(data, 1);
      return sha256(room.subarray(0, 1 + data.length));
    },
    node(left, right) {
      pair.set(left, 1);
      pair.set(right, 1 + HASH_BYTES);
      return sha256(pair);
    },
  };
}

/** A loop, because `every` takes five times as long, and each leaf of a log is compared. */
export function isSameHash(one: Hash, other: Hash): boolean {
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return one.length === other.length;
}
