import { LRUCache } from 'lru-cache';
import { derivedId } from '../../application/kernel/derived-id.js';

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
  const key = { category: stream.slice(0, dash), id: derivedId('stream', stream), named: true };
  named.set(stream, key);
  return key;
}
