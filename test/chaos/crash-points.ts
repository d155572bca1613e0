/**
 * The points at which a service can be killed: see `crashing-service.ts` for where each of them is. Two are passed only
 * if the events are in another store.
 */
export const CRASH_POINTS = [
  'after-reserve',
  'before-append',
  'after-append',
  'before-confirm',
  'before-answer',
  'after-answer',
  'before-checkpoint',
  'after-checkpoint',
  'before-chunk',
  'after-chunk',
  'within-cascade',
  'within-drain',
  'within-operation',
  'before-items',
  'after-items',
  'after-job',
  'after-firing',
] as const;

export type CrashPoint = (typeof CRASH_POINTS)[number];

export interface Crash {
  readonly point: CrashPoint;
  /** The number of the passage at which to kill, from 1. */
  readonly passage: number;
}

export const crashText = ({ point, passage }: Crash): string => `${point}:${passage}`;

/** Parses what `crashText` wrote. */
export function parseCrash(text: string): Crash {
  const [point, passage] = text.split(':');
  const crash = { point: CRASH_POINTS.find((one) => one === point), passage: Number(passage) };
  if (crash.point && crash.passage >= 1) return crash as Crash;
  throw new Error(`Expected a crash such as 'after-append:40', but got '${text}'`);
}

/** The last line that the process prints. */
export const lastWords = (crash: Crash): string => `killed at ${crashText(crash)}`;
