import type { IsoTime } from '../kernel/json.js';
import type { StepPolicy } from './failure-policy.js';

/** How long attempts may take: the queue's longest run time, and those of its steps. */
export interface RunLimits {
  /** Null: no limit. */
  readonly maxRunMs: number | null;
  readonly steps: readonly (string | StepPolicy)[];
}

interface Run {
  readonly claimedAt: IsoTime;
  /** The step that begins now; null for a task without steps. */
  readonly step: string | null;
  readonly now: IsoTime;
}

/**
 * When a run ends at the latest; absent: never. The queue's limit counts from the claim, that of a step from the beginning of
 * the step. The earlier end counts.
 */
export function runUntil(limits: RunLimits | undefined, run: Run): { readonly runUntil?: IsoTime } {
  if (limits === undefined) return NEVER;
  const ofStep = run.step === null ? null : limitOf(limits, run.step);
  const ends = [endOf(run.claimedAt, limits.maxRunMs), endOf(run.now, ofStep)].filter((end) => end !== null);
  return ends.length === 0 ? NEVER : { runUntil: new Date(Math.min(...ends)).toISOString() };
}

const NEVER = {};

const endOf = (from: IsoTime, ms: number | null): number | null => (ms === null ? null : Date.parse(from) + ms);

function limitOf({ steps }: RunLimits, name: string): number | null {
  const own = steps.find((step) => typeof step !== 'string' && step.name === name) as StepPolicy | undefined;
  return own?.maxRunMs ?? null;
}

/** Absent if nothing limits a run, so that a claim need not ask. */
export const runLimits = ({ maxRunMs, steps }: RunLimits): { readonly limits?: RunLimits } =>
  maxRunMs === null && steps.every((step) => typeof step === 'string' || step.maxRunMs == null)
    ? NEVER
    : { limits: { maxRunMs, steps } };
