import type { Json, PrerequisiteResult } from '@waybill/contracts';

/** What a task waited for, with the results. */
export class PrerequisiteResults implements Iterable<PrerequisiteResult> {
  constructor(private readonly items: readonly PrerequisiteResult[]) {}

  get size(): number {
    return this.items.length;
  }

  /** In the order of their ids. */
  [Symbol.iterator](): Iterator<PrerequisiteResult> {
    return this.items.values();
  }

  /**
   * The result of the prerequisite with this id, reference or key, or of the only one of this kind: null if it gave none. Throws if
   * there is no such prerequisite, or more than one.
   */
  of(name: string): Json {
    const found = NAMES.map((member) => this.items.filter((one) => one[member] === name)).find(
      ({ length }) => length > 0,
    );
    if (found?.length === 1) return found[0]!.result as Json;
    throw new RangeError(
      `Expected one prerequisite with the id, reference, key or kind '${name}', but ${found?.length ?? 'none'} of ${this.size} have it`,
    );
  }
}

/** From the name that is least often shared. */
const NAMES = ['id', 'reference', 'key', 'kind'] as const;
