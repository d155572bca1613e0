import type { OfferedCommand, QueuePolicy } from '../../domain/queue/queue.policy.js';
import { isOperatorCommand, type OperatorCommandType, type TaskCommandType } from '../../domain/task/task.commands.js';
import type { TaskRejection } from '../../domain/task/task.rejections.js';
import type { TaskStatus } from '../../domain/task/task.events.js';
import type { TaskFacts, TaskState } from '../../domain/task/task.state.js';
import { allowedCommands } from '../../domain/task/task.transitions.js';

export {
  OFFERABLE_COMMANDS,
  type OfferableCommandType,
  OPERATOR_COMMANDS,
  type OperatorCommandType,
} from '../../domain/task/task.commands.js';

type Status = TaskState['status'];
type Standing = { readonly status: Status; readonly task?: Pick<TaskFacts, 'nextStep' | 'entered'> };

/**
 * Why the queue does not offer the command, in the words of its preset; null if it does. If the command is offered in
 * other states but could record nothing in this one anyway, the task's own rules decide, because they recognise a
 * repeated command.
 */
export function notOffered(command: TaskCommandType, policy: QueuePolicy, task: Standing): TaskRejection | null {
  const { preset, commands } = policy;
  const { status } = task;
  const offer = commands?.find((one) => nameOf(one) === command);
  if (commands === null || (offer && (isOfferedIn(status, offer) || isIdle(command, status)))) return null;
  const state = stateName(task, policy);
  const offered = commands.filter((one) => isOfferedIn(status, one)).map(nameOf);
  return { code: 'COMMAND_NOT_OFFERED', command, state, preset, offered };
}

/** The state in the words of the queue's preset; null if the task does not exist yet. */
function stateName({ status, task }: Standing, { vocabulary, stepsAsStates }: QueuePolicy): string | null {
  if (status === 'unknown') return null;
  const isInStep = stepsAsStates && task?.entered && (status === 'pending' || status === 'running');
  return (isInStep ? task.nextStep : null) ?? vocabulary?.[status] ?? status;
}

const nameOf = (offer: OfferedCommand): TaskCommandType => (typeof offer === 'string' ? offer : offer.command);

const isOfferedIn = (status: Status, offer: OfferedCommand): boolean =>
  typeof offer === 'string' || offer.in.some((one) => one === status);

const isIdle = (command: TaskCommandType, status: Status): boolean =>
  status !== 'unknown' && !allowedCommands(status).includes(command);

/** Whether the queue offers the command in any state. */
export const offers = (command: TaskCommandType, { commands }: Pick<QueuePolicy, 'commands'>): boolean =>
  commands === null || commands.some((one) => nameOf(one) === command);

interface End {
  /** Its failure cannot be retried. */
  readonly isFinal?: boolean;
  /** What it was about is erased: it can only be deleted. */
  readonly isErased?: boolean;
}

/** The commands that people can give to a task of this status, which ended like that. */
export function commandsOfPeople(
  status: TaskStatus,
  { isFinal = false, isErased = false }: End,
  { commands }: Pick<QueuePolicy, 'commands'>,
): readonly OperatorCommandType[] {
  const offered = commands?.filter((one) => isOfferedIn(status, one)).map(nameOf);
  return allowedCommands(status)
    .filter(isOperatorCommand)
    .filter((command) => !isErased || command === 'DeleteTask')
    .filter((command) => !(isFinal && command === 'RetryTask') && (offered?.includes(command) ?? true));
}
