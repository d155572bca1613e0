import type { RunAgainOrder } from '../../domain/task/run-again.js';
import type { Canary } from './canary.js';

/** The tasks of this queue are the bulk operations. */
export const OPERATIONS_QUEUE = 'waybill.operations';

export const BULK_COMMANDS = [
  'retry',
  'cancel',
  'abort',
  'hold',
  'release',
  'prioritise',
  'delete',
  'runAgain',
] as const;
export type BulkCommand = (typeof BULK_COMMANDS)[number];

/** Which tasks: those named, those that match, or all except those of the service's own queues. */
export interface TaskSelection {
  readonly tasks?: readonly string[];
  /** As in a list of tasks. */
  readonly filter?: Readonly<Record<string, string>>;
}

/** A command for many tasks, as a person gives it. */
export interface BulkOrder extends TaskSelection {
  readonly command: BulkCommand;
  /** Of `prioritise`. */
  readonly priority?: number;
  /** Of `runAgain`: in what the second runs differ from the first. */
  readonly again?: RunAgainOrder;
  /** Of `retry` and `release`. */
  readonly canary?: Canary;
  /** The most tasks that get the command in a second. */
  readonly perSecond?: number;
  /** The position of a preview, decimal: tasks that have changed since are left alone. */
  readonly asPreviewed?: string;
}

/** The payload of the operation's task. */
export interface BulkOperation extends BulkOrder {
  readonly reason?: string;
  /** How many tasks matched when it was ordered. */
  readonly expected: number;
  /** Who ordered it: the actor of every command. */
  readonly by: string;
}

/** What became of an operation. */
export interface BulkResult {
  readonly asked: number;
  readonly done: number;
  /** How many tasks refused the command, by the code of the refusal. */
  readonly refused: Readonly<Record<string, number>>;
  /** The first ones that refused. */
  readonly examples: readonly ({ readonly task: string } & Refusal)[];
}

/** Why a task refused. Of an undo, with what happened since, who has its reference or key, or which prerequisite stays aborted. */
export interface Refusal {
  readonly code: string;
  readonly event?: string;
  readonly position?: string;
  readonly conflictingTaskId?: string;
  readonly prerequisite?: string;
}
