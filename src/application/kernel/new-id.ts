import { V7Generator } from 'uuidv7';

/** Draws random numbers in advance. The library draws eight at a time, with which an id cost 2.1 µs instead of 1.3. */
class DrawnInAdvance {
  private readonly numbers = new Uint32Array(1024);
  private next = this.numbers.length;

  nextUint32(): number {
    if (this.next === this.numbers.length) {
      crypto.getRandomValues(this.numbers);
      this.next = 0;
    }
    return this.numbers[this.next++]!;
  }
}

const generator = new V7Generator(new DrawnInAdvance());

/** A new UUIDv7 (RFC 9562), greater than every earlier one of this process. */
export const newId = (): string => canonical(generator.generate().bytes);

const TEXT = Buffer.alloc(36, '-');
const DIGITS = Buffer.from('0123456789abcdef');

/** The library puts 36 strings together, which took three fifths of an id's time and five sixths of its memory. */
function canonical(bytes: Readonly<Uint8Array>): string {
  let to = 0;
  for (let from = 0; from < bytes.length; from++) {
    if (from === 4 || from === 6 || from === 8 || from === 10) to++;
    const byte = bytes[from]!;
    TEXT[to++] = DIGITS[byte >>> 4]!;
    TEXT[to++] = DIGITS[byte & 15]!;
  }
  return TEXT.toString('latin1');
}
