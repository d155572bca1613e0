/**
 * Writes a message in protobuf's wire format, from its last field to its first: the length of a part, which stands before it, is known
 * once it is written. Fields that are numbered in turn are therefore written in reverse.
 */
export class MessageWriter {
  private at: number;

  constructor(private buffer = Buffer.allocUnsafe(2_048)) {
    this.at = buffer.length;
  }

  /** The whole message. */
  get message(): Buffer {
    return this.buffer.subarray(this.at);
  }

  /** A signed number, which the format folds so that small ones are short. */
  signed(field: number, value: number): void {
    this.unsigned(value < 0 ? -2 * value - 1 : 2 * value);
    this.unsigned(field * 8);
  }

  /** An unsigned number, also one of an enumeration. */
  number(field: number, value: number): void {
    this.unsigned(value);
    this.unsigned(field * 8);
  }

  text(field: number, value: string): void {
    const bytes = Buffer.byteLength(value);
    this.grow(bytes);
    this.at -= bytes;
    this.buffer.write(value, this.at);
    this.close(field, bytes);
  }

  part(field: number, write: () => void): void {
    const end = this.buffer.length - this.at;
    write();
    this.close(field, this.buffer.length - this.at - end);
  }

  private close(field: number, bytes: number): void {
    this.unsigned(bytes);
    this.unsigned(field * 8 + 2);
  }

  /** Seven bits to a byte, the lowest first; all but the last byte say that another follows. */
  private unsigned(value: number): void {
    let bytes = 1;
    for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) bytes += 1;
    this.grow(bytes);
    this.at -= bytes;
    let rest = value;
    for (let at = this.at; at < this.at + bytes - 1; at += 1) {
      this.buffer[at] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.buffer[this.at + bytes - 1] = rest;
  }

  private grow(bytes: number): void {
    if (bytes <= this.at) return;
    const written = this.message;
    const larger = Buffer.allocUnsafe(2 * (this.buffer.length + bytes));
    this.at = larger.length - written.length;
    written.copy(larger, this.at);
    this.buffer = larger;
  }
}
