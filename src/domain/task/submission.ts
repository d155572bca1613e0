import { accept, alreadyDone } from '../kernel/decider.js';
import { sameContent } from '../kernel/json.js';
import type { TaskCommand, TaskCommandOf } from './task.commands.js';
import type { Submission, TaskEvent } from './task.events.js';
import type { KnownTask } from './task.state.js';
import { type TaskDecision, illegal, TASK_EXISTS, TASK_NOT_FOUND, type TaskRules } from './task.transitions.js';
import { startedAtOnce } from './claim.js';
import { caughtBy } from './event-parts.js';

export const SUBMISSION_RULES = {
  PrepareTask: prepareAgain,
  EnqueueTask: enqueueAgain,
  RejectEnqueue: rejectAgain,
  SubmitTask: submit,
} satisfies Partial<TaskRules>;

/** Decides the first command on a task's stream. A command that does not submit the task is refused. */
export function begin(command: TaskCommand): TaskDecision {
  switch (command.type) {
    case 'PrepareTask':
      return accept<TaskEvent>({ type: 'TaskPrepared', version: 1, data: command.submission });
    case 'EnqueueTask':
      return accept<TaskEvent>({ type: 'TaskEnqueued', version: 1, data: enqueued(command) });
    case 'StartTask':
      return accept<TaskEvent>({ type: 'TaskEnqueued', version: 1, data: command.submission }, startedAtOnce(command));
    case 'RejectEnqueue':
      return accept<TaskEvent>({
        type: 'TaskEnqueueRejected',
        version: 1,
        data: { error: command.error, ...command.submission },
      });
    default:
      return TASK_NOT_FOUND;
  }
}

/** Without a hold, the event's data is the submission itself and not a copy, because this runs for every task. */
const enqueued = ({ submission, heldBy }: TaskCommandOf<'EnqueueTask'>) =>
  heldBy === null ? submission : { heldBy, ...submission };

function prepareAgain(command: TaskCommandOf<'PrepareTask'>, state: KnownTask): TaskDecision {
  return state.status === 'prepared' ? sameTask(command.submission, state) : illegal(command, state);
}

function enqueueAgain(command: TaskCommandOf<'EnqueueTask'>, state: KnownTask): TaskDecision {
  return state.status === 'prepared' ? illegal(command, state) : sameTask(command.submission, state);
}

function rejectAgain(command: TaskCommandOf<'RejectEnqueue'>, state: KnownTask): TaskDecision {
  return state.status === 'failed' ? sameTask(command.submission, state) : illegal(command, state);
}

/**
 * A repeated submission is recognised by its id and its content as first submitted, whatever happened to the task
 * since.
 */
const sameTask = (submission: Submission, { task }: KnownTask): TaskDecision =>
  isSame(submission, task.submission) ? alreadyDone : TASK_EXISTS;

/** A copy is whatever its original was when the copy was made, so two of the same task are the same. */
const isSame = (one: Submission, other: Submission): boolean =>
  one.rerunOf !== undefined && other.rerunOf !== undefined
    ? one.rerunOf.task === other.rerunOf.task && one.batch === other.batch
    : sameContent(asHandedIn(one), asHandedIn(other));

/**
 * A context, also one of the application, says where a submission comes from and not what it is: a handler that runs again repeats its submissions
 * within another claim. By what it is searched, the policy says. A task without a time of its own gets one of the queue's due times. Submitted
 * again later, it would get a later one, so that time is ignored, and so are the end of a time to live and the times of a task that gathers.
 */
const asHandedIn = (submission: Submission): Submission => ({
  ...submission,
  context: undefined,
  auditContext: undefined,
  searchPaths: undefined,
  ...(submission.byDueTimes && { dueAt: undefined, byDueTimes: undefined }),
  ...(submission.gathers && { dueAt: undefined, gathers: undefined }),
  ...(submission.ttlMs !== undefined && { expiresAt: undefined }),
});

function submit(command: TaskCommandOf<'SubmitTask'>, state: KnownTask): TaskDecision {
  switch (state.status) {
    case 'prepared': {
      const data = { queue: state.task.submission.queue, ...caughtBy(command.heldBy) };
      return accept<TaskEvent>({ type: 'TaskSubmitted', version: 1, data });
    }
    case 'pending':
    case 'held':
      return alreadyDone;
    default:
      return illegal(command, state);
  }
}
