/**
 * Passes arrays of records as parameters in Postgres' binary form. `pg` sends a Buffer unchanged, and the server reads
 * it without parsing text. As text, the values of one task's life took 26 us more, on the earlier machine of
 * docs/performance.md.
 *
 * The layout (`array_recv`, `record_recv`) is big-endian: number of dimensions, whether there are nulls, element type,
 * length, lower bound; then per record its length and number of columns, and per column its type, its length (-1 for
 * null) and its bytes.
 */
const HEADER_BYTES = 20;
const UUID_BYTES = 16;
const NULL_LENGTH = -1;

const JSONB_VERSION = 1;

/** Type numbers of Postgres (`pg_type.oid`). */
const BOOL = 16;
const BYTEA = 17;
const INT4 = 23;
const INT8 = 20;
const TEXT = 25;
const JSONB = 3802;
const UUID = 2950;
const TIMESTAMPTZ = 1184;
const INT4_ARRAY = 1007;
const UUID_ARRAY = 2951;

/**
 * Stands for one of our own types, whose number the server knows. Since version 14, Postgres accepts any number that is
 * not a built-in type's.
 */
const OWN_TYPE = 10_000;

const POSTGRES_EPOCH_MS = 946_684_800_000;

/** The argument with which a writer reveals its columns: a row whose every value is its own name. */
const NAMES = new Proxy({}, { get: (_, name) => name });

/**
 * A composite type of the database. `write` writes the values of a row, each with the method for its column's type. The
 * type's columns are those that it writes, named like the row's properties. The writers are written out, because a loop
 * over columns made a task's life 6 us slower, of 86.
 */
export class RecordType<Row extends object> {
  readonly columns: ReadonlyMap<string, string>;

  constructor(
    readonly name: string,
    readonly write: (to: ColumnWriter, row: Row) => void,
  ) {
    const columns = new Map<string, string>();
    const list = new Proxy(
      {},
      { get: (_, type: string) => (name: string, of?: RecordType<object>) => columns.set(name, of?.name ?? type) },
    );
    write(list as ColumnWriter, NAMES as Row);
    this.columns = columns;
  }

  get create(): string {
    const columns = [...this.columns].map(
      ([name, type]) => `${name} ${type.endsWith('s') ? `${type.slice(0, -1)}[]` : type}`,
    );
    return `create type ${this.name} as (${columns.join(', ')})`;
  }
}

type Nothing = null | undefined;

/**
 * A growing buffer, with a method for each type of column. Numbers are written through a DataView, which is compiled to
 * one store. A Buffer's own methods call four functions for each, and a task's life writes 85 numbers.
 */
export class ColumnWriter {
  bytes: Buffer;
  at = 0;
  private view: DataView;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafe(size);
    this.view = viewOf(this.bytes);
  }

  int4(value: number | Nothing): void {
    if (value === null || value === undefined) return this.nothing(INT4);
    this.begin(INT4, 4);
    this.number(integer(value));
  }

  bool(value: boolean | Nothing): void {
    if (value === null || value === undefined) return this.nothing(BOOL);
    this.begin(BOOL, 1);
    this.bytes[this.at++] = value ? 1 : 0;
  }

  /** A whole number, as decimal text where it may be too large for a number. */
  int8(value: string | number | Nothing): void {
    if (value === null || value === undefined) return this.nothing(INT8);
    this.begin(INT8, 8);
    this.long(BigInt(value));
  }

  /** RFC 3339 text. */
  timestamptz(value: string | Nothing): void {
    if (value === null || value === undefined) return this.nothing(TIMESTAMPTZ);
    this.begin(TIMESTAMPTZ, 8);
    this.long(BigInt(Date.parse(value) - POSTGRES_EPOCH_MS) * 1000n);
  }

  text(value: string | Nothing): void {
    if (value === null || value === undefined) return this.nothing(TEXT);
    this.makeRoom(8 + value.length * 3);
    const length = this.bytes.write(value, this.at + 8);
    this.begin(TEXT, length);
    this.at += length;
  }

  jsonb(value: object | Nothing): void {
    if (value === null || value === undefined) return this.nothing(JSONB);
    const text = JSON.stringify(value);
    this.makeRoom(9 + text.length * 3);
    const length = this.bytes.write(text, this.at + 9);
    this.begin(JSONB, 1 + length);
    this.bytes[this.at] = JSONB_VERSION;
    this.at += 1 + length;
  }

  record<Row extends object>(row: Row | Nothing, type: RecordType<Row>): void {
    if (row === null || row === undefined) return this.nothing(OWN_TYPE);
    this.begin(OWN_TYPE, 0);
    this.columns(row, type);
  }

  /** The columns of a record, after its length. */
  columns<Row extends object>(row: Row, type: RecordType<Row>): void {
    const start = this.at;
    this.makeRoom(4);
    this.number(type.columns.size);
    type.write(this, row);
    this.numberAt(start - 4, this.at - start);
  }

  /** In the canonical form with dashes. */
  uuid(value: string | Nothing): void {
    if (value === null || value === undefined) return this.nothing(UUID);
    this.begin(UUID, UUID_BYTES);
    this.uuidBytes(value);
  }

  bytea(value: Uint8Array | Nothing): void {
    if (value === null || value === undefined) return this.nothing(BYTEA);
    this.begin(BYTEA, value.length);
    this.bytes.set(value, this.at);
    this.at += value.length;
  }

  uuids(value: readonly string[]): void {
    this.beginArray(UUID_ARRAY, UUID, value.length, UUID_BYTES);
    for (const element of value) {
      this.number(UUID_BYTES);
      this.uuidBytes(element);
    }
  }

  int4s(value: readonly number[] | Nothing): void {
    if (value === null || value === undefined) return this.nothing(INT4_ARRAY);
    this.beginArray(INT4_ARRAY, INT4, value.length, 4);
    for (const element of value) {
      this.number(4);
      this.number(integer(element));
    }
  }

  makeRoom(bytes: number): void {
    if (this.at + bytes <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(this.bytes.length * 2 + bytes);
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
    this.view = viewOf(larger);
  }

  /** Writes four bytes, for which there is room. */
  number(value: number): void {
    this.view.setInt32(this.at, value);
    this.at += 4;
  }

  /** Overwrites four bytes. */
  numberAt(at: number, value: number): void {
    this.view.setInt32(at, value);
  }

  private begin(type: number, length: number): void {
    this.makeRoom(8 + length);
    this.number(type);
    this.number(length);
  }

  /** An array of one dimension without nulls. */
  private beginArray(type: number, element: number, length: number, bytesEach: number): void {
    this.begin(type, HEADER_BYTES + length * (4 + bytesEach));
    for (const part of [1, 0, element, length, 1]) this.number(part);
  }

  private uuidBytes(value: string): void {
    let to = this.at;
    for (let from = 0; from < 36; from += 2) {
      if (from === 8 || from === 13 || from === 18 || from === 23) from++;
      this.bytes[to++] = (nibble(value.charCodeAt(from)) << 4) | nibble(value.charCodeAt(from + 1));
    }
    this.at = to;
  }

  private nothing(type: number): void {
    this.makeRoom(8);
    this.number(type);
    this.number(NULL_LENGTH);
  }

  private long(value: bigint): void {
    if (BigInt.asIntN(64, value) !== value) throw new RangeError(`Expected an integer of 64 bits, but got ${value}`);
    this.view.setBigInt64(this.at, value);
    this.at += 8;
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Buffer): DataView => new DataView(buffer, byteOffset, byteLength);

/** A DataView would cut off the bits of a larger number. */
function integer(value: number): number {
  if ((value | 0) === value) return value;
  throw new RangeError(`Expected an integer of 32 bits, but got ${value}`);
}

/** The value of a hexadecimal digit in either case. */
const nibble = (code: number): number => (code & 15) + (code > 57 ? 9 : 0);

export class RecordArray<Row extends object> {
  private readonly to: ColumnWriter;
  private count = 0;

  /** `capacity`: the number of records of `bytesEach` for which it has room before it grows. */
  constructor(
    private readonly type: RecordType<Row>,
    capacity: number,
    bytesEach: number,
  ) {
    this.to = new ColumnWriter(HEADER_BYTES + capacity * bytesEach);
    this.to.at = HEADER_BYTES;
  }

  get length(): number {
    return this.count;
  }

  add(row: Row): void {
    const { to, type } = this;
    to.makeRoom(4);
    to.number(0);
    to.columns(row, type);
    this.count++;
  }

  /** The parameter's value. Valid until the next record is added. */
  value(): Buffer {
    const { to, count } = this;
    const header = [count === 0 ? 0 : 1, 0, OWN_TYPE, count, 1];
    header.forEach((part, index) => to.numberAt(index * 4, part));
    return to.bytes.subarray(0, count === 0 ? 12 : to.at);
  }
}
