/** Most texts fit. */
const scratch = Buffer.allocUnsafeSlow(65_536);

/**
 * A text that grows as bytes. Hashing a string that is put together of small ones takes twice as long, because Node must
 * first gather it.
 */
export class HashedText {
  private readonly to: Buffer;
  private end = 0;

  /** `most`: the bytes that it may have. Each takes the place of the one before. */
  constructor(most: number) {
    this.to = most <= scratch.length ? scratch : Buffer.allocUnsafe(most);
  }

  add(text: string): void {
    const { to, end } = this;
    if (text.length > FEW_BYTES) return this.write(text);
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      // Written anew, because a byte has no room for it: another text could have the same bytes.
      if (code > LAST_OF_ASCII) return this.write(text);
      to[end + at] = code;
    }
    this.end = end + text.length;
  }

  private write(text: string): void {
    this.end += this.to.write(text, this.end);
  }

  /** A part of a line, and the character that follows it. */
  addPart(part: string, then: number): void {
    if (part.length === 1) this.to[this.end++] = part.charCodeAt(0);
    else this.add(part);
    this.to[this.end++] = then;
  }

  /** Bytes of UTF-8. */
  addAll(from: Buffer, start: number, end: number): void {
    if (end - start > FEW_BYTES) this.end += from.copy(this.to, this.end, start, end);
    else for (let at = start; at < end; at++) this.to[this.end++] = from[at]!;
  }

  /** Bytes as hexadecimal digits, and the character that follows them. */
  addHex(from: Buffer, start: number, end: number, then: number): void {
    const { to } = this;
    let at = this.end;
    for (let byte = start; byte < end; byte++) {
      to[at++] = DIGITS[from[byte]! >> 4]!;
      to[at++] = DIGITS[from[byte]! & 15]!;
    }
    to[at++] = then;
    this.end = at;
  }

  /** Bytes of UTF-8, and the character that follows them. */
  addBytes(from: Buffer, start: number, end: number, then: number): void {
    this.addAll(from, start, end);
    this.to[this.end++] = then;
  }

  /** A UUID of 16 bytes as text, and the character that follows it. */
  addUuid(from: Buffer, start: number, then: number): void {
    const { to } = this;
    let { end } = this;
    for (let at = 0; at < 16; at++) {
      if (at === 4 || at === 6 || at === 8 || at === 10) to[end++] = DASH;
      const byte = from[start + at]!;
      to[end++] = DIGITS[byte >> 4]!;
      to[end++] = DIGITS[byte & 15]!;
    }
    to[end++] = then;
    this.end = end;
  }

  bytes(): Buffer {
    return this.to.subarray(0, this.end);
  }
}

/** A loop copies so few faster than a call of the system's library. */
const FEW_BYTES = 64;
const LAST_OF_ASCII = 127;
const DASH = 45;
const DIGITS = Buffer.from('0123456789abcdef');
