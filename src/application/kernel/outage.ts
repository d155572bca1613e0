import { Logger } from '@nestjs/common';

/** How it is told, when it goes and when it is back. */
export interface OutageWords {
  readonly of: string;
  readonly gone: string;
  readonly back: string;
}

/** When a store is back, late failures of calls from before may still end connections that are new. */
const SETTLING_MS = 1_000;

/** From the first call that was not served until one is that began after it. */
interface Trouble {
  readonly began: number;
  /** What is said if it was no outage. */
  readonly unsaid: Map<string, () => void>;
  isTold: boolean;
  endedAt: number;
}

/** Which trouble an error belongs to. */
const troubleOf = new WeakMap<object, Trouble>();

/**
 * Tells once that a store went away and once that it is back, however many wait for it. It is away if a call fails that
 * began after another one had failed, with none served between. One lost call is no outage.
 */
export class Outage {
  private readonly logger: Logger;
  private trouble: Trouble | null = null;
  private last: Trouble | null = null;

  constructor(private readonly words: OutageWords) {
    this.logger = new Logger(words.of);
  }

  /** A call that began at this time (`performance.now()`) was served. */
  reached(began: number): void {
    if (this.trouble !== null && began > this.trouble.began) this.end(this.trouble);
  }

  /** What was served until now broke off. */
  lost(error: Error): void {
    troubleOf.set(error, this.troubleAt(performance.now()));
  }

  /** A call that began at this time was not served. */
  missed(error: Error, began: number): void {
    const trouble = this.troubleAt(began);
    troubleOf.set(error, trouble);
    if (trouble !== this.trouble || trouble.isTold || began <= trouble.began) return;
    trouble.isTold = true;
    trouble.unsaid.clear();
    this.logger.warn(`${this.words.gone}: ${error.message}`);
  }

  private troubleAt(began: number): Trouble {
    const { last } = this;
    if (last && began <= last.endedAt + (last.isTold ? SETTLING_MS : 0)) return last;
    return (this.trouble ??= { began: performance.now(), unsaid: new Map(), isTold: false, endedAt: Infinity });
  }

  private end(trouble: Trouble): void {
    this.trouble = null;
    this.last = trouble;
    trouble.endedAt = performance.now();
    if (trouble.isTold)
      this.logger.log(`${this.words.back} ${((trouble.endedAt - trouble.began) / 1_000).toFixed(1)} s`);
    for (const say of trouble.unsaid.values()) say();
    trouble.unsaid.clear();
  }
}

/**
 * Says a line about an error, but not if a store was away: that is told once. While this is not known yet, the line
 * waits, and equal ones become one.
 */
export function sayUnlessAway(error: unknown, line: string, say: (line: string) => void): void {
  const trouble = troubleBehind(error);
  if (trouble?.isTold) return;
  if (trouble && trouble.endedAt === Infinity) trouble.unsaid.set(line, () => say(line));
  else say(line);
}

function troubleBehind(error: unknown): Trouble | undefined {
  if (!(error instanceof Error)) return undefined;
  return troubleOf.get(error) ?? troubleBehind(error.cause);
}
