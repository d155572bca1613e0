import type { TaskCommand } from '../../domain/task/task.commands.js';
import type { TaskState } from '../../domain/task/task.state.js';
import { isStored } from '../kernel/outside-payloads.js';

/** The command as it is decided: a payload that the task has outside the log is the one that the log has in its place, so giving it again changes nothing. */
export function asStored(command: TaskCommand, state: TaskState): TaskCommand {
  if (command.type !== 'AmendPayload' || state.status === 'unknown') return command;
  const { payload } = state.task;
  return isStored(payload, command.payload) ? { ...command, payload } : command;
}
