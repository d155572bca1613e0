import type { SegmentToCheck } from './checked-segment.js';

/** A row of the table `segments` with its lists and its time as Postgres writes them as text. */
export interface SegmentRow {
  readonly position: string;
  readonly n: number;
  readonly category: string;
  readonly type: string;
  readonly version: number;
  readonly meta: string;
  readonly shared: string | null;
  readonly streams: string;
  readonly revisions: string | null;
  readonly prevs: string | null;
  readonly ids: string;
  readonly data: string;
  readonly private: string | null;
  readonly salts: Buffer | null;
  readonly digest: Buffer | null;
  readonly recorded_at: string;
  readonly [column: string]: unknown;
}

/** Whatever somebody wrote into the row, it is taken as it is: what is no list or time makes another digest or leaf. */
export const storedSegment = (row: SegmentRow): SegmentToCheck => ({
  position: row.position,
  n: row.n,
  category: row.category,
  type: row.type,
  version: row.version,
  time: leafTime(row.recorded_at),
  meta: row.meta,
  shared: row.shared,
  streams: listIn(row.streams),
  revisions: row.revisions === null ? null : listIn(row.revisions).map(Number),
  prevs: row.prevs,
  ids: listIn(row.ids),
  data: row.data,
  private: row.private,
  salts: row.salts,
  digest: row.digest,
});

/** Of UUIDs or numbers, which Postgres never quotes. */
const listIn = (text: string): readonly string[] => text.slice(1, -1).split(',');

/** `2026-11-27 10:00:00.12+00` as leaves have it: `2026-11-27T10:00:00.120000Z`. Connections are in UTC. */
const leafTime = (text: string): string =>
  `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(6, '0')}Z`;
