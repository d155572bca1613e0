/** An event that a page can stand at. */
export interface Stop {
  readonly position: string;
  readonly recordedAt: string;
}

/** Whether a moment is a position of the log, which no time is. */
export const isPosition = (moment: string): boolean => /^\d+$/.test(moment);

interface Neighbours {
  readonly before: Stop | null;
  readonly after: Stop | null;
}

/** The events next to a moment, of those in the order of the log. One at the very moment is where the page stands, if that is a position. */
export function around(stops: readonly Stop[], moment: string): Neighbours {
  const away = isPosition(moment)
    ? ({ position }: Stop) => Number(BigInt(position) - BigInt(moment))
    : ({ recordedAt }: Stop) => Date.parse(recordedAt) - Date.parse(moment) || -1;
  return {
    before: stops.findLast((stop) => away(stop) < 0) ?? null,
    after: stops.find((stop) => away(stop) > 0) ?? null,
  };
}

/** How far back the bar goes, and how far one step of it leads, in milliseconds. */
export const SPANS = {
  '1h': { ms: 3_600_000, step: 60_000, words: '1 min' },
  '24h': { ms: 86_400_000, step: 900_000, words: '15 min' },
  '7d': { ms: 604_800_000, step: 7_200_000, words: '2 h' },
} as const;

export type Span = keyof typeof SPANS;

export const spanOf = (text: string | undefined): Span =>
  text !== undefined && text in SPANS ? (text as Span) : '24h';
