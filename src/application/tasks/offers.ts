import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { TaskCommandType } from '../../domain/task/task.commands.js';
import type { TaskRejection } from '../../domain/task/task.rejections.js';
import type { TaskState } from '../../domain/task/task.state.js';

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
