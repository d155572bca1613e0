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
interface OutagePeriod {
  readonly began: number;
  /** What is said if it was no outage. */
  readonly unsaid: Map<string, () => void>;
  isTold: boolean;
  endedAt: number;
}

/** Which outage an error belongs to. */
const periodOf = new WeakMap<object, OutagePeriod>();

/**
 * Tells once that a store went away and once that it is back, however many wait for it. It is away if a call fails that
 * began after another one had failed, with none served between. One lost call is no outage.
 */
export class Outage {
  private readonly logger: Logger;
  private period: OutagePeriod | null = null;
  private last: OutagePeriod | null = null;

  constructor(private readonly words: OutageWords) {
    this.logger = new Logger(words.of);
  }

  /** A call that began at this time (`performance.now()`) was served. */
  reached(began: number): void {
    if (this.period !== null && began > this.period.began) this.end(this.period);
  }

  /** What was served until now broke off. */
  lost(error: Error): void {
    periodOf.set(error, this.periodAt(performance.now()));
  }

  /** A call that began at this time was not served. */
  missed(error: Error, began: number): void {
    const period = this.periodAt(began);
    periodOf.set(error, period);
    if (period !== this.period || period.isTold || began <= period.began) return;
    period.isTold = true;
    period.unsaid.clear();
    this.logger.warn(`${this.words.gone}: ${error.message}`);
  }

  private periodAt(began: number): OutagePeriod {
    const { last } = this;
    if (last && began <= last.endedAt + (last.isTold ? SETTLING_MS : 0)) return last;
    return (this.period ??= { began: performance.now(), unsaid: new Map(), isTold: false, endedAt: Infinity });
  }

  private end(period: OutagePeriod): void {
    this.period = null;
    this.last = period;
    period.endedAt = performance.now();
    if (period.isTold) this.logger.log(`${this.words.back} ${((period.endedAt - period.began) / 1_000).toFixed(1)} s`);
    for (const say of period.unsaid.values()) say();
    period.unsaid.clear();
  }
}

/**
 * Says a line about an error, but not if a store was away: that is told once. While this is not known yet, the line
 * waits, and equal ones become one.
 */
export function sayUnlessAway(error: unknown, line: string, say: (line: string) => void): void {
  const period = periodBehind(error);
  if (period?.isTold) return;
  if (period && period.endedAt === Infinity) period.unsaid.set(line, () => say(line));
  else say(line);
}

function periodBehind(error: unknown): OutagePeriod | undefined {
  if (!(error instanceof Error)) return undefined;
  return periodOf.get(error) ?? periodBehind(error.cause);
}
