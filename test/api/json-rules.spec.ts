import fc from 'fast-check';
import { faultInJson, MAX_DEPTH } from '../../src/api/input/json-rules.js';

/** The pointer to the first fault; null if there is none. */
const faultAt = (value: unknown): string | null => faultInJson(value)?.pointer ?? null;

const nested = (levels: number, leaf: unknown = 1): unknown => (levels === 0 ? leaf : [nested(levels - 1, leaf)]);

it.each([
  ['an integer past 2^53 - 1', '{"a":[0,9007199254740993]}', '/a/1'],
  ['one below -(2^53 - 1)', '{"a":-9007199254740993}', '/a'],
  ['one with an exponent', '{"a":1e16}', '/a'],
  ['one with a useless fraction', '{"a":9007199254740993.0}', '/a'],
  ['a number that overflows', '{"a":{"b":1e400}}', '/a/b'],
  ['NUL', '{"a":"x\\u0000"}', '/a'],
  ['NUL in a name', '{"a":{"x\\u0000":1}}', '/a/x\0'],
  ['half of a surrogate pair', '["\\ud800"]', '/0'],
  ['the other half', '["\\udc00x"]', '/0'],
  ['__proto__', '{"a":{"__proto__":1}}', '/a/__proto__'],
  ['__proto__, escaped', '{"\\u005f_proto__":1}', '/__proto__'],
  ['constructor', '[{"constructor":{"prototype":1}}]', '/0/constructor'],
  ['prototype', '{"prototype":1}', '/prototype'],
])('refuses %s with a pointer to it', (_, text, pointer) => {
  expect(faultAt(JSON.parse(text))).toBe(pointer);
});

it.each([
  ['the largest exact integers', '[9007199254740991,-9007199254740991]'],
  ['fractions', '[0.1,1.5e-300,3.141592653589793238]'],
  ['pairs of surrogates', '["😀"]'],
  ['names that only look alike', '{"__proto":1,"constructors":1}'],
])('accepts %s', (_, text) => {
  expect(faultAt(JSON.parse(text))).toBeNull();
});

it('escapes pointers', () => {
  expect(faultAt({ 'a/b~c': '\0' })).toBe('/a~1b~0c');
});

it(`accepts ${MAX_DEPTH} levels and refuses one more`, () => {
  expect(faultAt(nested(MAX_DEPTH))).toBeNull();
  expect(faultAt(nested(MAX_DEPTH + 1))).toBe('/0'.repeat(MAX_DEPTH));
  expect(faultAt(JSON.parse('['.repeat(1e6) + ']'.repeat(1e6)))).toBe('/0'.repeat(MAX_DEPTH));
});

it('refuses values that callers in process can pass and JSON cannot represent', () => {
  const circle: unknown[] = [];
  circle.push(circle);
  for (const value of [10n, () => 1, Symbol('a'), new Date(), new Map(), NaN, Infinity, circle]) {
    expect(faultAt({ value })).toMatch(/^\/value/);
  }
  expect(faultAt({ value: undefined })).toBeNull();
});

it('accepts everything that JSON returns unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false, maxDepth: 8 }), (value) => {
      if (faultAt(value) !== null) return;
      expect(JSON.parse(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(JSON.parse(JSON.stringify(value)))));
    }),
  );
});

it('refuses every number that JSON.parse would change', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (integer) => {
      const kept = BigInt(JSON.parse(String(integer)) as number) === integer;
      if (!kept) expect(faultAt(JSON.parse(`{"n":${integer}}`))).toBe('/n');
    }),
  );
});
