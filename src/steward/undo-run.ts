import type { Run } from '@waybill/client';
import type { BulkResult, Refusal } from '../application/bulk-operations/bulk-operation.js';
import type { Rejection } from '../application/kernel/application-error.js';
import type { CommandContext } from '../application/kernel/command-context.js';
import { takesAlong, type Undo, type Undoing, undoingOf } from '../application/bulk-operations/undo-order.js';
import type { UndoneTask } from '../application/bulk-operations/undo-on-tasks.handler.js';
import { BulkPass, contextOf, type PassWork, UNASKED } from './bulk-pass.js';
import { UndoLists, type UndoListsWork } from './undo-lists.js';

export interface UndoWork extends Omit<PassWork, 'give'>, UndoListsWork {
  undo(tasks: readonly string[], undoing: Undoing, context: CommandContext): Promise<readonly UndoneTask[]>;
}

/** One attempt to undo an operation: a pass over its tasks, in the order in which they got the command, and over what it took along. */
export function undoOperation(run: Run<Undo>, work: UndoWork): Promise<BulkResult> {
  const { taskId: undo, payload: order } = run.task;
  const undoing = undoingOf(order);
  const undone = { undo, operation: undoing.undoes, takesAlong: takesAlong(undoing) };
  const lists = new UndoLists(work, undone, run.signal);
  const give: PassWork['give'] = async ({ tasks, list, isRepeated }, context) => {
    const told = undone.takesAlong ? TOLD[list as keyof typeof TOLD] : toldOfAll;
    return (await work.undo(tasks, undoing, context)).map((one) => told(one, isRepeated));
  };
  const { checkpoints, hasStanding } = work;
  return new BulkPass(
    run,
    { checkpoints, hasStanding, give },
    {
      operation: undoing.command,
      expected: order.expected,
      context: contextOf(undo, order),
      page: (cursor) => lists.after(cursor),
      keepsTasks: true,
    },
  ).finish();
}

type Told = (one: UndoneTask, isRepeated: boolean) => Refusal | null | typeof UNASKED;

/** A task that is as wanted counts as done. */
const toldOfAll: Told = (one) => (one === null || typeof one === 'string' ? null : inShort(one));

/** Of an abort, by its lists: what is restored later, or was before, does not count. An attempt that repeats a page has restored it then. */
const TOLD = {
  own: (one) => (isDead(one) ? UNASKED : toldOfAll(one, false)),
  waiting: (one, isRepeated) => {
    if (one === 'nothing' || isDead(one)) return UNASKED;
    return one === 'undone' && !isRepeated ? UNASKED : toldOfAll(one, isRepeated);
  },
  stuck: (one, isRepeated) => {
    const counts = one === null || isDead(one) || (one === 'undone' && isRepeated);
    return counts ? toldOfAll(one, isRepeated) : UNASKED;
  },
} satisfies Readonly<Record<string, Told>>;

const isDead = (one: UndoneTask): boolean =>
  one !== null && typeof one !== 'string' && one.code === 'PREREQUISITE_DEAD';

function inShort(rejection: Rejection): Refusal {
  const { code } = rejection;
  if (code === 'CHANGED_SINCE_OPERATION') return rejection;
  if (code === 'PREREQUISITE_DEAD') return { code, prerequisite: rejection.prerequisite };
  return 'conflictingTaskId' in rejection ? { code, conflictingTaskId: rejection.conflictingTaskId } : { code };
}
