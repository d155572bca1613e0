/** The ranges of a queue's charts, as its address and the service name them. */
export const RANGES = { '1h': '1h', '6h': '6h', '24h': '24h', '7d': '168h', '30d': '720h' } as const;

export type Range = keyof typeof RANGES;

export const DEFAULT_RANGE: Range = '1h';

/** A part of a chart that somebody drew: two times. */
export interface Part {
  readonly since: string;
  readonly until: string;
}

export const rangeOf = (text: string | undefined): Range =>
  text !== undefined && text in RANGES ? (text as Range) : DEFAULT_RANGE;
