/** Every option of `Options`, so that the compiler says if one is missing here. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

/** Refuses an option that nobody reads, such as a misspelt one, which would be left out unseen. */
export function assertKnown<Options>(of: string, given: object, known: OptionNames<Options>): void {
  const unknown = Object.entries(given).find(([name, value]) => value !== undefined && !(name in known));
  if (unknown === undefined) return;
  throw new TypeError(`Expected ${of} to have options of ${Object.keys(known).join(', ')}, but got '${unknown[0]}'`);
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
