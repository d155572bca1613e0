import { describe, expect, it, jest } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { mismatchIn, SCHEMA_BYTES, schemaFault } from '../../../src/application/kernel/json-schema.js';

describe('a schema', () => {
  it.each([
    [{}, null],
    [{ $ref: '#/$defs/id', $defs: { id: { type: 'string', format: 'uuid' } } }, null],
    [{ type: 'array', uniqueItems: true, maxItems: 1_000 }, null],
    [{ type: 'object', anyOf: [{ required: ['id'] }, { required: ['reference'] }] }, null],
    [{ type: 'object', properties: { to: { type: 'string', example: 'ann' } }, example: { uniqueItems: true } }, null],
    [{ type: 'text' }, /type must be equal to one of the allowed values/],
    [{ typ: 'string' }, 'strict mode: unknown keyword: "typ"'],
    [{ $ref: 'https://example.com/order.json' }, /can't resolve reference https:\/\/example.com\/order.json/],
    [{ type: 'string', pattern: '(?=a)b' }, /invalid or unsupported Perl syntax/i],
    [{ type: 'string', format: 'colour' }, /unknown format "colour"/],
    [{ $async: true }, "'$async' is not allowed"],
    [{ properties: { ids: { uniqueItems: true } } }, "'uniqueItems' needs a 'maxItems' of at most 1000 beside it"],
    [{ uniqueItems: true, maxItems: 1_001 }, "'uniqueItems' needs a 'maxItems' of at most 1000 beside it"],
    [{ $defs: { ids: { uniqueItems: true } }, $ref: '#/$defs/ids' }, /^'uniqueItems' needs a 'maxItems'/],
    [{ prefixItems: [{ uniqueItems: true }] }, /^'uniqueItems' needs a 'maxItems'/],
    [{ $ref: '#/const', const: { uniqueItems: true } }, /^'uniqueItems' needs a 'maxItems'/],
    [{ enum: [{ uniqueItems: true }], default: { uniqueItems: true }, examples: [{ uniqueItems: true }] }, null],
    [{ const: { uniqueItems: true }, properties: { uniqueItems: true, enum: {} } }, null],
    [{ properties: { enum: { uniqueItems: true } } }, /^'uniqueItems' needs a 'maxItems'/],
    [{ title: 'x'.repeat(SCHEMA_BYTES) }, `it has ${SCHEMA_BYTES + 12} bytes, and ${SCHEMA_BYTES} are allowed`],
  ])('%j is refused with its fault, or taken', (schema, fault) => {
    const found = schemaFault(schema);
    if (fault instanceof RegExp) expect(found).toMatch(fault);
    else expect(found).toBe(fault);
  });
});

describe('a value', () => {
  const order = {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'integer' },
      lines: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string', pattern: '^[A-Z]+$' } } } },
    },
    patternProperties: { '^x-': { type: 'boolean' } },
    additionalProperties: false,
  };

  it.each([
    [{ id: 1, lines: [{ sku: 'AB' }], 'x-gift': true }, null],
    [{}, { at: '', because: "must have required property 'id'" }],
    [null, { at: '', because: 'must be object' }],
    [{ id: '1' }, { at: '/id', because: 'must be integer' }],
    [
      { id: 1, lines: [{}, { sku: 'a b' }] },
      { at: '/lines/1/sku', because: 'must match pattern "^[A-Z]+$"' },
    ],
    [
      { id: 1, 'x-gift': 1 },
      { at: '/x-gift', because: 'must be boolean' },
    ],
    [
      { id: 1, total: 2 },
      { at: '', because: "must NOT have additional properties: 'total'" },
    ],
  ])('%j matches, or the first place is named where it does not', (value, mismatch) => {
    expect(mismatchIn(order, value)).toEqual(mismatch);
  });

  it('need not be the example that the schema shows', () => {
    expect(mismatchIn({ type: 'string', example: 'ann' }, 'bob')).toBeNull();
    expect(mismatchIn({ type: 'string', example: 'ann' }, 1)).toEqual({ at: '', because: 'must be string' });
  });

  it('is matched against a pattern in linear time', () => {
    const nested = { type: 'string', pattern: '^(a+)+$' };
    expect(mismatchIn(nested, `${'a'.repeat(50_000)}b`)).toMatchObject({ at: '' });
    expect(mismatchIn(nested, 'a'.repeat(50_000))).toBeNull();
  });

  it('is matched against a schema that was read again without compiling it again', () => {
    const text = '{"title":"read again","type":"string"}';
    const compiling = jest.spyOn(Ajv2020.prototype, 'compile');
    for (let read = 0; read < 3; read++)
      expect(mismatchIn(JSON.parse(text), 1)).toEqual({ at: '', because: 'must be string' });
    expect(compiling).toHaveBeenCalledTimes(1);
    compiling.mockRestore();
  });

  it('that a schema follows without an end is refused', () => {
    const endless = { $ref: '#' };
    expect(mismatchIn(endless, 1)).toEqual({ at: '', because: 'is nested too deeply to be checked' });
  });
});
