import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export const KEY_BYTES = 32;

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** STORAGE FORMAT: a random nonce of 12 bytes, the text by AES-256-GCM, and a tag of 16 bytes. `bound`: what it belongs to, without which nobody can decrypt it. */
export function encrypted(key: Buffer, text: Buffer, bound: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(bound));
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

/** Null if it was encrypted with another key, or for something else, or was changed since. */
export function decrypted(key: Buffer, stored: Buffer, bound: string): Buffer | null {
  if (stored.length < NONCE_BYTES + TAG_BYTES) return null;
  const end = stored.length - TAG_BYTES;
  const decipher = createDecipheriv('aes-256-gcm', key, stored.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(bound))
    .setAuthTag(stored.subarray(end));
  try {
    return Buffer.concat([decipher.update(stored.subarray(NONCE_BYTES, end)), decipher.final()]);
  } catch {
    return null;
  }
}
