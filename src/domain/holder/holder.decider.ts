import { accept, alreadyDone, type Decider, type Decision, reject } from '../kernel/decider.js';
import { sameContent } from '../kernel/json.js';
import type { HolderCommand, HolderCommandOf, StandingClaim } from './holder.commands.js';
import type { HeldTask, HolderEvent, QueueAnomalyFound } from './holder.events.js';
import type { HolderRejection } from './holder.rejections.js';
import type { HolderState } from './holder.state.js';

type TakeQueue = HolderCommandOf<'TakeQueue'>;
type HolderDecision = Decision<HolderEvent, HolderRejection>;

/**
 * The one consumer of a serial queue: whoever has its task. Between two tasks anybody may take the queue; a task whose claim
 * ran out is taken over with it. That the running tasks are those there are is held by the lock under which they were read.
 */
export const holderDecider: Decider<HolderState, HolderCommand, HolderEvent, HolderRejection> = {
  initialState: { status: 'free' },
  evolve,
  decide: (command, state) => {
    if (command.type === 'RefuseLateReport') return refuseLateReport(command, state);
    const [running, another] = command.running;
    if (another) return dispute(command, state);
    if (!running) return take(command, state);
    return running.overdue
      ? takeOver(command, running, state)
      : reject({ code: 'QUEUE_HELD', queue: command.queue, holder: running });
  },
};

function evolve(state: HolderState, event: HolderEvent): HolderState {
  const { epoch } = event.data;
  const deposed = deposedAfter(event, state.status === 'free' ? [] : state.deposed);
  if (event.type === 'QueueAnomalyFound') return { status: 'disputed', epoch, running: event.data.running, deposed };
  const { worker, server } = event.data;
  return { status: 'held', epoch, worker, server, reset: resetAfter(event), deposed };
}

function resetAfter(event: Exclude<HolderEvent, QueueAnomalyFound>): HeldTask | null {
  if (event.type === 'QueueTakenOver') return event.data.from;
  return event.type === 'QueueLateReportRefused' ? (event.data.reset ?? null) : null;
}

function deposedAfter(event: HolderEvent, before: readonly HeldTask[]): readonly HeldTask[] {
  if (event.type === 'QueueTakenOver') return [...before, event.data.from];
  if (event.type !== 'QueueLateReportRefused') return before;
  return before.filter(({ token }) => token !== event.data.from.token);
}

function refuseLateReport(
  { queue, taskId, token, report }: HolderCommandOf<'RefuseLateReport'>,
  state: HolderState,
): HolderDecision {
  const from = state.status === 'held' ? state.deposed.find((claim) => claim.token === token) : undefined;
  if (state.status !== 'held' || from?.taskId !== taskId) return alreadyDone;
  const { epoch, worker, server, reset } = state;
  const data = { queue, epoch, worker, server, from, report, ...(reset && { reset }) };
  return accept<HolderEvent>({ type: 'QueueLateReportRefused', version: 1, data });
}

function take({ queue, worker, server }: TakeQueue, state: HolderState): HolderDecision {
  if (state.status === 'held' && state.worker === worker && state.server === server) return alreadyDone;
  const data = { queue, epoch: epochOf(state) + 1, worker, server };
  return accept<HolderEvent>({ type: 'QueueTaken', version: 1, data });
}

function takeOver({ queue, worker, server }: TakeQueue, from: StandingClaim, state: HolderState): HolderDecision {
  const data = { queue, epoch: epochOf(state) + 1, worker, server, from: heldTask(from) };
  return accept<HolderEvent>({ type: 'QueueTakenOver', version: 1, data });
}

/** Reported once, and again when other tasks are concerned. */
function dispute({ queue, running }: TakeQueue, state: HolderState): HolderDecision {
  const held = running.map(heldTask);
  if (state.status === 'disputed' && sameContent(state.running, held))
    return reject({ code: 'QUEUE_DISPUTED', queue, running: held });
  const data = { queue, epoch: epochOf(state), running: held };
  return accept<HolderEvent>({ type: 'QueueAnomalyFound', version: 1, data });
}

const epochOf = (state: HolderState): number => (state.status === 'free' ? 0 : state.epoch);

const heldTask = ({ taskId, token, worker, server }: HeldTask): HeldTask => ({ taskId, token, worker, server });
