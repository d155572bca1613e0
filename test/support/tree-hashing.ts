import type { Hash } from '../../src/domain/merkle/hashing.js';
import type { Sign } from '../../src/domain/seals/signers.js';
import {
  hashing,
  newPrivateKey,
  publicBytesOf,
  sha256,
  signWith,
} from '../../src/infrastructure/notary/node-signing.js';

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

export const fromHex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));

/** The hash of a leaf for each number below `size`, all different. */
export const leafHashes = (size: number): readonly Hash[] =>
  Array.from({ length: size }, (_, at) => hashing.leaf(new TextEncoder().encode(`leaf ${at}`)));

/** The root as RFC 6962 defines it (section 2.1), by recursion over all leaves. */
export function naiveRoot(leaves: readonly Hash[]): Hash {
  if (leaves.length === 0) return sha256(new Uint8Array(0));
  if (leaves.length === 1) return leaves[0]!;
  let half = 1;
  while (half < leaves.length - half) half *= 2;
  return sha256(new Uint8Array([1, ...naiveRoot(leaves.slice(0, half)), ...naiveRoot(leaves.slice(half))]));
}

/** A new key of Ed25519. */
export function signingKey(): { readonly publicKey: Uint8Array; readonly sign: Sign } {
  const secret = newPrivateKey();
  return { publicKey: publicBytesOf(secret), sign: signWith(secret) };
}
