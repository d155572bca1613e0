/**
 * Array parameters in Postgres' binary form. `pg` sends a Buffer as it is, and the server takes it without parsing text:
 * the 49 values that a task's life passes cost it 26 us as text literals on the earlier machine of docs/performance.md.
 *
 * Layout (`array_recv`): dimensions, whether there are nulls, element type, length, lower bound; then per element its length
 * (-1 for null) and its bytes, big-endian throughout.
 */
const HEADER_BYTES = 20;
const NULL_LENGTH = -1;

/** Type numbers of Postgres (`pg_type.oid`). */
const INT4 = 23;
const INT8 = 20;
const TEXT = 25;
const UUID = 2950;
const TIMESTAMPTZ = 1184;

const POSTGRES_EPOCH_MS = 946_684_800_000;

class ArrayParameter {
  protected bytes: Buffer;
  protected at = HEADER_BYTES;
  private count = 0;
  private hasNull = false;

  constructor(
    private readonly type: number,
    elementBytes: number,
    capacity: number,
  ) {
    this.bytes = Buffer.allocUnsafe(HEADER_BYTES + capacity * (4 + elementBytes));
  }

  get length(): number {
    return this.count;
  }

  /** The parameter. Valid until the next element is added. */
  value(): Buffer {
    this.bytes.writeInt32BE(this.count === 0 ? 0 : 1, 0);
    this.bytes.writeInt32BE(this.hasNull ? 1 : 0, 4);
    this.bytes.writeInt32BE(this.type, 8);
    this.bytes.writeInt32BE(this.count, 12);
    this.bytes.writeInt32BE(1, 16);
    return this.bytes.subarray(0, this.count === 0 ? 12 : this.at);
  }

  addNull(): void {
    this.hasNull = true;
    this.begin(NULL_LENGTH, 0);
  }

  /** Makes room for an element of up to `room` bytes and writes its length; answers where its bytes begin. May replace `bytes`. */
  protected begin(length: number, room: number): number {
    if (this.at + 4 + room > this.bytes.length) this.grow(room);
    this.bytes.writeInt32BE(length, this.at);
    this.count++;
    return (this.at += 4);
  }

  private grow(room: number): void {
    const larger = Buffer.allocUnsafe(this.bytes.length * 2 + room);
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
  }
}

export class Int4Array extends ArrayParameter {
  constructor(capacity: number) {
    super(INT4, 4, capacity);
  }

  add(value: number): void {
    const start = this.begin(4, 4);
    this.at = this.bytes.writeInt32BE(value, start);
  }
}

export class Int8Array extends ArrayParameter {
  constructor(capacity: number) {
    super(INT8, 8, capacity);
  }

  /** A decimal number. */
  add(value: string): void {
    const start = this.begin(8, 8);
    this.at = this.bytes.writeBigInt64BE(BigInt(value), start);
  }
}

export class TimestampArray extends ArrayParameter {
  constructor(capacity: number) {
    super(TIMESTAMPTZ, 8, capacity);
  }

  /** RFC 3339 text; null for none. */
  add(time: string | null): void {
    if (time === null) return this.addNull();
    const start = this.begin(8, 8);
    this.at = this.bytes.writeBigInt64BE(BigInt(Date.parse(time) - POSTGRES_EPOCH_MS) * 1000n, start);
  }
}

export class TextArray extends ArrayParameter {
  constructor(capacity: number, bytesEach: number) {
    super(TEXT, bytesEach, capacity);
  }

  add(text: string | null): void {
    if (text === null) return this.addNull();
    const start = this.begin(0, text.length * 3);
    const length = this.bytes.write(text, start);
    this.bytes.writeInt32BE(length, start - 4);
    this.at = start + length;
  }
}

export class UuidArray extends ArrayParameter {
  constructor(capacity: number) {
    super(UUID, 16, capacity);
  }

  /** In the canonical form with dashes; null for none. */
  add(uuid: string | null): void {
    if (uuid === null) return this.addNull();
    let to = this.begin(16, 16);
    for (let from = 0; from < 36; from += 2) {
      if (from === 8 || from === 13 || from === 18 || from === 23) from++;
      this.bytes[to++] = (nibble(uuid.charCodeAt(from)) << 4) | nibble(uuid.charCodeAt(from + 1));
    }
    this.at = to;
  }
}

/** Of a hexadecimal digit in either case. */
const nibble = (code: number): number => (code & 15) + (code > 57 ? 9 : 0);
