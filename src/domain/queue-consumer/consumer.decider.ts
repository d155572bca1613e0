import { accept, alreadyDone, type Decider, type Decision, reject } from '../kernel/decider.js';
import { sameContent } from '../kernel/json.js';
import type { ConsumerCommand, ConsumerCommandOf, StandingClaim } from './consumer.commands.js';
import type { HeldTask, ConsumerEvent } from './consumer.events.js';
import type { ConsumerRejection } from './consumer.rejections.js';
import { type ConsumerState, evolveConsumer } from './consumer.state.js';

type TakeQueue = ConsumerCommandOf<'TakeQueue'>;
type ConsumerDecision = Decision<ConsumerEvent, ConsumerRejection>;

/**
 * Decides who is the one consumer of a serial queue: the worker that has its task. Between two tasks any worker may
 * take the queue. A task whose lease expired is taken over with it. The list of running tasks is complete, because the
 * caller reads it under a lock.
 */
export const consumerDecider: Decider<ConsumerState, ConsumerCommand, ConsumerEvent, ConsumerRejection> = {
  initialState: { status: 'free' },
  evolve: evolveConsumer,
  decide: (command, state) => {
    if (command.type === 'RefuseLateReport') return refuseLateReport(command, state);
    const [running, another] = command.running;
    if (another) return reportConflict(command, state);
    if (!running) return take(command, state);
    return running.overdue
      ? takeOver(command, running, state)
      : reject({ code: 'QUEUE_HELD', queue: command.queue, consumer: running });
  },
};

function refuseLateReport(
  { queue, taskId, token, report }: ConsumerCommandOf<'RefuseLateReport'>,
  state: ConsumerState,
): ConsumerDecision {
  const from = state.status === 'held' ? state.fencedClaims.find((claim) => claim.token === token) : undefined;
  if (state.status !== 'held' || from?.taskId !== taskId) return alreadyDone;
  const { epoch, worker, server, reset } = state;
  const data = { queue, epoch, worker, server, from, report, ...(reset && { reset }) };
  return accept<ConsumerEvent>({ type: 'QueueLateReportRefused', version: 1, data });
}

function take({ queue, worker, server }: TakeQueue, state: ConsumerState): ConsumerDecision {
  if (state.status === 'held' && state.worker === worker && state.server === server) return alreadyDone;
  const data = { queue, epoch: epochOf(state) + 1, worker, server };
  return accept<ConsumerEvent>({ type: 'QueueTaken', version: 1, data });
}

function takeOver({ queue, worker, server }: TakeQueue, from: StandingClaim, state: ConsumerState): ConsumerDecision {
  const data = { queue, epoch: epochOf(state) + 1, worker, server, from: heldTask(from) };
  return accept<ConsumerEvent>({ type: 'QueueTakenOver', version: 1, data });
}

/** Reports the conflict once, and again when the conflicting tasks change. */
function reportConflict({ queue, running }: TakeQueue, state: ConsumerState): ConsumerDecision {
  const held = running.map(heldTask);
  if (state.status === 'conflicted' && sameContent(state.running, held))
    return reject({ code: 'QUEUE_CONFLICTED', queue, running: held });
  const data = { queue, epoch: epochOf(state), running: held };
  return accept<ConsumerEvent>({ type: 'QueueAnomalyFound', version: 1, data });
}

const epochOf = (state: ConsumerState): number => (state.status === 'free' ? 0 : state.epoch);

const heldTask = ({ taskId, token, worker, server }: HeldTask): HeldTask => ({ taskId, token, worker, server });
