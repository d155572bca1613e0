import { entryOf, type KnownEvent } from '../../domain/events.js';

/**
 * Throws unless this program knows the event's type and version, because an older program must not guess what a newer
 * one meant.
 */
export function assertKnown(event: { readonly type: string; readonly version: number }): asserts event is KnownEvent {
  const known = entryOf(event.type);
  if (known?.version === event.version) return;
  const reason = known ? `version ${known.version} is the one that is known` : 'no such type is known';
  throw new Error(`Expected to project '${event.type}' version ${event.version}, but ${reason}`);
}
