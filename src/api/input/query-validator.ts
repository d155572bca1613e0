import { isObject } from './fields.js';
import { InvalidInput } from './invalid-input.js';
import { Validator } from './validator.js';

/** Makes a parameter's text what its class says; leaves what it does not understand for the class to refuse. */
export type Reader = (given: unknown) => unknown;

export const wholeNumber: Reader = (given) =>
  typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : given;

export const flag: Reader = (given) => (given === 'true' ? true : given === 'false' ? false : given);

/** What an operation's query parameters must look like. Over HTTP they are text, in process they may be values already. */
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

/** The value of a path parameter, if it is one. */
export function pathParameter(
  name: string,
  value: string,
  accepts: (value: string) => boolean,
  expected: string,
): string {
  if (accepts(value)) return value;
  throw new InvalidInput([
    { pointer: `#/path/${name}`, detail: `Expected ${expected}, but got text of ${value.length} characters` },
  ]);
}
