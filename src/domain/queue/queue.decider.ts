import { accept, alreadyDone, type Decider, reject } from '../kernel/decider.js';
import type { IsoTime } from '../kernel/json.js';
import type { QueueCommand, QueueCommandOf } from './queue.commands.js';
import { define, changePolicy } from './definition.js';
import { setLimit, unsetLimit } from './limits.js';
import type { QueueEvent } from './queue.events.js';
import { evolveQueue } from './queue.evolve.js';
import type { QueueRejection } from './queue.rejections.js';
import type { KnownQueue, PausedQueue, QueueState } from './queue.state.js';
import { activity, illegal, type QueueDecision } from './queue.transitions.js';

type ByItself = 'EndPause' | 'EndWait' | 'PauseAfterFailures' | 'FinishDrained';
type CommandOnQueue = Exclude<QueueCommand, { readonly type: 'DefineQueue' | ByItself }>;

/** One queue. The append checks that it is empty before it is finished or deleted. */
export const queueDecider: Decider<QueueState, QueueCommand, QueueEvent, QueueRejection> = {
  initialState: { status: 'unknown' },
  evolve: evolveQueue,
  decide: (command, state) => {
    switch (command.type) {
      case 'DefineQueue':
        return define(command, state);
      case 'EndPause':
        return endPause(command, state);
      case 'EndWait':
        return endWait(command, state);
      case 'PauseAfterFailures':
        return pauseAfterFailures(command, state);
      case 'FinishDrained':
        return finishDrained(command, state);
      default:
        return 'queue' in state ? decideOnQueue(command, state) : withoutQueue(command, state);
    }
  },
};

function withoutQueue(command: CommandOnQueue, { status }: QueueState): QueueDecision {
  const gone = command.type === 'DeleteQueue' && status === 'deleted';
  return gone ? alreadyDone : reject({ code: 'QUEUE_NOT_FOUND', queue: command.queue });
}

function decideOnQueue(command: CommandOnQueue, state: KnownQueue): QueueDecision {
  switch (command.type) {
    case 'ChangePolicy':
      return changePolicy(command, state);
    case 'SetLimit':
      return setLimit(command, state);
    case 'UnsetLimit':
      return unsetLimit(command, state);
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

/** Pausing a paused queue for another reason or time is recorded, because people see the latest. */
function pause(command: QueueCommandOf<'PauseQueue'>, state: KnownQueue): QueueDecision {
  const { by, reason, until, now, queue } = command;
  if (state.status === 'finished') return illegal(command, state);
  if (state.status === 'paused' && state.pause.reason === reason && state.pause.until === until) return alreadyDone;
  if (until !== null && isOver(until, now)) return reject({ code: 'PAUSE_IN_THE_PAST', queue, until, now });
  return accept<QueueEvent>({ type: 'QueuePaused', version: 2, data: { queue: state.queue.name, by, reason, until } });
}

/** If somebody has paused, changed or finished the queue meanwhile, that takes precedence over the count. */
function pauseAfterFailures({ by, failure }: QueueCommandOf<'PauseAfterFailures'>, state: QueueState): QueueDecision {
  const limit = state.status === 'active' ? state.queue.policy.pauseAfterFailures : null;
  if (state.status !== 'active' || limit === null) return alreadyDone;
  const reason = limit === 1 ? 'an attempt failed' : `${limit} attempts failed in a row`;
  const data = { queue: state.queue.name, by, reason, until: null, failure };
  return accept<QueueEvent>({ type: 'QueuePaused', version: 2, data });
}

function resume(command: QueueCommandOf<'ResumeQueue'>, state: KnownQueue): QueueDecision {
  if (state.status === 'finished') return illegal(command, state);
  return state.status === 'paused' ? accept<QueueEvent>(...resumed(state, command)) : alreadyDone;
}

function endPause(command: QueueCommandOf<'EndPause'>, state: QueueState): QueueDecision {
  if (state.status !== 'paused' || state.pause.until === null) return alreadyDone;
  return isOver(state.pause.until, command.now) ? accept<QueueEvent>(...resumed(state, command)) : alreadyDone;
}

const isOver = (time: IsoTime, now: IsoTime): boolean => Date.parse(time) <= Date.parse(now);

const resumed = (
  { queue }: PausedQueue,
  { by, awaited }: QueueCommandOf<'ResumeQueue' | 'EndPause'>,
): readonly QueueEvent[] => [
  { type: 'QueueResumed', version: 1, data: { queue: queue.name, by } },
  ...activity(queue.name, queue.policy, awaited),
];

function endWait({ by, awaited }: QueueCommandOf<'EndWait'>, state: QueueState): QueueDecision {
  if (state.status !== 'waiting') return alreadyDone;
  const { name, policy } = state.queue;
  if (activity(name, policy, awaited).length > 0) return alreadyDone;
  return accept<QueueEvent>({ type: 'QueueActivated', version: 1, data: { queue: name, by } });
}

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

function finishDrained({ by }: QueueCommandOf<'FinishDrained'>, state: QueueState): QueueDecision {
  const done = state.status === 'active' && state.queue.policy.finite && !state.queue.intake.open;
  if (!done) return alreadyDone;
  return accept<QueueEvent>({ type: 'QueueFinished', version: 1, data: { queue: state.queue.name, by } });
}

function reopen({ by, awaited }: QueueCommandOf<'ReopenQueue'>, { status, queue }: KnownQueue): QueueDecision {
  if (status !== 'finished') return alreadyDone;
  return accept<QueueEvent>(
    { type: 'QueueReopened', version: 1, data: { queue: queue.name, by } },
    ...activity(queue.name, queue.policy, awaited),
  );
}
