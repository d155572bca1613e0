import { SALT_BYTES, segmentDigest } from '../event-codec/segment-digest.js';
import { halvesOf, isErasedAsBuildsDo } from './erased-halves.js';
import type { CheckedLeaf } from './log-leaves.port.js';
import { saidOfLog } from './said-of-log.js';

/** A row of the table `segments`. */
export interface SegmentToCheck {
  readonly position: string;
  readonly n: number;
  readonly category: string;
  readonly type: string;
  readonly version: number;
  /** As in a leaf. */
  readonly time: string;
  readonly meta: string;
  readonly shared: string | null;
  readonly streams: readonly string[];
  readonly revisions: readonly number[] | null;
  /** As text. */
  readonly prevs: string | null;
  readonly ids: readonly string[];
  readonly data: string;
  readonly private: string | null;
  readonly salts: Buffer | null;
  readonly digest: Buffer | null;
}

/** The leaf of a row as `waybill_leaf` makes it, but made here, because the functions of the database are its superuser's. */
export function checkedLeaf(row: SegmentToCheck): CheckedLeaf {
  const { position, n, time, prevs, digest } = row;
  const made = digestOf(row);
  const hex = (digest ?? made)?.toString('hex') ?? '-';
  return {
    first: BigInt(position),
    position: BigInt(position) + BigInt(n) - 1n,
    text: `waybill ${digest === null ? 0 : 1} ${position} ${n} ${time} ${hex} ${prevs ?? '-'}`,
    isAltered: made === null || (digest !== null && !digest.equals(made)) || !isErasedAsBuildsDo(row),
    ...halvesOf(row),
    says: saidOfLog({ ...row, position: BigInt(position) }),
  };
}

/** Null if no build writes such a row: its columns have not as many parts as it has events. */
function digestOf({ n, data, streams, ids, ...row }: SegmentToCheck): Buffer | null {
  const counts = [streams.length, ids.length, data.split('\n').length, row.private?.split('\n').length ?? n];
  if (counts.some((count) => count !== n) || row.salts?.length !== saltsOf(n, row)) return null;
  return segmentDigest({ ...row, streams, ids, lines: data });
}

/** How many bytes of salts belong to a row; undefined without private halves. */
const saltsOf = (n: number, { private: halves }: Pick<SegmentToCheck, 'private'>): number | undefined =>
  halves === null ? undefined : n * SALT_BYTES;
