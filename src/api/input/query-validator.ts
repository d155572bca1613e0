import { isObject } from './fields.js';
import { InvalidInput, lengthOf } from './invalid-input.js';
import { Validator } from './validator.js';

/**
 * Converts a parameter's text to the type in its class. Returns text that it cannot convert unchanged, so that the
 * class refuses it.
 */
export type Reader = (given: unknown) => unknown;

export const wholeNumber: Reader = (given) =>
  typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : given;

export const flag: Reader = (given) => (given === 'true' ? true : given === 'false' ? false : given);

/** Validates an operation's query parameters. Over HTTP they are text; in process they may already be values. */
export class QueryValidator<T extends object> extends Validator<T> {
  private readonly readers: ReadonlyMap<string, Reader>;

  constructor(model: new () => T, readers: { readonly [K in keyof T]?: Reader } = {}) {
    super(model, '#/query');
    this.readers = new Map(Object.entries<Reader | undefined>(readers) as [string, Reader][]);
  }

  protected override read(query: unknown): unknown {
    if (!isObject(query)) return query;
    const entries = Object.entries(query).map(([name, given]) => [name, this.readers.get(name)?.(given) ?? given]);
    return Object.fromEntries(entries);
  }
}

/** The path parameter, if it is valid. Throws `InvalidInput` otherwise. */
export function pathParameter(
  name: string,
  value: string,
  accepts: (value: string) => boolean,
  expected: string,
): string {
  if (accepts(value)) return value;
  throw new InvalidInput([{ pointer: `#/path/${name}`, detail: `Expected ${expected}, but got ${lengthOf(value)}` }]);
}
