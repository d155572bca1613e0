import type { QueueDefined, QueueEvent } from './queue.events.js';
import { wholePolicy } from './queue.policy.js';
import type { Intake, QueueFacts, QueueState } from './queue.state.js';

/** The state after `event`. Throws if the stream is broken: an event of a queue that does not exist. */
export function evolveQueue(state: QueueState, event: QueueEvent): QueueState {
  if (event.type === 'QueueReservationAbandoned') return state;
  if (event.type === 'QueueDefined') return { status: 'active', queue: defined(event.data) };
  if (!('queue' in state))
    throw new Error(`Expected a queue to be defined before '${event.type}', but it is ${state.status}`);
  const { queue } = state;
  switch (event.type) {
    case 'QueuePolicyChanged': {
      const { description, policy, policyVersion } = event.data;
      return { ...state, queue: { ...queue, description, policy: wholePolicy(policy), policyVersion } };
    }
    case 'QueuePaused': {
      const { by, reason, until, failure = null } = event.data;
      return { status: 'paused', queue, pause: { by, reason, until, failure } };
    }
    case 'QueueResumed':
    case 'QueueReopened':
    case 'QueueActivated':
      return { status: 'active', queue };
    case 'QueueIntakeClosed': {
      const { by, reason } = event.data;
      return { ...state, queue: { ...queue, intake: { open: false, by, reason } } };
    }
    case 'QueueIntakeOpened':
      return { ...state, queue: { ...queue, intake: INTAKE_OPEN } };
    case 'QueueWaiting':
      return { status: 'waiting', queue };
    case 'QueueFinished':
      return { status: 'finished', queue };
    case 'QueueDeleted':
      return { status: 'deleted', policyVersion: queue.policyVersion };
  }
}

const defined = ({ queue, description, policy, policyVersion }: QueueDefined['data']): QueueFacts => ({
  name: queue,
  description,
  policy: wholePolicy(policy),
  policyVersion,
  intake: INTAKE_OPEN,
});

const INTAKE_OPEN: Intake = { open: true };
