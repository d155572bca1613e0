import { type Decision, reject } from '../kernel/decider.js';
import { TASK_COMMANDS, type TaskCommand, type TaskCommandOf, type TaskCommandType } from './task.commands.js';
import { TASK_STATUSES, type TaskEvent, type TaskStatus } from './task.events.js';
import type { TaskRejection } from './task.rejections.js';
import type { KnownTask } from './task.state.js';

export type TaskDecision = Decision<TaskEvent, TaskRejection>;

/** One rule per command. Each file of rules holds those that belong together. */
export type TaskRules = {
  readonly [T in TaskCommandType]: (command: TaskCommandOf<T>, state: KnownTask) => TaskDecision;
};

export const TASK_NOT_FOUND: TaskDecision = reject({ code: 'TASK_NOT_FOUND' });
export const TASK_EXISTS: TaskDecision = reject({ code: 'TASK_EXISTS' });

const TYPES = Object.keys(TASK_COMMANDS) as TaskCommandType[];

const ALLOWED = new Map(
  TASK_STATUSES.map((status) => [status, TYPES.filter((type) => TASK_COMMANDS[type].on.includes(status))]),
);

/** The commands that can record something on a task in this status, whoever gives them. */
export const allowedCommands = (status: TaskStatus): readonly TaskCommandType[] => ALLOWED.get(status)!;

export const illegal = (command: TaskCommand, { status }: KnownTask): TaskDecision =>
  reject({ code: 'ILLEGAL_TRANSITION', command: command.type, state: status, allowed: allowedCommands(status) });
