import type { OfferedCommand, QueuePolicy } from '../../domain/queue/queue.policy.js';
import { isOperatorCommand, type OperatorCommandType, type TaskCommandType } from '../../domain/task/task.commands.js';
import type { TaskRejection } from '../../domain/task/task.rejections.js';
import type { TaskStatus } from '../../domain/task/task.events.js';
import type { TaskState } from '../../domain/task/task.state.js';
import { allowedCommands } from '../../domain/task/task.transitions.js';

export {
  OFFERABLE_COMMANDS,
  type OfferableCommandType,
  OPERATOR_COMMANDS,
  type OperatorCommandType,
} from '../../domain/task/task.commands.js';

type Status = TaskState['status'];

/**
 * Why the queue does not offer the command, in the words of its preset; null if it does. If the command is offered in
 * other states but could record nothing in this one anyway, the task's own rules decide, because they recognise a
 * repeated command.
 */
export function notOffered(
  command: TaskCommandType,
  { preset, commands, vocabulary }: QueuePolicy,
  { status }: Pick<TaskState, 'status'>,
): TaskRejection | null {
  const offer = commands?.find((one) => nameOf(one) === command);
  if (commands === null || (offer && (isOfferedIn(status, offer) || isIdle(command, status)))) return null;
  const state = status === 'unknown' ? null : (vocabulary?.[status] ?? status);
  const offered = commands.filter((one) => isOfferedIn(status, one)).map(nameOf);
  return { code: 'COMMAND_NOT_OFFERED', command, state, preset, offered };
}

const nameOf = (offer: OfferedCommand): TaskCommandType => (typeof offer === 'string' ? offer : offer.command);

const isOfferedIn = (status: Status, offer: OfferedCommand): boolean =>
  typeof offer === 'string' || offer.in.some((one) => one === status);

const isIdle = (command: TaskCommandType, status: Status): boolean =>
  status !== 'unknown' && !allowedCommands(status).includes(command);

/** The commands that people can give to a task of this status. `isFinal`: its failure cannot be retried. */
export function commandsOfPeople(
  status: TaskStatus,
  isFinal: boolean,
  { commands }: Pick<QueuePolicy, 'commands'>,
): readonly OperatorCommandType[] {
  const offered = commands?.filter((one) => isOfferedIn(status, one)).map(nameOf);
  return allowedCommands(status)
    .filter(isOperatorCommand)
    .filter((command) => !(isFinal && command === 'RetryTask') && (offered?.includes(command) ?? true));
}
