import { nearestTo } from './words/nearest.js';

/** Every option of `Options`, so that the compiler says if one is missing here. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

/** Refuses an option that nobody reads, such as a misspelt one, which would be left out unseen. */
export function assertKnown<Options>(of: string, given: unknown, known: OptionNames<Options>): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new TypeError(
      `Expected the options of ${of} to be an object, but got ${typeof given === 'string' ? `'${given}'` : String(given)}`,
    );
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && !Object.hasOwn(known, name)) throw unknownOption(of, name, Object.keys(known));
}

function unknownOption(of: string, name: string, known: readonly string[]): TypeError {
  const nearest = nearestTo(name, known);
  const meant = nearest === null ? '' : `: did you mean '${nearest}'?`;
  return new TypeError(`Expected ${of} to have options of ${known.join(', ')}, but got '${name}'${meant}`);
}

/** A time in the form to send. */
export function isoTime<None extends null | undefined = never>(
  name: string,
  time: Date | string | None,
): string | None {
  if (!(time instanceof Date)) return time;
  if (Number.isNaN(time.getTime())) throw new TypeError(`Expected ${name} to be a time, but it is an invalid date`);
  return time.toISOString();
}
