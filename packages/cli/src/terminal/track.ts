import type { TaskDetails } from '@waybill/client';
import { onOneLine, type StepState, trackOf } from '@waybill/client/words';

const MARKS: Readonly<Record<StepState, string>> = {
  done: '✓',
  running: '▶',
  failed: '✗',
  next: '○',
  ended: '■',
  ahead: '·',
};

/** One line per step of a task: whether it is done, and where the task is. Empty for a task without steps. */
export const linesOfTrack = (task: Pick<TaskDetails, 'steps' | 'step' | 'lastStep' | 'state'>): string =>
  trackOf(task)
    .map(
      ({ name, state, words }) =>
        `${MARKS[state]} ${onOneLine(name)}${state === 'done' || state === 'ahead' ? '' : `  ${words}`}`,
    )
    .join('\n');
