/**
 * A fault of a request and its place: a JSON pointer into the body, or `#/query/`, `#/path/` or `#/headers/` with the
 * parameter's name.
 */
export interface InputFault {
  readonly pointer: string;
  readonly detail: string;
}

/** The request is invalid. Nothing was decided and nothing recorded. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';
  constructor(readonly faults: readonly InputFault[]) {
    super(faults.map(({ pointer, detail }) => `${pointer}: ${detail}`).join('\n'));
  }
}

/** The path as a JSON pointer (RFC 6901). */
export const pointerTo = (path: readonly string[]): string =>
  path.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** The length of a text for a message. */
export const lengthOf = (text: string): string =>
  `text of ${text.length} ${text.length === 1 ? 'character' : 'characters'}`;

/** The kind of `value` for a message. Shows no content, because it may be secret or long. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'string') return value === '' ? 'empty text' : lengthOf(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
