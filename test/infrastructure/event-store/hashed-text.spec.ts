import { describe, expect, it } from '@jest/globals';
import { HashedText } from '../../../src/infrastructure/event-codec/hashed-text.js';

const LINE_BREAK = 10;

const bytesOf = (part: string): string => {
  const text = new HashedText(1_000);
  text.add('<');
  text.addPart(part, LINE_BREAK);
  return text.bytes().toString();
};

describe('a text that is hashed', () => {
  it.each(['', 'a', 'waybill 1 ', 'x'.repeat(64), 'x'.repeat(65), 'äöü', 'a\u{1F600}b', `${'x'.repeat(70)}ß`])(
    'has the bytes of %j in UTF-8',
    (part) => expect(bytesOf(part)).toBe(`<${part}\n`),
  );

  it('never has the bytes of a text with other characters, of which a byte holds the end only', () => {
    expect(bytesOf('\u0141\u0142')).not.toBe(bytesOf('AB'));
    expect(bytesOf('AB\u0141')).toBe('<AB\u0141\n');
  });
});
