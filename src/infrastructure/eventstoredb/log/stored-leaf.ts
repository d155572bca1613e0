import { categoryOf } from '../../../domain/aggregates.js';
import { type DigestedSegment, digestText, segmentDigest } from '../../event-codec/segment-digest.js';
import type { LeafSource, LogLeaf } from '../../notary/log-leaves.port.js';
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

/** The leaf with what it is made of. It has no commitments: the private half is in the text. */
export function storedSource(resolved: ResolvedEvent, stream: string): LeafSource {
  const [leaf, segment] = [storedLeaf(resolved, stream), segmentOf(resolved, stream)];
  return { leaf, first: leaf.position, text: digestText(segment), streams: segment.streams, halves: [null] };
}

function segmentOf(resolved: ResolvedEvent, stream: string): DigestedSegment {
  const { revision, id, type, version, data } = storedEvent(resolved, stream);
  const category = categoryOf(stream);
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
    private: null,
    salts: null,
  };
}
