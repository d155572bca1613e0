/** Which tasks of a key stand failed or undecided. */
export abstract class KeyFailures {
  /** Task ids; possibly out of date by now, which superseding them does not mind. */
  abstract of(queue: string, key: string): Promise<readonly string[]>;
}
