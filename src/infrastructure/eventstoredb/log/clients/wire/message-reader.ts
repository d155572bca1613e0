/** How a value is written: as a number of variable length, as so many bytes, or with a length before it. */
const NUMBER = 0;
const EIGHT_BYTES = 1;
const TEXT = 2;
const FOUR_BYTES = 5;

/** Seven bits each: what a double holds exactly. */
const EXACT_BYTES = 7;
const MOST_BYTES = 10;

/**
 * Reads a message in protobuf's wire format, field by field. A value that is not asked for is passed over. Throws a `RangeError`
 * if the message ends within a value, or is none.
 */
export class MessageReader {
  /** The number of the field. */
  field = 0;
  private kind = NUMBER;
  private isOpen = false;

  constructor(
    private readonly bytes: Buffer,
    private at = 0,
    private readonly end = bytes.length,
  ) {}

  /** Goes on to the next field; false if there is none. */
  next(): boolean {
    if (this.isOpen) this.pass();
    if (this.at === this.end) return false;
    const tag = this.size();
    this.field = Math.floor(tag / 8);
    this.kind = tag % 8;
    this.isOpen = true;
    return true;
  }

  /** An unsigned number of 64 bits. */
  number(): bigint {
    this.isOpen = false;
    let [value, factor, read] = [0, 1, 0];
    for (let byte = 128; byte >= 128; read += 1) {
      if (read === EXACT_BYTES) return BigInt.asUintN(64, BigInt(value) + this.rest());
      byte = this.byte();
      value += (byte & 127) * factor;
      factor *= 128;
    }
    return BigInt(value);
  }

  /** Shares the memory of the message. */
  content(): Buffer {
    const from = this.begin();
    return this.bytes.subarray(from, this.at);
  }

  text(): string {
    const from = this.begin();
    return this.bytes.toString('utf8', from, this.at);
  }

  message(): MessageReader {
    const from = this.begin();
    return new MessageReader(this.bytes, from, this.at);
  }

  /** Goes behind a value with a length, and returns where it begins. */
  private begin(): number {
    this.isOpen = false;
    const length = this.size();
    const from = this.at;
    this.skip(length);
    return from;
  }

  private pass(): void {
    if (this.kind === NUMBER) this.number();
    else if (this.kind === TEXT) this.begin();
    else if (this.kind === EIGHT_BYTES) this.skip(8);
    else if (this.kind === FOUR_BYTES) this.skip(4);
    else throw new RangeError(`Expected a value of a known kind, but got kind ${this.kind}`);
    this.isOpen = false;
  }

  /** The upper bits of a number. */
  private rest(): bigint {
    let [value, factor] = [0, 1];
    for (let read = EXACT_BYTES; read < MOST_BYTES; read += 1) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) break;
      factor *= 128;
    }
    return BigInt(value) << 49n;
  }

  /** A number that is a tag or a length. */
  private size(): number {
    const first = this.byte();
    if (first < 128) return first;
    let [value, factor] = [first & 127, 128];
    for (let read = 1; read < EXACT_BYTES; read += 1) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
    throw new RangeError(`Expected a length, but got more than ${EXACT_BYTES} bytes`);
  }

  private byte(): number {
    if (this.at >= this.end)
      throw new RangeError(`Expected a value at ${this.at}, but the message ends at ${this.end}`);
    return this.bytes[this.at++]!;
  }

  private skip(bytes: number): void {
    if (this.at + bytes > this.end)
      throw new RangeError(`Expected ${bytes} bytes at ${this.at}, but the message ends at ${this.end}`);
    this.at += bytes;
  }
}
