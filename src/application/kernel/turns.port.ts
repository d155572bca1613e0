/**
 * The turns of definitions that are checked against others: of what a trigger leads to, of a step's need of a resource, of a
 * resource's end. Checked together, each would pass without the other.
 */
export abstract class Turns {
  /** Does the work while nothing else, in any process, does work that was given here. The work must not ask for a turn itself. */
  abstract alone<T>(work: () => Promise<T>): Promise<T>;
}
