import type { TaskDetails } from '@waybill/contracts';

/** `next`: the task waits to begin here. `ended`: it ended here, and no retry is possible. `ahead`: not begun. */
export type StepState = 'done' | 'running' | 'failed' | 'next' | 'ended' | 'ahead';

export interface TrackedStep {
  readonly name: string;
  readonly state: StepState;
  /** The state in words, also of where the task begins again. */
  readonly words: string;
}

type SteppedTask = Pick<TaskDetails, 'steps' | 'step' | 'lastStep' | 'state'>;

/** The steps of a task in order, and how far it is. Empty for a task without steps. */
export function trackOf(task: SteppedTask): readonly TrackedStep[] {
  const { steps, step, state } = task;
  const at = hasPassedAll(task) ? steps.length : step === null ? 0 : steps.indexOf(step);
  return steps.map((name, index) => {
    if (index < at) return { name, state: 'done', words: 'done' };
    if (index > at) return { name, state: 'ahead', words: 'not begun' };
    return { name, ...CURRENT[state] };
  });
}

/** A task that succeeded and was deleted then has passed all steps, too. */
const hasPassedAll = ({ steps, step, lastStep, state }: SteppedTask): boolean =>
  state === 'succeeded' || (step === null && lastStep !== null && lastStep === steps.at(-1));

const NEXT = { state: 'next', words: 'next' } as const;
const ENDED = { state: 'ended', words: 'ended here' } as const;

const CURRENT: Readonly<Record<SteppedTask['state'], Omit<TrackedStep, 'name'>>> = {
  prepared: NEXT,
  pending: NEXT,
  held: { state: 'next', words: 'next, once it is released' },
  running: { state: 'running', words: 'running' },
  undecided: { state: 'failed', words: 'failed; a retry begins here' },
  failed: { state: 'failed', words: 'failed; a retry begins here' },
  cancelled: { state: 'next', words: 'cancelled; a retry begins here' },
  succeeded: { state: 'done', words: 'done' },
  aborted: ENDED,
  superseded: ENDED,
  deleted: ENDED,
};
