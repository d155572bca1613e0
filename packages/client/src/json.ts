/** JSON text of `value`. Refuses, by name, the numbers that JSON would silently change. */
export function encodeJson(value: unknown): string {
  return JSON.stringify(value, exact) ?? 'null';
}

const utf8 = new TextEncoder();

/** The bytes of `text` as UTF-8. */
export const byteLength = (text: string): number => utf8.encode(text).length;

function exact(name: string, value: unknown): unknown {
  if (typeof value === 'bigint') throw inexact(name, `${value}n`);
  if (typeof value === 'number' && !isExact(value)) throw inexact(name, String(value));
  return value;
}

const isExact = (value: number): boolean =>
  Number.isFinite(value) && (Number.isSafeInteger(value) || !Number.isInteger(value));

const inexact = (name: string, value: string): TypeError =>
  new TypeError(
    `Expected values that JSON carries exactly, but ${name === '' ? 'the value' : `'${name}'`} is ${value}: ` +
      'send integers beyond 2^53 as text, and no NaN or Infinity',
  );
