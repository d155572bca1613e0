import { bulkCommand } from './bulk-command.js';
import type { BulkCommand, BulkOperation } from './bulk-operation.js';
import { derivedId } from '../kernel/derived-id.js';
import type { TaskOperation } from '../tasks/task-operation.js';
import type { Rejection } from '../kernel/application-error.js';

/** The undo of an operation or, if that is an undo, its command again. */
export type UndoOrder = { readonly undoes: string } & (
  | { readonly command: 'undo'; readonly of: BulkCommand }
  | { readonly command: BulkCommand; readonly priority?: number }
);

/** The payload of its task. */
export type Undo = UndoOrder & Pick<BulkOperation, 'expected' | 'by' | 'reason'>;

/** What was ordered: a command for many tasks, or an undo. */
export type Ordered = BulkOperation | Undo;

/** What an undo does with each task. */
export interface Undoing {
  readonly undoes: string;
  /** The command that the queue must offer: that of the operation. */
  readonly command: TaskOperation;
  /** Whether the command is given again, because what is undone is an undo. */
  readonly again: boolean;
}

/**
 * The order that undoes the operation `id`, or why there is none. `undone`: the order of what that one undoes, if it is an undo.
 */
export function orderAgainst(id: string, order: Ordered, undone: Ordered | null): UndoOrder | Rejection {
  const { command } = order;
  if (command === 'undo') {
    const { command: again, priority } = undone as BulkOperation;
    return { command: again, undoes: id, ...(priority !== undefined && { priority }) };
  }
  return command === 'runAgain'
    ? { code: 'OPERATION_NOT_UNDOABLE', kind: command }
    : { command: 'undo', undoes: id, of: command };
}

/**
 * The id of the undo of an operation: a UUID of version 7 of the time at which the operation ended, so that it stands beside it in
 * lists, which everybody derives. So there is one undo of each.
 */
export function undoIdOf(operation: string, endedAt: string): string {
  const time = Date.parse(endedAt).toString(16).padStart(12, '0');
  const rest = derivedId('undo', operation).slice(15);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${rest}`;
}

export function undoingOf(order: UndoOrder): Undoing {
  const { undoes } = order;
  return order.command === 'undo'
    ? { undoes, command: commandOf({ command: order.of }), again: false }
    : { undoes, command: commandOf(order), again: true };
}

/** Whether what is undone took along what waited for its tasks. */
export const takesAlong = ({ command, again }: Undoing): boolean => !again && command.type === 'AbortTask';

const commandOf = (order: Pick<BulkOperation, 'command' | 'priority' | 'reason'>): TaskOperation =>
  bulkCommand({ ...order, expected: 0, by: '' }) as TaskOperation;
