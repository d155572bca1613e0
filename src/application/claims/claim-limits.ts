import { randomUUID } from 'node:crypto';
import { fold } from '../../domain/kernel/decider.js';
import type { StandingClaim } from '../../domain/queue-consumer/consumer.commands.js';
import { consumerDecider } from '../../domain/queue-consumer/consumer.decider.js';
import type { ConsumerEvent } from '../../domain/queue-consumer/consumer.events.js';
import type { ConsumerRejection } from '../../domain/queue-consumer/consumer.rejections.js';
import { consumerStream } from '../../domain/queue-consumer/consumer.stream.js';
import { isCounted, type QueuePolicy, roomOn } from '../../domain/queue/queue.policy.js';
import type { QueueFacts } from '../../domain/queue/queue.state.js';
import { envelopeOf } from '../kernel/envelope.js';
import { type AppendItem, NO_STREAM } from '../kernel/event-store.port.js';
import { newId } from '../kernel/new-id.js';
import type {
  ClaimQuota,
  ClaimRefusal,
  ClaimRequest,
  HolderLimit,
  LastHolding,
  RunningClaims,
} from './claim-source.port.js';

type Requests = readonly ClaimRequest[];

/** The part of a quota that depends on the queue's limits. */
type Limited = Omit<ClaimQuota, 'leases'>;

const NOTHING_BESIDE = { first: null, withTask: null, alone: null, reset: null };

/** How many tasks the limits of the queue and of the callers' API keys allow each request, given what runs. */
export const quotaFor = (queue: QueueFacts, running: RunningClaims, requests: Requests): ClaimQuota => ({
  ...withinHolders(running, requests, (allowed) => limited(queue, running, allowed)),
  leases: requests.map((request) => ({ secret: randomUUID(), leaseMs: leaseMsFor(request, queue.policy) })),
});

/**
 * Leaves requests out for whose holders enough tasks run, and asks the others for no more than may. `limited` sees those
 * only.
 */
function withinHolders(
  { ofHolders }: RunningClaims,
  requests: Requests,
  limited: (allowed: Requests) => Limited,
): Limited {
  if (ofHolders.size === 0) return limited(requests);
  const running = new Map(ofHolders);
  const places = requests.map(({ limit, max }) => (limit ? take(running, limit, max) : max));
  const indexes = requests.flatMap((_, index) => (places[index]! > 0 ? [index] : []));
  const full = requests.map(({ limit }, index) => (places[index]! > 0 ? null : fullHolder(limit!, ofHolders)));
  if (indexes.length === 0) return { ...NOTHING_BESIDE, places: [], refusals: full };
  const quota = limited(indexes.map((index) => ({ ...requests[index]!, max: places[index]! })));
  const refusals = new Map(indexes.map((index, at) => [index, quota.refusals[at]!]));
  return {
    ...quota,
    places: quota.places.map((at) => indexes[at]!),
    refusals: full.map((refusal, index) => refusal ?? refusals.get(index) ?? null),
  };
}

/** How many places the holder's limit leaves. From then on they count as taken. */
function take(running: Map<string, number>, { holder, most }: HolderLimit, max: number): number {
  const runs = running.get(holder) ?? 0;
  const places = Math.max(0, Math.min(max, most - runs));
  running.set(holder, runs + places);
  return places;
}

const fullHolder = (limit: HolderLimit, running: ReadonlyMap<string, number>): ClaimRefusal => ({
  code: 'HOLDER_FULL',
  ...limit,
  running: running.get(limit.holder) ?? 0,
});

function limited(queue: QueueFacts, running: RunningClaims, requests: Requests): Limited {
  const { policy } = queue;
  if (!isCounted(policy)) return everything(requests);
  return policy.concurrency === 'serial'
    ? serialQuota(queue, running, requests)
    : countedQuota(policy, running.claims, requests);
}

/** In a serial queue a lease is no longer than the takeover time, so that a silent consumer loses its task by then. */
export function leaseMsFor({ leaseMs }: Pick<ClaimRequest, 'leaseMs'>, policy: QueuePolicy): number {
  const wanted = leaseMs ?? policy.leaseMs;
  return policy.concurrency === 'serial' ? Math.min(wanted, policy.takeoverSeconds * 1_000) : wanted;
}

/** Each request gets as many places as it asks for. */
const everything = (requests: Requests): Limited => ({
  ...NOTHING_BESIDE,
  places: requests.flatMap(({ max }, index) => new Array<number>(max).fill(index)),
  refusals: requests.map(() => null),
});

/** Gives each request, in order, the places that the limits of the queue and of the request's server leave. */
function countedQuota(policy: QueuePolicy, standing: readonly StandingClaim[], requests: Requests): Limited {
  const running: { readonly server: string }[] = [...standing];
  const places: number[] = [];
  const refusals = requests.map(({ server, max }, index): ClaimRefusal | null => {
    const room = roomOn(server, policy, running);
    if (room.places <= 0) return fullFor(server, room.limit, running);
    for (let place = 0; place < Math.min(max, room.places); place++) {
      places.push(index);
      running.push({ server });
    }
    return null;
  });
  return { ...NOTHING_BESIDE, places, refusals };
}

function fullFor(server: string, limit: string, running: readonly { readonly server: string }[]): ClaimRefusal {
  if (limit === 'maxRunning') return { code: 'QUEUE_FULL', running: running.length };
  return { code: 'SERVER_FULL', server, running: running.filter((task) => task.server === server).length };
}

/**
 * Decides for the first request only, and gives out one task at most. The others then find the queue taken. A request for no
 * task only takes over.
 */
function serialQuota(queue: QueueFacts, { claims, consumer }: RunningClaims, requests: Requests): Limited {
  const [{ worker, server, max }] = requests as [ClaimRequest];
  const state = fold(consumerDecider, consumer ? [consumer.event] : []);
  const command = { type: 'TakeQueue' as const, queue: queue.name, worker, server, running: claims };
  const decision = consumerDecider.decide(command, state);
  if (decision.kind === 'rejected') return refused(requests, refusalOf(decision.rejection));
  const takesOver = decision.kind === 'accepted' && decision.events[0]!.type === 'QueueTakenOver';
  if (max === 0 && !takesOver) return refused(requests, null);
  const first = state.status === 'held' && !consumer!.resetClaimed ? (state.reset?.taskId ?? null) : null;
  const given = { ...NOTHING_BESIDE, first, places: [0], refusals: requests.map(() => null) };
  if (decision.kind === 'alreadyDone') return given;
  const item = consumerItem(queue, consumer, decision.events, requests[0]!);
  if (decision.events[0]!.type === 'QueueTaken') return { ...given, withTask: item };
  const reset = takesOver ? claims[0]! : null;
  return { ...refused(requests, reset ? null : conflicted(claims)), alone: item, reset };
}

const refused = (requests: Requests, refusal: ClaimRefusal | null): Limited => ({
  ...NOTHING_BESIDE,
  places: [],
  refusals: requests.map(() => refusal),
});

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
