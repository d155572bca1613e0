/** An event as the fixture stores it. `position` is both commit and prepare, as for a server's ordinary events. */
export interface StoredEvent {
  readonly id: string;
  readonly stream: string;
  readonly revision: bigint;
  readonly position: bigint;
  readonly type: string;
  readonly contentType: string;
  /** .NET ticks since the Unix epoch. */
  readonly created: string;
  readonly metadata: Uint8Array;
  readonly data: Uint8Array;
}

export interface Truncation {
  readonly maxCount?: number;
  readonly maxAge?: number;
  readonly before?: number;
}

/** `$tb` of a soft-deleted stream. It is text, because no JavaScript number can hold it. */
export const DELETED_BEFORE = '9223372036854775807';
/** The revision at which a tombstone is shown. */
export const TOMBSTONE_REVISION = 9_223_372_036_854_775_807n;

export const metastreamOf = (stream: string): string => `$$${stream}`;
export const isMetastream = (stream: string): boolean => stream.startsWith('$$');
export const isSystemStream = (stream: string): boolean => stream.startsWith('$');

/** The limits that the newest metadata event sets for its stream. Invalid metadata sets none. */
export function truncationOf(metadata: StoredEvent | undefined): Truncation {
  if (!metadata) return {};
  try {
    const { $maxCount, $maxAge, $tb } = JSON.parse(Buffer.from(metadata.data).toString()) as Record<string, unknown>;
    const given = [$maxCount, $maxAge, $tb].filter((value) => value !== undefined);
    if (!given.every((value) => Number.isInteger(value))) return {};
    return { maxCount: $maxCount as number, maxAge: $maxAge as number, before: $tb as number };
  } catch {
    return {};
  }
}

export const isSoftDeleted = ({ before }: Truncation): boolean =>
  before !== undefined && before >= Number(DELETED_BEFORE);

/** The events that a read of the stream returns. */
export function visibleOf(events: readonly StoredEvent[], { maxCount, maxAge, before }: Truncation): StoredEvent[] {
  const first = Math.max(0, maxCount === undefined ? 0 : events.length - maxCount, before ?? 0);
  const oldest = maxAge === undefined ? 0n : BigInt(Date.now() - maxAge * 1_000) * 10_000n;
  return events.slice(first).filter(({ created }) => BigInt(created) >= oldest);
}
