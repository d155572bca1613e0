import { createHash } from 'node:crypto';

/**
 * Derives an id from a name: the same name gives the same id everywhere, so making the same thing twice finds the first
 * one. A UUID of version 8 (RFC 9562, section 5.8): the first 16 bytes of the SHA-256 of namespace, line feed and name,
 * with version and variant set. The client's `derivedId` computes the same.
 */
export function derivedId(namespace: string, name: string): string {
  const hash = createHash('sha256').update(`${namespace}\n${name}`).digest();
  hash[6] = (hash[6]! & 0x0f) | 0x80;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
