/** Finds the tasks of a key that are failed or undecided. */
export abstract class KeyFailures {
  /** Task ids. The list may be out of date, which does not matter for superseding. */
  abstract of(queue: string, key: string): Promise<readonly string[]>;
}
