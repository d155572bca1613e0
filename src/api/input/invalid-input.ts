/** One thing that is wrong with a request, and where: a JSON pointer into the body, or the parameter's name behind `#`. */
export interface InputFault {
  readonly pointer: string;
  readonly detail: string;
}

/** The request was not understood. Nothing was decided and nothing recorded. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';
  constructor(readonly faults: readonly InputFault[]) {
    super(faults.map(({ pointer, detail }) => `${pointer}: ${detail}`).join('\n'));
  }
}

/** The JSON pointer of RFC 6901 that the path stands for. */
export const pointerTo = (path: readonly string[]): string =>
  path.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** What `value` is, in the words of a message. Shows no content: it may be secret, and long. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'string') return value === '' ? 'empty text' : `text of ${value.length} characters`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
