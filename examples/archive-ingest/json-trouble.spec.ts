import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonTrouble } from './json-trouble.js';

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON of which one piece was removed, doubled, or replaced by a character with a meaning in JSON. */
const damaged = fc
  .tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.nat(6), fc.constantFrom(...'{}[],:"\\-.0eEtu \n\u0001é'.split(''), ''))
  .map(([text, at, length, put]) => {
    const from = at % (text.length + 1);
    return text.slice(0, from) + put + text.slice(from + length);
  });

describe('jsonTrouble', () => {
  it('finds an error exactly where JSON.parse does', () => {
    fc.assert(
      fc.property(damaged, (text) => {
        expect(jsonTrouble(text) === null).toBe(parses(text));
      }),
      { numRuns: 3_000 },
    );
  });

  it('finds an error as soon as no continuation of the text can be JSON', () => {
    fc.assert(
      fc.property(damaged, (text) => {
        const trouble = jsonTrouble(text);
        // The text after the place does not matter.
        if (trouble && trouble.at < text.length && text[trouble.at] !== '"') {
          expect(jsonTrouble(`${text.slice(0, trouble.at + 8)} more`)?.at).toBe(trouble.at);
        }
      }),
    );
  });

  it.each([
    ['', 0, 'the file ends where a value should be'],
    ['{ // why', 2, "there is '/' where a property name or '}' should be"],
    ['{"a": 1,}', 8, "there is '}' where a property name in double quotes should be"],
    ["{'a': 1}", 1, "there is ''' where a property name or '}' should be"],
    ['[1, 2', 5, "the file ends where ',' or ']' should be"],
    ['[1 2]', 3, "there is '2' where ',' or ']' should be"],
    ['[1, ]', 4, "there is ']' where a value should be"],
    ['{"a" 1}', 5, "there is '1' where ':' should be"],
    ['{"a": 1]', 7, "there is ']' where ',' or '}' should be"],
    ['{} {}', 3, "there is '{' where the end of the file should be"],
    ['[undefined]', 1, "there is 'u' where a value or ']' should be"],
    ['["a\nb"]', 3, 'there is a line break or another control character within a text'],
    ['["\\x"]', 2, 'there is a backslash that escapes nothing'],
    ['{"a": "b', 6, 'begins a text that is not closed'],
    ['[01]', 2, "there is '1' where ',' or ']' should be"],
    ['😀', 0, "there is '😀' where a value should be"],
  ])('describes the error in %j: at %i, %s', (text, at, words) => {
    expect(jsonTrouble(text)).toEqual({ at, words });
  });

  it('reads texts nested deeper than the stack, and strings of several megabytes', () => {
    const depth = 200_000;
    expect(jsonTrouble('['.repeat(depth) + ']'.repeat(depth))).toBeNull();
    expect(jsonTrouble(`"${'a\\n'.repeat(2 ** 20)}"`)).toBeNull();
    expect(jsonTrouble(`"${'a\\n'.repeat(2 ** 20)}`)).toEqual({ at: 0, words: 'begins a text that is not closed' });
  });
});
