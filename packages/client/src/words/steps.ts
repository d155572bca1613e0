import type { QueueView, TaskDetails } from '@waybill/contracts';

/** `next`: the task waits to begin here. `ended`: it ended here, and no retry is possible. `ahead`: not begun. */
export type StepState = 'done' | 'running' | 'failed' | 'next' | 'ended' | 'ahead';

export interface TrackedStep {
  readonly name: string;
  readonly state: StepState;
  /** The state in words, also of where the task begins again. */
  readonly words: string;
}

type SteppedTask = Pick<TaskDetails, 'steps' | 'step' | 'lastStep' | 'state'>;

/** The rules for the steps, as the policy of the task's queue has them. */
type StepRules = QueueView['policy']['steps'];

/**
 * The steps of a task in order, and how far it is. Empty for a task without steps. With the rules of its queue, it also
 * says where no retry may begin.
 */
export function trackOf(task: SteppedTask, rules: StepRules = []): readonly TrackedStep[] {
  const { steps, step, state } = task;
  const at = hasPassedAll(task) ? steps.length : step === null ? 0 : steps.indexOf(step);
  return steps.map((name, index) => {
    const mayBegin = !isBarred(name, rules) || ENDS.includes(state);
    if (index < at) return { name, state: 'done', words: mayBegin ? 'done' : `done; ${BARRED}` };
    if (index > at) return { name, state: 'ahead', words: mayBegin ? 'not begun' : `not begun; ${BARRED}` };
    // A task that has not entered its first step may always begin there.
    return { name, ...(mayBegin || step === null ? CURRENT[state] : barred(CURRENT[state])) };
  });
}

const isBarred = (name: string, rules: StepRules): boolean =>
  rules.some((rule) => typeof rule !== 'string' && rule.name === name && rule.resumable === false);

const BARRED = 'no retry may begin here';

function barred({ state, words }: Omit<TrackedStep, 'name'>): Omit<TrackedStep, 'name'> {
  const retried = words.replace(RETRIED, '');
  return { state, words: `${retried}; ${retried === words ? BARRED : `${BARRED}: name another step`}` };
}

/** A task that succeeded and was deleted then has passed all steps, too. */
const hasPassedAll = ({ steps, step, lastStep, state }: SteppedTask): boolean =>
  state === 'succeeded' || (step === null && lastStep !== null && lastStep === steps.at(-1));

const RETRIED = '; a retry begins here';
const NEXT = { state: 'next', words: 'next' } as const;
const ENDED = { state: 'ended', words: 'ended here' } as const;

const CURRENT: Readonly<Record<SteppedTask['state'], Omit<TrackedStep, 'name'>>> = {
  prepared: NEXT,
  pending: NEXT,
  held: { state: 'next', words: 'next, once it is released' },
  running: { state: 'running', words: 'running' },
  undecided: { state: 'failed', words: `failed${RETRIED}` },
  failed: { state: 'failed', words: `failed${RETRIED}` },
  cancelled: { state: 'next', words: `cancelled${RETRIED}` },
  succeeded: { state: 'done', words: 'done' },
  aborted: ENDED,
  superseded: ENDED,
  deleted: ENDED,
};

/** No retry is possible, or none is needed. */
const ENDS: readonly SteppedTask['state'][] = ['succeeded', 'aborted', 'superseded', 'deleted'];
