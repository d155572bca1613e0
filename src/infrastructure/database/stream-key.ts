import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** How a stream is known in the table: by 16 bytes rather than by its name. */
export interface StreamKey {
  readonly category: string;
  readonly id: string;
  /** The name must be kept beside, because the id is derived from it. */
  readonly named: boolean;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const named = new LRUCache<string, StreamKey>({ max: 10_000 });

/** `<category>-<uuid>` is known by its UUID, any other name by one derived from it (RFC 9562, version 8, SHA-256). */
export function streamKey(stream: string): StreamKey {
  const dash = stream.indexOf('-');
  const id = stream.slice(dash + 1);
  if (id.length === 36 && UUID.test(id)) return { category: stream.slice(0, dash), id, named: false };
  const known = named.get(stream);
  if (known) return known;
  const key = { category: stream.slice(0, dash), id: derivedId(stream), named: true };
  named.set(stream, key);
  return key;
}

function derivedId(stream: string): string {
  const hash = createHash('sha256').update(stream).digest();
  hash[6] = (hash[6]! & 0x0f) | 0x80;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
