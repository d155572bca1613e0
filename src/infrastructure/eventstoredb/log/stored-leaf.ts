import { categoryOf } from '../../../domain/aggregates.js';
import { type DigestedSegment, digestText, NO_SALT, segmentDigest } from '../../event-codec/segment-digest.js';
import type { LeafSource, LogLeaf } from '../../notary/log-leaves.port.js';
import { encryptedIn, type SaltedHalf } from './halves/half-text.js';
import type { ResolvedEvent } from './clients/store-client.port.js';
import { storedEvent } from './stored-events.js';

/**
 * The leaf of an event (docs/reference/log-format.md): of its metadata and data as they are stored. What was parsed is written as it was,
 * because `JSON.stringify` wrote it.
 */
export function storedLeaf(resolved: ResolvedEvent, stream: string): LogLeaf {
  const { position, recordedAt } = storedEvent(resolved, stream);
  const digest = segmentDigest(segmentOf(resolved, stream)).toString('hex');
  return { position, text: `waybill 1 ${position} 1 ${recordedAt} ${digest} -` };
}

/** The leaf with what it is made of. Without a commitment to it, the private half is in the text. */
export function storedSource(resolved: ResolvedEvent, stream: string, half: SaltedHalf | null): LeafSource {
  const [leaf, segment] = [storedLeaf(resolved, stream), segmentOf(resolved, stream)];
  return { leaf, first: leaf.position, text: digestText(segment), streams: segment.streams, halves: [half] };
}

function segmentOf(resolved: ResolvedEvent, stream: string): DigestedSegment {
  const { revision, id, type, version, data } = storedEvent(resolved, stream);
  const category = categoryOf(stream);
  const half = encryptedIn(resolved.event!.data);
  return {
    category,
    type,
    version,
    meta: JSON.stringify(resolved.event!.metadata ?? null),
    shared: null,
    streams: [stream.slice(category.length + 1)],
    revisions: [revision],
    ids: [id],
    lines: data,
    // Only the commitment is of interest, which is there as for an erased half.
    private: half && `#${half.commitment}`,
    salts: half && NO_SALT,
  };
}
