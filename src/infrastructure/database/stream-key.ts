import { LRUCache } from 'lru-cache';
import { atMost } from '../../application/kernel/at-most.js';
import { derivedId } from '../../application/kernel/derived-id.js';
import { QUEUE_CATEGORY } from '../../domain/queue/queue.stream.js';
import { isUuid } from '../../domain/kernel/patterns.js';

/** A stream's key in the table of events: 16 bytes instead of its name. */
export interface StreamKey {
  readonly category: string;
  readonly id: string;
  /** True if the id is derived from the name, so that the name must be stored as well. */
  readonly named: boolean;
}

const named = new LRUCache<string, StreamKey>(atMost(10_000));

/**
 * The key of `<category>-<uuid>` is its UUID, unless it is a queue's, which would have two names then. The key of any other name is
 * derived from the name (RFC 9562, version 8, SHA-256).
 */
export function streamKey(stream: string): StreamKey {
  const dash = stream.indexOf('-');
  const id = stream.slice(dash + 1);
  const category = stream.slice(0, dash);
  if (id.length === 36 && isUuid(id) && category !== QUEUE_CATEGORY) return { category, id, named: false };
  const known = named.get(stream);
  if (known) return known;
  const key = { category, id: derivedId('stream', stream), named: true };
  named.set(stream, key);
  return key;
}
