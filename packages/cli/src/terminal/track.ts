import { onOneLine, type StepState, trackOf } from '@waybill/client/words';

const MARKS: Readonly<Record<StepState, string>> = {
  done: '✓',
  running: '▶',
  failed: '✗',
  next: '○',
  ended: '■',
  ahead: '·',
};

/** What the mark says already. */
const MARKED: readonly string[] = ['done', 'not begun'];

/** One line per step of a task: whether it is done, and where the task is. Empty for a task without steps. */
export const linesOfTrack = (...[task, rules]: Parameters<typeof trackOf>): string =>
  trackOf(task, rules)
    .map(({ name, state, words }) => `${MARKS[state]} ${onOneLine(name)}${MARKED.includes(words) ? '' : `  ${words}`}`)
    .join('\n');
