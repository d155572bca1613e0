import { stripVTControlCharacters } from 'node:util';

/** More is no excerpt. */
const MOST_CHARACTERS = 2_000;

type Holds<Values extends unknown[]> = (...values: Values) => Promise<void>;

/**
 * Of properties that are tried side by side, the first that fails is told at once, and is made shorter for so long: after that, whatever is tried passes, so that fast-check ends with
 * the shortest so far. The others end, because one failure is enough.
 */
export class FirstFailure {
  private first: { readonly of: object; readonly until: number } | null = null;

  constructor(
    private readonly mostMs: number,
    private readonly tell: (difference: string) => void,
    private readonly now: () => number = Date.now,
  ) {}

  /** What one of the properties tries. */
  within<Values extends unknown[]>(holds: Holds<Values>): Holds<Values> {
    const tried: Holds<Values> = async (...values) => {
      if (this.isOver(tried)) return;
      try {
        await holds(...values);
      } catch (error) {
        if (this.isFirst(tried, error)) throw error;
      }
    };
    return tried;
  }

  private isOver(tried: object): boolean {
    return this.first !== null && (this.first.of !== tried || this.now() >= this.first.until);
  }

  private isFirst(tried: object, error: unknown): boolean {
    if (this.first === null) {
      this.first = { of: tried, until: this.now() + this.mostMs };
      this.tell(differenceIn(error));
    }
    return this.first.of === tried;
  }
}

/** The beginning of what an error says. */
export function differenceIn(error: unknown): string {
  const said = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
  return said.length > MOST_CHARACTERS ? `${said.slice(0, MOST_CHARACTERS)}…` : said;
}

/** What differs comes first in the error, because those who report only a part of it leave out its cause. */
export const differenceFirst =
  (again: string) =>
  (error: Error): never => {
    const parts = [differenceIn(error.cause), error.message, `To play the same lives again: ${again}`];
    throw new Error(parts.join('\n\n'), { cause: error });
  };
