import fc from 'fast-check';
import { encodeJson, jsonBytesAtMost, jsonCopy } from '../src/json.js';

/** Any value that a caller may pass, except numbers that JSON would change, which are refused. */
const anything = fc
  .anything({ withDate: true, withBoxedValues: true, withMap: true, withNullPrototype: true, withSparseArray: true })
  .filter((value) => {
    try {
      encodeJson(value);
      return true;
    } catch {
      return false;
    }
  });

describe('jsonCopy', () => {
  it('equals what would be read from the JSON text, for any value', () => {
    fc.assert(
      fc.property(anything, (value) => {
        expect(jsonCopy(value)).toStrictEqual(JSON.parse(JSON.stringify(value) ?? 'null'));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['a member named __proto__', JSON.parse('{"__proto__": {"a": 1}}')],
    ['negative zero', [-0]],
    ['a boxed number', { size: Object(1) as unknown }],
    ['members that JSON leaves out', { a: undefined, b: () => 1, c: Symbol('c'), d: [undefined] }],
    ['a time', { at: new Date(0), never: new Date(NaN) }],
  ])('does so for %s', (_, value) => {
    const copy = jsonCopy(value);
    const read: unknown = JSON.parse(JSON.stringify(value));
    expect(copy).toStrictEqual(read);
    expect(Object.keys(copy as object)).toEqual(Object.keys(read as object));
    expect(Object.getPrototypeOf(copy)).toBe(Object.getPrototypeOf(read));
  });

  it('shares nothing with the value', () => {
    const value = { list: [{ a: 1 }] };
    const copy = jsonCopy(value) as typeof value;
    copy.list[0]!.a = 2;
    copy.list.push({ a: 3 });
    expect(value).toEqual({ list: [{ a: 1 }] });
  });
});

describe.each([
  ['encodeJson', encodeJson],
  ['jsonCopy', jsonCopy],
  ['jsonBytesAtMost', jsonBytesAtMost],
])('%s', (_, reads) => {
  it.each([
    ['NaN', { size: NaN }, "'size' is NaN"],
    ['an integer that is rounded', { ids: [2 ** 53] }, "'0' is 9007199254740992"],
    ['a bigint', 10n, 'the value is 10n'],
    ['the result of a toJSON method', { at: { toJSON: () => Infinity } }, "'at' is Infinity"],
  ])('refuses %s', (_case, value, message) => {
    expect(() => reads(value)).toThrow(message);
  });
});

describe('a circular value', () => {
  const circle: { self?: unknown } = {};
  circle.self = circle;

  it("ends in JSON's own error", () => {
    expect(() => encodeJson(circle)).toThrow('circular structure');
    expect(() => jsonCopy(circle)).toThrow('circular structure');
  });

  it('does so too if every level refers back more than once', () => {
    const node: { parent?: unknown; children?: unknown } = {};
    Object.assign(node, { parent: node, children: [node, node] });
    for (const reads of [encodeJson, jsonCopy, jsonBytesAtMost])
      expect(() => reads(node)).toThrow('circular structure');
  });
});

it('jsonBytesAtMost is never less than the bytes of the text', () => {
  fc.assert(
    fc.property(anything, (value) => {
      expect(jsonBytesAtMost(value)).toBeGreaterThanOrEqual(Buffer.byteLength(encodeJson(value)));
    }),
  );
});
