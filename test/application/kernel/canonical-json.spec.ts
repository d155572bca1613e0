import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { canonicalSha256 } from '../../../src/application/kernel/canonical-json.js';

/** The numbers are those of the example of RFC 8785, section 3.2.2. */
describe('the digest of a value', () => {
  it('is that of its canonical JSON, whatever the order of members', () => {
    const one = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3],"string":"\\u20ac$","literals":[null,true]}',
    );
    const other = JSON.parse('{"literals":[null,true],"string":"€$","numbers":[333333333.3333333,1e30,4.5,0.002]}');
    expect(canonicalSha256(one)).toBe(canonicalSha256(other));
    expect(canonicalSha256({ b: 1, a: [{ d: 1, c: undefined }] })).toBe(
      createHash('sha256').update('{"a":[{"d":1}],"b":1}').digest('hex'),
    );
  });
});
