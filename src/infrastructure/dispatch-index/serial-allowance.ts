import { newId } from '../../application/kernel/new-id.js';
import type { ClaimRefusal, ClaimRequest } from '../../application/claims/claim-desk.port.js';
import { envelopeOf } from '../../application/kernel/envelope.js';
import { type AppendItem, NO_STREAM } from '../../application/kernel/event-store.port.js';
import type { StandingClaim } from '../../domain/holder/holder.commands.js';
import { holderDecider } from '../../domain/holder/holder.decider.js';
import type { HolderEvent } from '../../domain/holder/holder.events.js';
import type { HolderRejection } from '../../domain/holder/holder.rejections.js';
import type { HolderState } from '../../domain/holder/holder.state.js';
import { holderStream } from '../../domain/holder/holder.stream.js';
import { fold } from '../../domain/kernel/decider.js';
import type { QueueFacts } from '../../domain/queue/queue.state.js';
import { type Allowance, NOTHING_BESIDE } from './allowance.js';

/** The last event of the holder's stream. */
export interface LastHolding {
  readonly revision: number;
  readonly event: HolderEvent;
  /** The task that was reset has been claimed under a later token. */
  readonly resetClaimed: boolean;
}

/** What the gate of a serial queue sees. */
export interface SerialView {
  readonly running: readonly StandingClaim[];
  readonly holder: LastHolding | null;
}

/** The first who asks is answered; one task at most is given, so that the others find the queue taken. */
export function serialAllowance(queue: QueueFacts, view: SerialView, requests: readonly ClaimRequest[]): Allowance {
  const [{ worker, server }] = requests as [ClaimRequest];
  const state = holderState(view.holder);
  const command = { type: 'TakeQueue' as const, queue: queue.name, worker, server, running: view.running };
  const decision = holderDecider.decide(command, state);
  if (decision.kind === 'rejected') return refused(requests, refusalOf(decision.rejection));
  const first = state.status === 'held' && !view.holder!.resetClaimed ? (state.reset?.taskId ?? null) : null;
  const given = { ...NOTHING_BESIDE, first, places: [0], refusals: requests.map(() => null) };
  if (decision.kind === 'alreadyDone') return given;
  const item = holderItem(queue, view.holder, decision.events, requests[0]!);
  if (decision.events[0]!.type === 'QueueTaken') return { ...given, withTask: item };
  const reset = decision.events[0]!.type === 'QueueTakenOver' ? view.running[0]! : null;
  const refusal = reset ? null : disputed(view.running);
  return { ...refused(requests, refusal), alone: item, reset };
}

const refused = (requests: readonly ClaimRequest[], refusal: ClaimRefusal | null): Allowance => ({
  ...NOTHING_BESIDE,
  places: [],
  refusals: requests.map(() => refusal),
});

/** Each event says all, so that the last one is the state. */
const holderState = (last: LastHolding | null): HolderState => fold(holderDecider, last ? [last.event] : []);

function refusalOf(rejection: HolderRejection): ClaimRefusal {
  if (rejection.code === 'QUEUE_DISPUTED') return disputed(rejection.running);
  const { worker, server, taskId, until } = rejection.holder;
  return { code: 'QUEUE_HELD', holder: { worker, server, taskId, until: new Date(until).toISOString() } };
}

const disputed = (running: readonly Pick<StandingClaim, 'worker' | 'server' | 'taskId'>[]): ClaimRefusal => ({
  code: 'QUEUE_DISPUTED',
  running: running.map(({ worker, server, taskId }) => ({ worker, server, taskId })),
});

function holderItem(
  { name, policyVersion }: QueueFacts,
  last: LastHolding | null,
  events: readonly HolderEvent[],
  { context }: ClaimRequest,
): AppendItem {
  const envelope = envelopeOf(context, policyVersion);
  return {
    stream: holderStream(name),
    expected: last?.revision ?? NO_STREAM,
    events: events.map((event) => ({ id: newId(), event, envelope })),
  };
}
