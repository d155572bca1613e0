import { recordedError } from '../../../src/application/claims/recorded-error.js';
import type { Json } from '../../../src/domain/kernel/json.js';

const KEPT = { errorStacks: true, errorClasses: 'given' } as const;
const OFF = { ...KEPT, errorStacks: false };
const GUESSED = { ...KEPT, errorClasses: 'guessed' } as const;
const recorded = (details: Json | undefined, policy: typeof KEPT | typeof OFF = KEPT) =>
  recordedError({ message: 'm', details }, policy).details;

describe('an error', () => {
  it('has the class that its worker reports', () => {
    expect(recordedError({ message: 'm' }, KEPT)).toStrictEqual({ message: 'm', class: 'application' });
    expect(recordedError({ message: 'm', class: 'bug' }, KEPT)).toStrictEqual({ message: 'm', class: 'bug' });
  });

  it('has a class that is guessed if the policy says so and the worker reports none', () => {
    const error = { message: 'm', details: { reason: 'business' } };
    expect(recordedError(error, GUESSED)).toStrictEqual({ ...error, class: 'business' });
    expect(recordedError({ ...error, class: 'bug' }, GUESSED)).toStrictEqual({ ...error, class: 'bug' });
    expect(recordedError(error, KEPT)).toStrictEqual({ ...error, class: 'application' });
  });

  it.each<Json>([
    { stack: 'Error: m' },
    { stack: 'Error: m', line: 3 },
    { stack: 7 },
    { stack: null },
    [1],
    'text',
    null,
  ])('keeps its details: %j', (details) => {
    expect(recorded(details)).toEqual(details);
  });

  it.each<[Json, Json | undefined]>([
    [{ stack: 'Error: m' }, undefined],
    [{ stack: 'Error: m', line: 3 }, { line: 3 }],
    [{ stack: { frames: [] }, line: 3 }, { line: 3 }],
    [{ line: 3 }, { line: 3 }],
    [['stack'], ['stack']],
    ['stack', 'stack'],
    [null, null],
  ])('has no stack if the policy says so: %j', (details, rest) => {
    expect(recorded(details, OFF)).toEqual(rest);
    expect(Object.keys(recordedError({ message: 'm', details }, OFF)).includes('details')).toBe(rest !== undefined);
  });

  it.each(['x', 'é', '€', '😀'])('has a stack of at most 8 KiB, cut between characters and marked: %s', (character) => {
    for (const before of ['', 'a', 'ab', 'abc']) {
      const { stack, line } = recorded({ stack: before + character.repeat(9_000), line: 3 }) as any;
      expect(Buffer.byteLength(stack)).toBeLessThanOrEqual(8_192);
      expect(Buffer.byteLength(stack)).toBeGreaterThan(8_192 - 4);
      expect(stack).toMatch(new RegExp(`^${before}(${character})+\n… cut at 8 KiB$`, 'u'));
      expect(line).toBe(3);
    }
    expect(recorded({ stack: 'x'.repeat(8_192) })).toEqual({ stack: 'x'.repeat(8_192) });
  });
});
