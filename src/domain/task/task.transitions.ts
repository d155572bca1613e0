import { type Decision, reject } from '../kernel/decider.js';
import type { TaskCommand, TaskCommandType } from './task.commands.js';
import type { TaskEvent, TaskStatus } from './task.events.js';
import type { TaskRejection } from './task.rejections.js';
import type { KnownTask } from './task.state.js';

export type TaskDecision = Decision<TaskEvent, TaskRejection>;

export const TASK_NOT_FOUND: TaskDecision = reject({ code: 'TASK_NOT_FOUND' });
export const TASK_EXISTS: TaskDecision = reject({ code: 'TASK_EXISTS' });

/** The commands that can record something on a task in this status, by whomever they are given. */
export const allowedCommands = (status: TaskStatus): readonly TaskCommandType[] => ALLOWED[status];

const AMENDMENTS = ['ReprioritiseTask', 'RescheduleTask', 'AmendPayload'] as const;
const ENDINGS = ['CancelTask', 'AbortTask', 'DeleteTask'] as const;

const ALLOWED: Readonly<Record<TaskStatus, readonly TaskCommandType[]>> = {
  prepared: ['SubmitTask', ...AMENDMENTS, ...ENDINGS],
  pending: ['ClaimTask', 'HoldTask', ...AMENDMENTS, ...ENDINGS],
  held: ['ReleaseTask', ...AMENDMENTS, ...ENDINGS],
  running: [
    'CompleteStep',
    'ReportError',
    'SucceedTask',
    'FailTask',
    'ReturnTask',
    'ExpireLease',
    'ConfirmCancel',
    'HoldTask',
    ...ENDINGS,
    'OverruleTask',
  ],
  undecided: ['DecideRetry', 'DecideFail', 'SupersedeTask', ...AMENDMENTS, ...ENDINGS],
  failed: ['RetryTask', 'SupersedeTask', ...AMENDMENTS, 'AbortTask', 'DeleteTask'],
  succeeded: ['DeleteTask'],
  cancelled: ['RetryTask', ...AMENDMENTS, 'AbortTask', 'DeleteTask'],
  aborted: ['DeleteTask'],
  superseded: ['DeleteTask'],
  deleted: [],
};

export const illegal = (command: TaskCommand, { status }: KnownTask): TaskDecision =>
  reject({ code: 'ILLEGAL_TRANSITION', command: command.type, state: status, allowed: allowedCommands(status) });
