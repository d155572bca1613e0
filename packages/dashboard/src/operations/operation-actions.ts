import type { OperationView, StartedBulkOperation } from '@waybill/client';
import { type Action, operationPage } from '../actions/action.js';
import { plural } from '../ui/numbers.js';

const UNDER_WAY: ReadonlySet<string> = new Set(['pending', 'running']);

/** What cannot be taken back: queues that are gone, and tasks that were made. */
const FINAL: ReadonlySet<string> = new Set(['deleteQueue', 'runAgain']);

/** An operation is a task: to hold it is to pause the operation. One that has ended can be taken back. */
export function commandsOn({ id, state, command, finishedAt }: OperationView): Action[] {
  if (state === 'held') return [resume(id), abort(id)];
  if (UNDER_WAY.has(state)) return [pause(id), abort(id)];
  return finishedAt !== null && !FINAL.has(command) ? [undo(id, command)] : [];
}

const pause = (id: string): Action => ({
  name: 'Pause',
  about: 'No further task gets the command until somebody resumes the operation. It stops within seconds.',
  cli: `waybill operation pause ${id}`,
  run: (waybill, reason) => waybill.task(id).hold({ reason }),
});

const resume = (id: string): Action => ({
  name: 'Resume',
  kind: 'primary',
  about: 'The operation goes on where it was paused.',
  cli: `waybill operation resume ${id}`,
  run: (waybill, reason) => waybill.task(id).release({ reason }),
});

const abort = (id: string): Action => ({
  name: 'Stop for good',
  kind: 'danger',
  about: 'No further task gets the command. Those that have it keep what it did.',
  cli: `waybill operation abort ${id}`,
  run: (waybill, reason) => waybill.task(id).abort({ reason }),
});

const undo = (id: string, command: string): Action => ({
  name: command === 'undo' ? 'Give it again' : 'Undo',
  about:
    command === 'undo'
      ? 'The tasks that were taken back get the command once more.'
      : 'Each task that nothing has changed since is again what it was before. What workers did is not undone.',
  cli: `waybill undo ${id}`,
  preview: async (waybill) => inWords(await waybill.undo(id, { preview: true })),
  run: (waybill, reason) => waybill.undo(id, { reason }),
  goesTo: operationPage,
});

function inWords({ count, preview }: StartedBulkOperation): string {
  if (!preview) return `${plural(count, 'task')}.`;
  const refused = Object.entries(preview.refused).map(
    ([code, tasks]) => `${plural(tasks, 'task')} would refuse it: ${code}`,
  );
  return [`${plural(preview.done, 'task')} would change`, ...refused].join('. ');
}
