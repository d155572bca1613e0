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
export const newId = (): string => generator.generate().toString();
