import { createPublicKey, generateKeyPairSync, hash, type KeyObject, sign, verify } from 'node:crypto';
import { type Hash, HASH_BYTES, treeHashing } from '../../domain/merkle/hashing.js';
import type { Sign, VerifySignature } from '../../domain/seals/signers.js';

// What Node computes for the domain, which computes no hash and no signature itself.

/** As a text of 32 characters, because Node takes twice as long to give a buffer of its own. */
export function sha256(bytes: Uint8Array): Hash {
  const text = hash('sha256', bytes, 'binary');
  const made = new Uint8Array(HASH_BYTES);
  for (let at = 0; at < HASH_BYTES; at++) made[at] = text.charCodeAt(at);
  return made;
}

export const hashing = treeHashing(sha256);

/** What precedes the 32 bytes of a public key of Ed25519 in DER (RFC 8410). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

export const verifySignature: VerifySignature = (publicKey, message, signature) =>
  verify(null, message, publicKeyOf(publicKey), signature);

/** `publicKey`: 32 bytes. */
export const publicKeyOf = (publicKey: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' });

export const newPrivateKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey;

export const signWith =
  (privateKey: KeyObject): Sign =>
  (message) =>
    sign(null, message, privateKey);

/** The 32 bytes of the public key of a private one. Throws if it is no key of Ed25519. */
export function publicBytesOf(privateKey: KeyObject): Uint8Array {
  if (privateKey.asymmetricKeyType !== 'ed25519')
    throw new Error(`Expected a key of Ed25519, but it is of ${privateKey.asymmetricKeyType ?? 'no type'}`);
  const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return Uint8Array.from(der.subarray(SPKI.length));
}
