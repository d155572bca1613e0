import { createHash } from 'node:crypto';
import type { StoredEvent } from '../log/stored-event.js';

export interface Digest {
  readonly count: number;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
}

type Pages = (after: bigint, limit: number) => Promise<readonly StoredEvent[]>;

const PAGE = 1_000;

/**
 * Counts and hashes a whole log. The hash covers every event and the order, but not the positions, which each store
 * assigns in its own way.
 */
export async function digestOf(pages: Pages, onEvents: (count: number) => void): Promise<Digest> {
  const hash = createHash('sha256');
  let count = 0;
  for (let after = 0n; ;) {
    const events = await pages(after, PAGE);
    if (events.length === 0) return { count, hash: hash.digest('hex') };
    for (const event of events) hash.update(`${textOf(event)}\n`);
    count += events.length;
    after = events.at(-1)!.position;
    onEvents(count);
  }
}

/** Sorts the members of the envelope, because stores keep them in different orders. */
function textOf({ stream, revision, id, type, version, recordedAt, data, envelope }: StoredEvent): string {
  const members = Object.entries(envelope).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([stream, revision, id, type, version, recordedAt, data, members]);
}
