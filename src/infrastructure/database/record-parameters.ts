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

/** Type numbers of Postgres (`pg_type.oid`). */
const BOOL = 16;
const INT4 = 23;
const INT8 = 20;
const TEXT = 25;
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
    const list = new Proxy({}, { get: (_, type: string) => (name: string) => columns.set(name, type) });
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

/** A growing buffer, with a method for each type of column. */
export class ColumnWriter {
  bytes: Buffer;
  at = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafe(size);
  }

  int4(value: number | Nothing): void {
    if (value === null || value === undefined) return this.nothing(INT4);
    this.begin(INT4, 4);
    this.at = this.bytes.writeInt32BE(value, this.at);
  }

  bool(value: boolean | Nothing): void {
    if (value === null || value === undefined) return this.nothing(BOOL);
    this.begin(BOOL, 1);
    this.at = this.bytes.writeInt8(value ? 1 : 0, this.at);
  }

  /** A decimal number as text. */
  int8(value: string | Nothing): void {
    if (value === null || value === undefined) return this.nothing(INT8);
    this.begin(INT8, 8);
    this.at = this.bytes.writeBigInt64BE(BigInt(value), this.at);
  }

  /** RFC 3339 text. */
  timestamptz(value: string | Nothing): void {
    if (value === null || value === undefined) return this.nothing(TIMESTAMPTZ);
    this.begin(TIMESTAMPTZ, 8);
    this.at = this.bytes.writeBigInt64BE(BigInt(Date.parse(value) - POSTGRES_EPOCH_MS) * 1000n, this.at);
  }

  text(value: string | Nothing): void {
    if (value === null || value === undefined) return this.nothing(TEXT);
    this.makeRoom(8 + value.length * 3);
    const length = this.bytes.write(value, this.at + 8);
    this.begin(TEXT, length);
    this.at += length;
  }

  /** In the canonical form with dashes. */
  uuid(value: string | Nothing): void {
    if (value === null || value === undefined) return this.nothing(UUID);
    this.begin(UUID, UUID_BYTES);
    this.uuidBytes(value);
  }

  uuids(value: readonly string[]): void {
    this.beginArray(UUID_ARRAY, UUID, value.length, UUID_BYTES);
    for (const element of value) {
      this.at = this.bytes.writeInt32BE(UUID_BYTES, this.at);
      this.uuidBytes(element);
    }
  }

  int4s(value: readonly number[] | Nothing): void {
    if (value === null || value === undefined) return this.nothing(INT4_ARRAY);
    this.beginArray(INT4_ARRAY, INT4, value.length, 4);
    for (const element of value) {
      this.at = this.bytes.writeInt32BE(4, this.at);
      this.at = this.bytes.writeInt32BE(element, this.at);
    }
  }

  makeRoom(bytes: number): void {
    if (this.at + bytes <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(this.bytes.length * 2 + bytes);
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
  }

  private begin(type: number, length: number): void {
    this.makeRoom(8 + length);
    this.bytes.writeInt32BE(type, this.at);
    this.at = this.bytes.writeInt32BE(length, this.at + 4);
  }

  /** An array of one dimension without nulls. */
  private beginArray(type: number, element: number, length: number, bytesEach: number): void {
    this.begin(type, HEADER_BYTES + length * (4 + bytesEach));
    for (const part of [1, 0, element, length, 1]) this.at = this.bytes.writeInt32BE(part, this.at);
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
    this.bytes.writeInt32BE(type, this.at);
    this.at = this.bytes.writeInt32BE(NULL_LENGTH, this.at + 4);
  }
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
    to.makeRoom(8);
    const start = to.at;
    to.at = to.bytes.writeInt32BE(type.columns.size, start + 4);
    type.write(to, row);
    to.bytes.writeInt32BE(to.at - start - 4, start);
    this.count++;
  }

  /** The parameter's value. Valid until the next record is added. */
  value(): Buffer {
    const { bytes, at } = this.to;
    const header = [this.count === 0 ? 0 : 1, 0, OWN_TYPE, this.count, 1];
    header.forEach((part, index) => bytes.writeInt32BE(part, index * 4));
    return bytes.subarray(0, this.count === 0 ? 12 : at);
  }
}
