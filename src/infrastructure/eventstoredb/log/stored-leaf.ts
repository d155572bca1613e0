import { categoryOf } from '../../../domain/aggregates.js';
import { segmentDigest } from '../../event-codec/segment-digest.js';
import type { LogLeaf } from '../../notary/log-leaves.port.js';
import type { ResolvedEvent } from './clients/store-client.port.js';
import { storedEvent } from './stored-events.js';

/**
 * The leaf of an event (docs/reference/log-format.md): of its metadata and data as they are stored. What was parsed is written as it was,
 * because `JSON.stringify` wrote it.
 */
export function storedLeaf(resolved: ResolvedEvent, stream: string): LogLeaf {
  const { position, revision, id, type, version, recordedAt, data } = storedEvent(resolved, stream);
  const category = categoryOf(stream);
  const digest = segmentDigest({
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
  });
  return { position, text: `waybill 1 ${position} 1 ${recordedAt} ${digest.toString('hex')} -` };
}
