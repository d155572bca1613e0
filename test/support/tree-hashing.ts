import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { type Hash, type Sha256, treeHashing } from '../../src/domain/merkle/hashing.js';
import type { Sign, VerifySignature } from '../../src/domain/seals/signers.js';

// What Node computes, for the domain, which computes no hash and no signature itself.

export const sha256: Sha256 = (bytes) => Uint8Array.from(createHash('sha256').update(bytes).digest());

export const hashing = treeHashing(sha256);

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

/** What precedes the 32 bytes of an Ed25519 key in DER (RFC 8410). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

export const keyObject = (publicKey: Uint8Array) =>
  createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' });

export const verifySignature: VerifySignature = (publicKey, message, signature) =>
  verify(null, message, keyObject(publicKey), signature);

/** A new key of Ed25519. */
export function signingKey(): { readonly publicKey: Uint8Array; readonly sign: Sign } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const der = publicKey.export({ format: 'der', type: 'spki' });
  return {
    publicKey: Uint8Array.from(der.subarray(SPKI.length)),
    sign: (message) => Uint8Array.from(sign(null, message, privateKey)),
  };
}
