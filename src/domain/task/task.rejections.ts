import type { TaskCommandType } from './task.commands.js';
import type { TaskStatus } from './task.events.js';
import type { WorkerLabels } from '../kernel/worker-labels.js';

/** Why a command on a task is refused, with the facts that the caller needs. */
export type TaskRejection =
  | { readonly code: 'TASK_NOT_FOUND' }
  | { readonly code: 'TASK_EXISTS' }
  | {
      readonly code: 'ILLEGAL_TRANSITION';
      readonly command: TaskCommandType;
      readonly state: TaskStatus;
      readonly allowed: readonly TaskCommandType[];
    }
  /**
   * The queue does not offer the command, or not in this state. `state` is in the words of the queue's preset; null if
   * the task does not exist yet.
   */
  | {
      readonly code: 'COMMAND_NOT_OFFERED';
      readonly command: TaskCommandType;
      readonly state: string | null;
      readonly preset: string | null;
      /** The commands that the queue offers in this state. */
      readonly offered: readonly TaskCommandType[];
    }
  /** The worker does not offer all that the task needs. */
  | { readonly code: 'NEEDS_NOT_MET'; readonly needs: WorkerLabels }
  | { readonly code: 'TASK_ALREADY_CLAIMED'; readonly by: string; readonly attempt: number }
  /** The claim of the token has ended. `heldBy` is the worker of the current claim, if there is one. */
  | {
      readonly code: 'LEASE_LOST';
      readonly state: TaskStatus;
      readonly attempt: number;
      readonly heldBy: string | null;
    }
  /** A result, or the details of an error, are larger than the queue's policy allows. */
  | { readonly code: 'PAYLOAD_TOO_LARGE'; readonly bytes: number; readonly limit: number }
  /** The history takes no more errors, steps and returns. `bytes` is the size of those in it. */
  | { readonly code: 'HISTORY_FULL'; readonly events: number; readonly bytes: number }
  | { readonly code: 'CANCEL_NOT_REQUESTED' }
  /** The task does not take the submission in. Whoever submitted it is not told so, because it becomes a task of its own. */
  | { readonly code: 'NOT_GATHERING'; readonly because: 'never' | 'begun' | 'differs' | 'full' }
  | { readonly code: 'STEP_UNKNOWN'; readonly step: string; readonly steps: readonly string[] }
  | { readonly code: 'STEP_OUT_OF_ORDER'; readonly step: string; readonly expected: string | null }
  | { readonly code: 'RETRY_STEP_NEEDS_OVERRIDE'; readonly step: string; readonly implied: string | null }
  /** The queue's policy lets no retry begin at the step. */
  | { readonly code: 'STEP_NOT_RESUMABLE'; readonly step: string }
  /** The policy's rules decide the priority of the queue's tasks. */
  | { readonly code: 'PRIORITY_NOT_TAKEN'; readonly queue: string }
  /** A task's data would become larger than a task may have. */
  | { readonly code: 'DATA_TOO_LARGE'; readonly bytes: number; readonly limit: number }
  /** No handler has asked for so many signals of the task, or its history is full. `bytes`: of the reports in it. */
  | { readonly code: 'SIGNALS_FULL'; readonly signals: number; readonly bytes: number }
  | { readonly code: 'FAILURE_IS_FINAL' }
  /** What the task was about is erased, so it can only be deleted. */
  | { readonly code: 'TASK_ERASED' }
  /** Somebody else than `by`, who ordered the erasure, has to release it, with the permission to erase. */
  | { readonly code: 'APPROVAL_NEEDED'; readonly by: string }
  /** Only a task that has ended can be run again, or erased. A failed one that may block its key has not ended. */
  | { readonly code: 'TASK_NOT_ENDED'; readonly state: TaskStatus }
  /** The task did its work for others: it planned a batch, or it was the job of items that a trigger claimed for it. */
  | { readonly code: 'TASK_NOT_REPEATABLE'; readonly because: 'planner' | 'job' }
  | { readonly code: 'REASON_REQUIRED' }
  /** Another task with the key is already waiting (S0-16, S0-20). */
  | { readonly code: 'KEY_ALREADY_WAITING'; readonly key: string; readonly conflictingTaskId: string }
  /** The task cannot start, because another task uses its key. */
  | { readonly code: 'KEY_BUSY'; readonly key: string; readonly conflictingTaskId: string }
  /** Another task has the reference. `uniqueReference`: the queue's policy, which says for how long. */
  | {
      readonly code: 'REFERENCE_IN_USE';
      readonly reference: string;
      readonly conflictingTaskId: string;
      readonly uniqueReference: 'open' | 'always';
    }
  /** No task has the id of the prerequisite that is named as a task, or no batch. `is`: what has the id instead. */
  | { readonly code: 'PREREQUISITE_NOT_FOUND'; readonly prerequisite: string; readonly is?: 'task' | 'batch' }
  /** The prerequisite was deleted, or aborted, and so can never be done. */
  | { readonly code: 'PREREQUISITE_DEAD'; readonly prerequisite: string; readonly state: string }
  /** The tasks would wait for each other: each of `cycle` for the next, and the last for the first. */
  | { readonly code: 'PREREQUISITE_CYCLE'; readonly cycle: readonly string[] }
  /** Whether the prerequisites close a cycle is not found within `limit` prerequisites of the graph. */
  | { readonly code: 'GRAPH_TOO_LARGE'; readonly limit: number }
  /** A hold catches the task, so it can neither be released nor start. */
  | { readonly code: 'HOLD_IN_FORCE'; readonly hold: string; readonly by: string; readonly reason: string | null }
  /** An unfinished task waits for this one. */
  | { readonly code: 'TASK_AWAITED'; readonly awaitedBy: string };
