import type { CopiedRow } from '../database/copy-out.js';
import { storedMicroseconds } from './stored-time.js';

/** What is read of a row of the table `segments`, in the order of `COLUMN`. Lists that are nearly always null or short are read as text. */
export const SEGMENT_COLUMNS = `s.position::int8, s.n::int4, s.category::text, s.type::text, s.version::text, s.recorded_at::timestamptz, s.meta::text, s.shared::text,
     s.streams, s.revisions::text, s.prevs::text, s.ids, s.data::text, s.private::text, s.salts, s.digest`;

const COLUMN = {
  position: 0,
  n: 1,
  category: 2,
  type: 3,
  version: 4,
  time: 5,
  meta: 6,
  shared: 7,
  streams: 8,
  revisions: 9,
  prevs: 10,
  ids: 11,
  data: 12,
  private: 13,
  salts: 14,
  digest: 15,
} as const;
export type SegmentColumn = keyof typeof COLUMN;

/**
 * How a list begins in binary, in integers of 32 bits: one dimension, no nulls, the type `uuid`, the length, and the first index. Each element follows
 * with its length and bytes.
 */
const LIST_OF_UUIDS = [1, 0, 2950, null, 1] as const;
const LIST_HEAD = LIST_OF_UUIDS.length * 4;
const UUID_BYTES = 16;
const UUID_STRIDE = 4 + UUID_BYTES;

/** What a bigint of Postgres has room for. */
export const LAST_POSITION = 2n ** 63n - 1n;

const LINE_BREAK = 10;
const ERASED = 35;

/** A text that most rows have as the one before: to compare it takes a tenth of the time of making it. */
class SameText {
  private bytes = Buffer.alloc(0);
  private text = '';

  of(from: Buffer, start: number, end: number): string {
    if (!this.isSame(from, start, end)) {
      this.bytes = Buffer.from(from.subarray(start, end));
      this.text = this.bytes.toString();
    }
    return this.text;
  }

  private isSame(from: Buffer, start: number, end: number): boolean {
    const { bytes } = this;
    if (end - start !== bytes.length) return false;
    for (let at = 0; at < bytes.length; at++) if (bytes[at] !== from[start + at]) return false;
    return true;
  }
}

const [CATEGORY, TYPE] = [new SameText(), new SameText()];

/** A row of the table `segments` as it is stored, valid as long as the row is. Whatever somebody wrote into it, it is taken as it is. */
export class StoredSegment {
  readonly n: number;

  constructor(private readonly row: CopiedRow) {
    this.n = row.bytes.readInt32BE(row.start(COLUMN.n));
  }

  get bytes(): Buffer {
    return this.row.bytes;
  }

  get position(): bigint {
    return this.bytes.readBigInt64BE(this.start('position'));
  }

  /** That of its last event; its own if it claims to have none, so that whoever reads on behind it does not come back to it. */
  get last(): bigint {
    const last = this.position + BigInt(Math.max(this.n, 1) - 1);
    return last < LAST_POSITION ? last : LAST_POSITION;
  }

  get category(): string {
    return CATEGORY.of(this.bytes, this.start('category'), this.end('category'));
  }

  get type(): string {
    return TYPE.of(this.bytes, this.start('type'), this.end('type'));
  }

  start(column: SegmentColumn): number {
    return this.row.start(COLUMN[column]);
  }

  end(column: SegmentColumn): number {
    return this.row.end(COLUMN[column]);
  }

  isNull(column: SegmentColumn): boolean {
    return this.row.isNull(COLUMN[column]);
  }

  text(column: SegmentColumn): string | null {
    return this.row.text(COLUMN[column]);
  }

  /** The envelope of all, as JSON text. */
  get meta(): string {
    return this.text('meta')!;
  }

  /** The public half of each event, in a line. */
  get data(): string {
    return this.text('data')!;
  }

  /** When it was recorded, in microseconds since 2000; NaN if no build writes such a time. */
  get microseconds(): number {
    return storedMicroseconds(this.bytes, this.start('time'));
  }

  /** Whether it has this digest, in hex, or none, as rows that builds without digests wrote. */
  mayHaveDigest(hex: string): boolean {
    return this.isNull('digest') || this.bytes.toString('hex', this.start('digest'), this.end('digest')) === hex;
  }

  get streams(): readonly string[] {
    return this.isListOfUuids('streams') ? Array.from({ length: this.n }, (_, at) => this.stream(at)) : [];
  }

  /** Null if all are 0. One element if all are alike. */
  get revisions(): readonly string[] | null {
    return this.text('revisions')?.slice(1, -1).split(',') ?? null;
  }

  /** Null if there are no private halves. */
  get salts(): Buffer | null {
    return this.isNull('salts') ? null : this.bytes.subarray(this.start('salts'), this.end('salts'));
  }

  /** Whether a private half may be erased. */
  get hasMark(): boolean {
    if (this.isNull('private')) return false;
    const at = this.bytes.indexOf(ERASED, this.start('private'));
    return at !== -1 && at < this.end('private');
  }

  /** Whether what all events have in common is so short that it is the mark for nothing, and no object. */
  get sharesMark(): boolean {
    return !this.isNull('shared') && this.end('shared') - this.start('shared') === 1;
  }

  /** Whether it has as many streams, ids and public halves as events, and salts only with private halves. */
  get hasListsOfAll(): boolean {
    return (
      this.isListOfUuids('streams') &&
      this.isListOfUuids('ids') &&
      this.linesOfData() === this.n &&
      this.isNull('private') === this.isNull('salts')
    );
  }

  /** Where the bytes of the UUID of an event are, if the list is one. */
  uuidAt(column: 'streams' | 'ids', at: number): number {
    return this.start(column) + LIST_HEAD + at * UUID_STRIDE + 4;
  }

  private stream(at: number): string {
    const start = this.uuidAt('streams', at);
    const hex = this.bytes.toString('hex', start, start + UUID_BYTES);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  private isListOfUuids(column: 'streams' | 'ids'): boolean {
    const { bytes, n } = this;
    const start = this.start(column);
    if (this.end(column) - start !== LIST_HEAD + n * UUID_STRIDE) return false;
    for (let at = 0; at < LIST_OF_UUIDS.length; at++)
      if (bytes.readInt32BE(start + at * 4) !== (LIST_OF_UUIDS[at] ?? n)) return false;
    for (let at = 0; at < n; at++) if (bytes.readInt32BE(this.uuidAt(column, at) - 4) !== UUID_BYTES) return false;
    return true;
  }

  private linesOfData(): number {
    const [start, end] = [this.start('data'), this.end('data')];
    let lines = 1;
    for (let at = start; at < end; at++) if (this.bytes[at] === LINE_BREAK) lines++;
    return lines;
  }
}
