import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import { isOperatorCommand, type OperatorCommandType, type TaskCommandType } from '../../domain/task/task.commands.js';
import type { TaskRejection } from '../../domain/task/task.rejections.js';
import type { TaskStatus } from '../../domain/task/task.events.js';
import type { TaskState } from '../../domain/task/task.state.js';
import { allowedCommands } from '../../domain/task/task.transitions.js';

export { OPERATOR_COMMANDS, type OperatorCommandType } from '../../domain/task/task.commands.js';

/** Why a command is not to be had in the queue, in the words of its preset; null where it is. */
export function notOffered(
  command: TaskCommandType,
  { preset, commands, vocabulary }: QueuePolicy,
  { status }: Pick<TaskState, 'status'>,
): TaskRejection | null {
  if (commands === null || commands.includes(command)) return null;
  const state = status === 'unknown' ? null : (vocabulary?.[status] ?? status);
  return { code: 'COMMAND_NOT_OFFERED', command, state, preset: preset ?? '', offered: commands };
}

/** What people can do with a task of this status. `isFinal`: its failure cannot be retried. */
export function commandsOfPeople(
  status: TaskStatus,
  isFinal: boolean,
  { commands }: Pick<QueuePolicy, 'commands'>,
): readonly OperatorCommandType[] {
  return allowedCommands(status)
    .filter(isOperatorCommand)
    .filter((command) => !(isFinal && command === 'RetryTask') && (commands === null || commands.includes(command)));
}
