import { getMetadataStorage } from 'class-validator';
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
  private readonly showsPast: boolean;

  constructor(
    model: new () => T,
    readers: { readonly [K in keyof T]?: Reader } = {},
    /** Why the operation does not answer as of a moment, if there is more to say than that. */
    private readonly onlyPresent?: string,
  ) {
    super(model, '#/query');
    const fields = getMetadataStorage().getTargetValidationMetadatas(model, '', false, false);
    this.showsPast = fields.some(({ propertyName }) => propertyName === 'asOf');
    this.readers = new Map(Object.entries<Reader | undefined>(readers) as [string, Reader][]);
  }

  protected override read(query: unknown): unknown {
    if (!isObject(query)) return query;
    if (this.onlyPresent !== undefined) assertNoMoment(query, this.onlyPresent);
    const entries = Object.entries(this.showsPast ? withMoment(query) : query).map(([name, given]) => [
      name,
      this.readers.get(name)?.(given) ?? given,
    ]);
    return Object.fromEntries(entries);
  }
}

export const isMoment = (name: string): boolean => name === 'asOf' || name === 'at';

/** What is said of a moment that an operation does not take. */
export const noMoment = (name: string, because: string): string => `Expected no '${name}', because ${because}`;

/** Throws `InvalidInput` if the query names a moment: its answer would be about now. */
function assertNoMoment(query: object, because: string): void {
  const given = Object.keys(query).filter(isMoment);
  if (given.length === 0) return;
  throw new InvalidInput(given.map((name) => ({ pointer: `#/query/${name}`, detail: noMoment(name, because) })));
}

/** `at`, as links to a moment have it, is another name of `asOf`. */
function withMoment(query: object): object {
  if (!('at' in query)) return query;
  const { at, ...others } = query;
  if (!('asOf' in query)) return { ...others, asOf: at };
  throw new InvalidInput([{ pointer: '#/query/at', detail: "Expected 'at' or 'asOf', but got both" }]);
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
