import { isObject } from './fields.js';
import { InvalidInput, type InputFault } from './invalid-input.js';
import { Shape } from './shapes.js';

/** Makes a parameter's text what its class says; leaves what it does not understand for the class to refuse. */
export type Reader = (given: unknown) => unknown;

export const wholeNumber: Reader = (given) =>
  typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : given;

export const flag: Reader = (given) => (given === 'true' ? true : given === 'false' ? false : given);

/** A parameter that may be repeated. */
export const repeated: Reader = (given) => (given === undefined || Array.isArray(given) ? given : [given]);

/** What an operation's query parameters must look like. Over HTTP they are text, in process they may be values already. */
export class QueryShape<T extends object> extends Shape<T> {
  constructor(
    model: new () => T,
    private readonly readers: { readonly [K in keyof T]?: Reader } = {},
  ) {
    super(model);
  }

  override of(input: unknown): T {
    return super.of(this.read(input ?? {}));
  }

  protected override faultsIn(query: unknown): readonly InputFault[] {
    return super.faultsIn(query).map(({ pointer, detail }) => ({ pointer: `#/query${pointer}`, detail }));
  }

  private read(query: unknown): unknown {
    if (!isObject(query)) return query;
    const readers = this.readers as Readonly<Record<string, Reader>>;
    return Object.fromEntries(Object.entries(query).map(([name, given]) => [name, readers[name]?.(given) ?? given]));
  }
}

/** The value of a path parameter, if it is one. */
export function pathParameter(name: string, value: string, accepts: (value: string) => boolean, expected: string): string {
  if (accepts(value)) return value;
  throw new InvalidInput([{ pointer: `#/path/${name}`, detail: `Expected ${expected}, but got text of ${value.length} characters` }]);
}
