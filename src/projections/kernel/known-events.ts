import { entryOf } from '../../domain/events.js';
import type { DomainEvent } from '../../domain/kernel/decider.js';

/**
 * Throws unless this program knows the event's type and version, because an older program must not guess what a newer
 * one meant.
 */
export function assertKnown({ type, version }: Pick<DomainEvent, 'type' | 'version'>): void {
  const known = entryOf(type);
  if (known?.version === version) return;
  const reason = known ? `version ${known.version} is the one that is known` : 'no such type is known';
  throw new Error(`Expected to project '${type}' version ${version}, but ${reason}`);
}
