import type { TaskStatus } from '../../domain/task/task.events.js';

/** The first tasks of an operation are tried. The others get the command only if enough of those succeed. */
export interface Canary {
  /** How many tasks are tried: those that accept the command. */
  readonly first: number;
  /** The least share of them that must succeed, from 0 to 1. */
  readonly goOnIf: number;
  /** How long the operation waits for their ends, in milliseconds. Those that are open then have not succeeded. */
  readonly withinMs: number;
}

/** What has become of tasks so far. */
export interface Ends {
  readonly succeeded: number;
  /** Those that failed, or ended in any other way without success. */
  readonly failed: number;
  readonly open: number;
}

/** What was decided about the other tasks of the operation, and by what. */
export interface CanaryVerdict extends Ends {
  readonly goesOn: boolean;
}

/** The commands after which tasks run, so that they can show whether the command helps. */
export const TRIED_COMMANDS = ['retry', 'release'] as const;

const OPEN: readonly TaskStatus[] = ['prepared', 'pending', 'held', 'running'];

export function endsOf(states: readonly TaskStatus[]): Ends {
  const succeeded = states.filter((state) => state === 'succeeded').length;
  const open = states.filter((state) => OPEN.includes(state)).length;
  return { succeeded, failed: states.length - succeeded - open, open };
}

/** Whether the operation goes on; null while that depends on tasks that are open. */
export function verdictOn({ goOnIf }: Canary, { succeeded, failed, open }: Ends): boolean | null {
  const tried = succeeded + failed + open;
  if (succeeded / tried >= goOnIf) return true;
  return (succeeded + open) / tried < goOnIf ? false : null;
}

/** The verdict once nobody waits for what is open any more. */
export const verdictAtLast = (canary: Canary, ends: Ends): CanaryVerdict => ({
  ...ends,
  goesOn: verdictOn(canary, ends) ?? false,
});

/** Why the operation stopped. */
export function whyStopped({ goOnIf, withinMs }: Canary, { succeeded, failed, open }: Ends): string {
  const tried = succeeded + failed + open;
  const late = open > 0 ? ` and ${open} are open (the operation waits ${withinMs / 1_000} s)` : '';
  return (
    `Expected a share of at least ${goOnIf} of the first ${tried} tasks to succeed, but ${succeeded} succeeded, ` +
    `${failed} failed${late}. The other tasks were left alone.`
  );
}
