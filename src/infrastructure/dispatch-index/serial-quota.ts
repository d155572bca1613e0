import { newId } from '../../application/kernel/new-id.js';
import type { ClaimRefusal, ClaimRequest } from '../../application/claims/task-claimer.port.js';
import { envelopeOf } from '../../application/kernel/envelope.js';
import { type AppendItem, NO_STREAM } from '../../application/kernel/event-store.port.js';
import type { StandingClaim } from '../../domain/queue-consumer/consumer.commands.js';
import { consumerDecider } from '../../domain/queue-consumer/consumer.decider.js';
import type { ConsumerEvent } from '../../domain/queue-consumer/consumer.events.js';
import type { ConsumerRejection } from '../../domain/queue-consumer/consumer.rejections.js';
import type { ConsumerState } from '../../domain/queue-consumer/consumer.state.js';
import { consumerStream } from '../../domain/queue-consumer/consumer.stream.js';
import { fold } from '../../domain/kernel/decider.js';
import type { QueueFacts } from '../../domain/queue/queue.state.js';
import { type ClaimQuota, NOTHING_BESIDE } from './claim-quota.js';

/** The last event of the holder's stream. */
export interface LastHolding {
  readonly revision: number;
  readonly event: ConsumerEvent;
  /** The task that was reset has been claimed under a later token. */
  readonly resetClaimed: boolean;
}

/** What the gate of a serial queue sees. */
export interface SerialView {
  readonly running: readonly StandingClaim[];
  readonly holder: LastHolding | null;
}

/** The first who asks is answered; one task at most is given, so that the others find the queue taken. */
export function serialQuota(queue: QueueFacts, view: SerialView, requests: readonly ClaimRequest[]): ClaimQuota {
  const [{ worker, server }] = requests as [ClaimRequest];
  const state = consumerState(view.holder);
  const command = { type: 'TakeQueue' as const, queue: queue.name, worker, server, running: view.running };
  const decision = consumerDecider.decide(command, state);
  if (decision.kind === 'rejected') return refused(requests, refusalOf(decision.rejection));
  const first = state.status === 'held' && !view.holder!.resetClaimed ? (state.reset?.taskId ?? null) : null;
  const given = { ...NOTHING_BESIDE, first, places: [0], refusals: requests.map(() => null) };
  if (decision.kind === 'alreadyDone') return given;
  const item = consumerItem(queue, view.holder, decision.events, requests[0]!);
  if (decision.events[0]!.type === 'QueueTaken') return { ...given, withTask: item };
  const reset = decision.events[0]!.type === 'QueueTakenOver' ? view.running[0]! : null;
  const refusal = reset ? null : conflicted(view.running);
  return { ...refused(requests, refusal), alone: item, reset };
}

const refused = (requests: readonly ClaimRequest[], refusal: ClaimRefusal | null): ClaimQuota => ({
  ...NOTHING_BESIDE,
  places: [],
  refusals: requests.map(() => refusal),
});

/** Each event says all, so that the last one is the state. */
const consumerState = (last: LastHolding | null): ConsumerState => fold(consumerDecider, last ? [last.event] : []);

function refusalOf(rejection: ConsumerRejection): ClaimRefusal {
  if (rejection.code === 'QUEUE_CONFLICTED') return conflicted(rejection.running);
  const { worker, server, taskId, until } = rejection.consumer;
  return { code: 'QUEUE_HELD', consumer: { worker, server, taskId, until: new Date(until).toISOString() } };
}

const conflicted = (running: readonly Pick<StandingClaim, 'worker' | 'server' | 'taskId'>[]): ClaimRefusal => ({
  code: 'QUEUE_CONFLICTED',
  running: running.map(({ worker, server, taskId }) => ({ worker, server, taskId })),
});

function consumerItem(
  { name, policyVersion }: QueueFacts,
  last: LastHolding | null,
  events: readonly ConsumerEvent[],
  { context }: ClaimRequest,
): AppendItem {
  const envelope = envelopeOf(context, policyVersion);
  return {
    stream: consumerStream(name),
    expected: last?.revision ?? NO_STREAM,
    events: events.map((event) => ({ id: newId(), event, envelope })),
  };
}
