import fc from 'fast-check';
import { jsonBytesAtMost } from '../../../src/application/tasks/json-size.js';
import type { Json } from '../../../src/domain/kernel/json.js';

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe('jsonBytesAtMost', () => {
  it('is never less than the bytes of the JSON text, for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        expect(jsonBytesAtMost(value as Json)).toBeGreaterThanOrEqual(bytesOf(value));
      }),
    );
  });

  it.each([
    ['control characters, which are escaped', '\u0000'.repeat(100)],
    ['lone surrogates, which are escaped', '\ud800'.repeat(100)],
    ['the longest number', -1.2345678901234567e-123],
    ['names that are escaped', { ['\u0001'.repeat(50)]: true }],
  ])('holds for %s', (_, value) => {
    expect(jsonBytesAtMost(value as Json)).toBeGreaterThanOrEqual(bytesOf(value));
  });

  it('has no bound for a value with a toJSON method', () => {
    expect(jsonBytesAtMost(new Date() as unknown as Json)).toBe(Infinity);
  });
});
