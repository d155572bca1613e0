import { describe, expect, it } from '@jest/globals';
import { stackOf } from '../../src/worker/stack.js';

/** An error with a known stack. */
const failing = (message: string, more: object = {}): Error => {
  const error = new Error(message);
  error.stack = `Error: ${message}\n    at work (mail.ts:1:1)`;
  return Object.assign(error, more);
};
const FRAME = '\n    at work (mail.ts:1:1)';
const bytesOf = (text: string): number => Buffer.byteLength(text);
const CUT = '\n… cut at 8 KiB';

const unreadable = {
  get(): never {
    throw new Error('Expected nobody to read this');
  },
};

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

describe('the stack of an error', () => {
  it('contains the place where it was thrown', () => {
    expect(stackOf(new TypeError('no such address'))).toMatch(/^TypeError: no such address\n +at .*stack\.spec\.ts/);
  });

  it.each([['text'], [undefined], [null], [7], [Symbol('s')], [{ message: 'm' }], [Object.create(null)], [revoked()]])(
    'is undefined if there is only a message: %#',
    (thrown) => {
      expect(stackOf(thrown)).toBeUndefined();
    },
  );

  it('continues with its causes, down to the first', () => {
    const cause = failing('no route', { cause: failing('unplugged') });
    expect(stackOf(failing('not sent', { cause }))).toBe(
      `Error: not sent${FRAME}\nCaused by: Error: no route${FRAME}\nCaused by: Error: unplugged${FRAME}`,
    );
  });

  it.each<[unknown, string]>([
    ['just text', 'just text'],
    [7, '7'],
    [{ message: 'm' }, 'm'],
    [revoked(), 'Expected an error with a message, but got a object without one'],
  ])('describes a cause that is no error: %#', (cause, told) => {
    expect(stackOf(failing('m', { cause }))).toBe(`Error: m${FRAME}\nCaused by: ${told}`);
    expect(stackOf({ message: 'm', cause })).toBe(`m\nCaused by: ${told}`);
  });

  it.each([[null], [undefined]])('has no cause if that is %s', (cause) => {
    expect(stackOf(failing('m', { cause }))).toBe(`Error: m${FRAME}`);
  });

  it('continues with each of several errors', () => {
    const all = new AggregateError([failing('a'), 'b', failing('c', { cause: 'd' })], 'none of them answered');
    all.stack = 'AggregateError: none of them answered';
    expect(stackOf(all)).toBe(
      [
        'AggregateError: none of them answered',
        `One of its errors: Error: a${FRAME}`,
        'One of its errors: b',
        `One of its errors: Error: c${FRAME}`,
        'Caused by: d',
      ].join('\n'),
    );
  });

  it('ends if the causes form a circle', () => {
    const one = failing('one');
    const two = failing('two', { cause: one });
    Object.assign(one, { cause: two, errors: [one] });
    expect(stackOf(one)).toBe(
      `Error: one${FRAME}\nCaused by: Error: two${FRAME}\nCaused by: one (as above)\nOne of its errors: one (as above)`,
    );
  });

  it('contains the parts that can be read', () => {
    const error = failing('m');
    Object.defineProperty(error, 'cause', unreadable);
    Object.defineProperty(error, 'errors', unreadable);
    expect(stackOf(error)).toBe(`Error: m${FRAME}`);
    const mute = Object.defineProperty(new Error('m', { cause: 'c' }), 'stack', unreadable);
    expect(stackOf(mute)).toBe('m\nCaused by: c');
    const items = Object.defineProperty([failing('a'), null], 1, unreadable);
    expect(stackOf(failing('m', { errors: items }))).toContain('One of its errors: undefined');
    expect(stackOf(failing('m', { errors: revoked() }))).toBe(`Error: m${FRAME}`);
  });

  it('keeps its frames and its cause if the message is long', () => {
    const stack = stackOf(failing('x'.repeat(40_000), { cause: failing('y'.repeat(40_000)) }))!;
    expect(stack).toBe(`Error: ${'x'.repeat(1_000)}…${FRAME}\nCaused by: Error: ${'y'.repeat(1_000)}…${FRAME}`);
  });

  it.each(['x', 'é', '€', '😀'])('is cut at 8 KiB, at the boundary of a character, and says so: %s', (character) => {
    for (const before of ['', 'a', 'ab', 'abc']) {
      const stack = stackOf(failing('m', { stack: before + character.repeat(9_000) }))!;
      expect(bytesOf(stack)).toBeLessThanOrEqual(8_192);
      expect(bytesOf(stack)).toBeGreaterThan(8_192 - 4);
      expect(stack).toMatch(new RegExp(`^${before}(${character})+${CUT}$`, 'u'));
    }
  });

  it('is not cut at exactly 8 KiB', () => {
    const text = 'x'.repeat(8_192);
    expect(stackOf(failing('m', { stack: text }))).toBe(text);
    expect(stackOf(failing('m', { stack: `${text}x` }))).toMatch(/x\n… cut at 8 KiB$/);
  });

  it('ends even if the causes never end', () => {
    const endless = (): Error =>
      Object.defineProperty(new Error('again'), 'cause', { get: endless, configurable: true }) as Error;
    expect(bytesOf(stackOf(endless())!)).toBeLessThanOrEqual(8_192);
    expect(bytesOf(stackOf(failing('m', { errors: new Array<unknown>(1e9) }))!)).toBeLessThanOrEqual(8_192);
  });

  it('has a mark in place of characters that cannot be stored', () => {
    expect(stackOf(failing('m', { stack: 'a\0b\ud83d' }))).toBe('a\ufffdb\ufffd');
  });
});
