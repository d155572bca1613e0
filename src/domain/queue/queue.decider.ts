import { accept, alreadyDone, type Decider, type Decision, reject } from '../kernel/decider.js';
import { sameContent } from '../kernel/json.js';
import type { QueueCommand, QueueCommandOf, QueueCommandType } from './queue.commands.js';
import type { QueueEvent } from './queue.events.js';
import { evolveQueue } from './queue.evolve.js';
import type { QueueRejection } from './queue.rejections.js';
import type { ActiveQueue, FinishedQueue, PausedQueue, QueueState, QueueStatus } from './queue.state.js';

type QueueDecision = Decision<QueueEvent, QueueRejection>;
type KnownQueue = ActiveQueue | PausedQueue | FinishedQueue;
type CommandOnQueue = Exclude<QueueCommand, { readonly type: 'DefineQueue' | 'EndPause' }>;

/** One queue. That it is empty, where finishing or deleting asks for it, is checked by the append. */
export const queueDecider: Decider<QueueState, QueueCommand, QueueEvent, QueueRejection> = {
  initialState: { status: 'unknown' },
  evolve: evolveQueue,
  decide: (command, state) => {
    if (command.type === 'DefineQueue') return define(command, state);
    if (command.type === 'EndPause') return endPause(command, state);
    if ('queue' in state) return decideOnQueue(command, state);
    const gone = command.type === 'DeleteQueue' && state.status === 'deleted';
    return gone ? alreadyDone : reject({ code: 'QUEUE_NOT_FOUND', queue: command.queue });
  },
};

function decideOnQueue(command: CommandOnQueue, state: KnownQueue): QueueDecision {
  switch (command.type) {
    case 'ChangePolicy':
      return changePolicy(command, state);
    case 'PauseQueue':
      return pause(command, state);
    case 'ResumeQueue':
      return resume(command, state);
    case 'CloseIntake':
      return closeIntake(command, state);
    case 'OpenIntake':
      return openIntake(command, state);
    case 'FinishQueue':
      return finish(command, state);
    case 'ReopenQueue':
      return reopen(command, state);
    case 'DeleteQueue':
      return accept<QueueEvent>({
        type: 'QueueDeleted',
        version: 1,
        data: { queue: state.queue.name, by: command.by },
      });
  }
}

/** A queue defined again after its deletion begins anew, but for the count of its policy's versions. */
function define(command: QueueCommandOf<'DefineQueue'>, state: QueueState): QueueDecision {
  const { name, description, policy } = command;
  if ('queue' in state) return says(state, command) ? alreadyDone : reject({ code: 'QUEUE_EXISTS', queue: name });
  const policyVersion = state.status === 'deleted' ? state.policyVersion + 1 : 1;
  return accept<QueueEvent>({
    type: 'QueueDefined',
    version: 1,
    data: { queue: name, description, policy, policyVersion },
  });
}

/** What already stands is done whatever version the caller has seen, so that a repeated change is no conflict. */
function changePolicy(command: QueueCommandOf<'ChangePolicy'>, state: KnownQueue): QueueDecision {
  const { description, policy, ifVersion } = command;
  const { name, policyVersion: actual } = state.queue;
  if (says(state, command)) return alreadyDone;
  if (ifVersion !== null && ifVersion !== actual)
    return reject({ code: 'POLICY_VERSION_MISMATCH', expected: ifVersion, actual });
  const data = { queue: name, description, policy, policyVersion: actual + 1 };
  return accept<QueueEvent>({ type: 'QueuePolicyChanged', version: 1, data });
}

const says = (
  { queue }: KnownQueue,
  { description, policy }: QueueCommandOf<'DefineQueue' | 'ChangePolicy'>,
): boolean => queue.description === description && sameContent(queue.policy, policy);

/** Pausing a paused queue for another reason or time is recorded: the latest is what people are told. */
function pause(command: QueueCommandOf<'PauseQueue'>, state: KnownQueue): QueueDecision {
  const { by, reason, until } = command;
  if (state.status === 'finished') return illegal(command, state);
  if (state.status === 'paused' && state.pause.reason === reason && state.pause.until === until) return alreadyDone;
  return accept<QueueEvent>({ type: 'QueuePaused', version: 1, data: { queue: state.queue.name, by, reason, until } });
}

function resume(command: QueueCommandOf<'ResumeQueue'>, state: KnownQueue): QueueDecision {
  if (state.status === 'finished') return illegal(command, state);
  return state.status === 'paused' ? accept<QueueEvent>(resumed(state, command.by)) : alreadyDone;
}

function endPause({ now, by }: QueueCommandOf<'EndPause'>, state: QueueState): QueueDecision {
  if (state.status !== 'paused' || state.pause.until === null) return alreadyDone;
  return Date.parse(state.pause.until) <= Date.parse(now) ? accept<QueueEvent>(resumed(state, by)) : alreadyDone;
}

const resumed = ({ queue }: PausedQueue, by: string): QueueEvent => ({
  type: 'QueueResumed',
  version: 1,
  data: { queue: queue.name, by },
});

function closeIntake({ by, reason }: QueueCommandOf<'CloseIntake'>, { queue }: KnownQueue): QueueDecision {
  if (!queue.intake.open && queue.intake.reason === reason) return alreadyDone;
  return accept<QueueEvent>({ type: 'QueueIntakeClosed', version: 1, data: { queue: queue.name, by, reason } });
}

function openIntake({ by }: QueueCommandOf<'OpenIntake'>, { queue }: KnownQueue): QueueDecision {
  if (queue.intake.open) return alreadyDone;
  return accept<QueueEvent>({ type: 'QueueIntakeOpened', version: 1, data: { queue: queue.name, by } });
}

function finish({ by }: QueueCommandOf<'FinishQueue'>, { status, queue }: KnownQueue): QueueDecision {
  if (status === 'finished') return alreadyDone;
  return accept<QueueEvent>({ type: 'QueueFinished', version: 1, data: { queue: queue.name, by } });
}

function reopen({ by }: QueueCommandOf<'ReopenQueue'>, { status, queue }: KnownQueue): QueueDecision {
  if (status !== 'finished') return alreadyDone;
  return accept<QueueEvent>({ type: 'QueueReopened', version: 1, data: { queue: queue.name, by } });
}

const illegal = (command: QueueCommand, { status }: KnownQueue): QueueDecision =>
  reject({ code: 'QUEUE_ILLEGAL_TRANSITION', command: command.type, state: status, allowed: ALLOWED[status] });

const ANYWHERE = ['ChangePolicy', 'CloseIntake', 'OpenIntake', 'DeleteQueue'] as const;

/** The commands that can record something. */
const ALLOWED: Readonly<Record<QueueStatus, readonly QueueCommandType[]>> = {
  active: ['PauseQueue', 'FinishQueue', ...ANYWHERE],
  paused: ['PauseQueue', 'ResumeQueue', 'EndPause', 'FinishQueue', ...ANYWHERE],
  finished: ['ReopenQueue', ...ANYWHERE],
  deleted: ['DefineQueue'],
};
