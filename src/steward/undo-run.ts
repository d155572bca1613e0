import type { Run } from '@waybill/client';
import type { BulkResult, Refusal } from '../application/bulk-operations/bulk-operation.js';
import type { TakenTasks } from '../application/bulk-operations/bulk-checkpoints.port.js';
import type { Rejection } from '../application/kernel/application-error.js';
import type { CommandContext } from '../application/kernel/command-context.js';
import { type Undo, type Undoing, undoingOf } from '../application/bulk-operations/undo-order.js';
import { type BulkPage, BulkPass, contextOf, type PassWork } from './bulk-pass.js';

export interface UndoWork extends Omit<PassWork, 'give'> {
  undo(tasks: readonly string[], undoing: Undoing, context: CommandContext): Promise<readonly (Rejection | null)[]>;
  /** The next page of the tasks of an operation; null at the end. */
  pageAfter(operation: string, page: number): Promise<TakenTasks | null>;
}

/** One attempt to undo an operation: a pass over its tasks, in the order in which they got the command. */
export function undoOperation(run: Run<Undo>, work: UndoWork): Promise<BulkResult> {
  const { taskId, payload: order } = run.task;
  const undoing = undoingOf(order);
  const give: PassWork['give'] = async ({ tasks }, context) =>
    (await work.undo(tasks, undoing, context)).map((rejection) => rejection && inShort(rejection));
  const { checkpoints, hasStanding } = work;
  return new BulkPass(
    run,
    { checkpoints, hasStanding, give },
    {
      operation: undoing.command,
      expected: order.expected,
      context: contextOf(taskId, order),
      page: (cursor) => pageOf(work, undoing.undoes, cursor),
      keepsTasks: true,
    },
  ).finish();
}

async function pageOf(work: UndoWork, operation: string, cursor: string | null): Promise<BulkPage> {
  const page = await work.pageAfter(operation, Number(cursor ?? -1));
  return page === null ? { tasks: [], cursor: null } : { tasks: page.tasks, cursor: String(page.page) };
}

function inShort(rejection: Rejection): Refusal {
  const { code } = rejection;
  if (code === 'CHANGED_SINCE_OPERATION') return rejection;
  return 'conflictingTaskId' in rejection ? { code, conflictingTaskId: rejection.conflictingTaskId } : { code };
}
