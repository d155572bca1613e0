import { isErasure } from '../../domain/erased-by.js';
import { isRestOf } from '../../domain/task/erased-half.js';
import { NO_SALT, saltAt } from '../event-codec/segment-digest.js';
import { objectOrNull } from '../event-codec/segment-text.js';
import type { LeafNotes } from './log-leaves.port.js';
import type { StoredSegment } from './stored-segment.js';

/** A private half that is missing. */
export interface MissingHalf {
  readonly position: bigint;
  readonly stream: string;
}

/** A commitment, and what is left of an error. No build writes anything else in the place of a half. */
const ERASED =
  /^#[A-Za-z0-9+/]{43}=(\{"error":\{"message":"\(erased\)","class":"[a-z]+"(,"group":"g[0-9a-f]{15}")?\}\})?$/;

/** Whether every half that is missing in the row is so in the way of an erasure. */
export function isErasedAsBuildsDo(segment: StoredSegment): boolean {
  if (!segment.hasMark) return true;
  const { salts } = segment;
  const open = segment.data.split('\n');
  const isErased = (half: string, at: number): boolean =>
    salts !== null && saltAt(salts, at).equals(NO_SALT) && isErasedHalf(half, open[at]!);
  return halvesIn(segment).every((half, at) => !half.startsWith('#') || isErased(half, at));
}

const halvesIn = (segment: StoredSegment): readonly string[] => segment.text('private')!.split('\n');

function isErasedHalf(half: string, open: string): boolean {
  const found = ERASED.exec(half);
  if (found === null) return false;
  const [, left] = found;
  if (left === undefined) return true;
  const beside = objectOrNull(open);
  return beside !== null && isRestOf(beside, JSON.parse(left) as object);
}

/** The streams of these events if their type says that the halves of these are erased. */
export const erasedBy = (events: Pick<StoredSegment, 'type' | 'streams'>): readonly string[] =>
  isErasure(events.type) ? events.streams : NONE;

export function missingIn(segment: StoredSegment): readonly MissingHalf[] {
  if (!segment.hasMark) return NONE;
  const { streams, position } = segment;
  return halvesIn(segment).flatMap((half, at) =>
    half.startsWith('#') ? [{ position: position + BigInt(at), stream: streams[at] ?? '' }] : [],
  );
}

const NONE: readonly never[] = [];

/** Compares the halves that are missing in a log with the erasures that come after them. */
export class ErasedHalves {
  /** By their streams: the first of each that no erasure has explained yet. */
  private readonly missing = new Map<string, MissingHalf>();

  take({ missing = NONE, erases = NONE }: LeafNotes): void {
    for (const half of missing) if (!this.missing.has(half.stream)) this.missing.set(half.stream, half);
    for (const stream of erases) this.missing.delete(stream);
  }

  /** After the last segment: those that no event says were erased. */
  unexplained(): readonly MissingHalf[] {
    return [...this.missing.values()];
  }
}
