/** Those of the notary, in the order in which a round passes them. */
export const SEALING_POINTS = [
  'before-tree',
  'after-tree',
  'before-record',
  'within-record',
  'after-record',
  'before-seal',
  'after-seal',
  'after-seal-file',
] as const;

/**
 * The points at which a service can be killed or frozen: see `crashing-service.ts` for where each of them is. Two are passed only
 * if the events are in another store.
 */
export const CRASH_POINTS = [
  'after-reserve',
  'before-append',
  'after-append',
  'after-claim',
  'before-confirm',
  'before-answer',
  'after-answer',
  'before-checkpoint',
  'after-checkpoint',
  'before-chunk',
  'after-chunk',
  'after-enqueue',
  'within-cascade',
  'within-drain',
  'within-operation',
  'before-items',
  'after-items',
  'after-job',
  'after-firing',
  'before-copies',
  'after-copies',
  'after-opening',
  'before-delivery',
  'after-delivery',
  'after-settle',
  'before-limits',
  'after-limits',
  'before-lineage',
  'within-lineage',
  'after-lineage',
  'before-groups',
  'after-groups',
  'before-return',
  'after-return',
  'before-returned',
  'after-returned',
  'before-payload',
  'after-payload',
  'before-deletion',
  'after-deletion',
  'before-halves',
  'after-halves',
  ...SEALING_POINTS,
] as const;

export type CrashPoint = (typeof CRASH_POINTS)[number];

const SIGNALS = ['SIGKILL', 'SIGSTOP'] as const;

export interface Crash {
  readonly point: CrashPoint;
  /** The number of the passage at which it happens, from 1. */
  readonly passage: number;
  /** `SIGSTOP` freezes the process until somebody continues it. Absent: `SIGKILL`. */
  readonly signal?: (typeof SIGNALS)[number];
}

export const crashText = ({ point, passage, signal = 'SIGKILL' }: Crash): string => `${point}:${passage}:${signal}`;

/** Parses what `crashText` wrote. */
export function parseCrash(text: string): Crash {
  const [point, passage, signal] = text.split(':');
  const found = { point: CRASH_POINTS.find((one) => one === point), signal: SIGNALS.find((one) => one === signal) };
  const crash = { ...found, passage: Number(passage) };
  if (crash.point && crash.signal && crash.passage >= 1) return crash as Crash;
  throw new Error(`Expected a crash such as 'after-append:40:SIGKILL', but got '${text}'`);
}

/** The last line that the process prints before. */
export const lastWords = (crash: Crash): string => `stops at ${crashText(crash)}`;
