import { accept, alreadyDone, reject } from '../kernel/decider.js';
import { sameContent } from '../kernel/json.js';
import type { QueueCommandOf } from './queue.commands.js';
import { type AwaitedQueue, cycleOfWaits, missingQueue } from './dependencies.js';
import type { QueueEvent } from './queue.events.js';
import { type LabelLimits, listsPayloads, type QueuePolicy } from './queue.policy.js';
import type { KnownQueue, QueueFacts, QueueState } from './queue.state.js';
import { activity, type QueueDecision } from './queue.transitions.js';

/**
 * An existing queue stays unchanged, because an operator may have changed it since, and a starting program does not
 * know. `replace` replaces its policy. A queue that is defined again after its deletion starts anew, but its policy
 * versions continue counting.
 */
export function define(command: QueueCommandOf<'DefineQueue'>, state: QueueState): QueueDecision {
  const { name, description, policy, replace, awaited } = command;
  if ('queue' in state) {
    if (replace) return changePolicy({ ...command, type: 'ChangePolicy', queue: name, ifVersion: null }, state);
    return contradiction(name, policy) ?? alreadyDone;
  }
  const policyVersion = state.status === 'deleted' ? state.policyVersion + 1 : 1;
  return (
    refusal(name, command) ??
    accept<QueueEvent>(
      { type: 'QueueDefined', version: 1, data: { queue: name, description, policy, policyVersion } },
      ...activity(name, policy, awaited),
    )
  );
}

/**
 * A change that changes nothing is already done, whatever version the caller has read, so a repeated change is no
 * conflict.
 */
export function changePolicy(command: QueueCommandOf<'ChangePolicy'>, state: KnownQueue): QueueDecision {
  const { description, policy, ifVersion } = command;
  const { name, policyVersion: actual } = state.queue;
  if (differences(state.queue, command).length === 0) return alreadyDone;
  if (ifVersion !== null && ifVersion !== actual)
    return reject({ code: 'POLICY_VERSION_MISMATCH', expected: ifVersion, actual });
  const data = { queue: name, description, policy, policyVersion: actual + 1 };
  return (
    refusal(name, command) ??
    accept<QueueEvent>({ type: 'QueuePolicyChanged', version: 1, data }, ...newActivity(command, state))
  );
}

/** A queue that must wait for others now waits, and one that no longer must becomes active. Any other stays as it is. */
function newActivity(
  { by, policy, awaited }: QueueCommandOf<'ChangePolicy'>,
  { status, queue: { name, policy: before } }: KnownQueue,
): readonly QueueEvent[] {
  if (sameContent(policy.waitsFor, before.waitsFor)) return [];
  const waiting = activity(name, policy, awaited);
  if (status === 'active') return waiting;
  if (status !== 'waiting' || waiting.length > 0) return [];
  return [{ type: 'QueueActivated', version: 1, data: { queue: name, by } }];
}

function refusal(
  name: string,
  { policy, awaited }: QueueCommandOf<'DefineQueue' | 'ChangePolicy'>,
): QueueDecision | null {
  return contradiction(name, policy) ?? waitRefusal(name, policy, awaited);
}

/** Contradictions within the policy itself. */
function contradiction(name: string, policy: QueuePolicy): QueueDecision | null {
  const { onKeyFailure, duplicatePending, search, payloadsOutsideAboveBytes, perLabel, fair, needs, concurrency } =
    policy;
  if (onKeyFailure === 'block' && duplicatePending !== 'allow')
    return reject({ code: 'POLICY_CONTRADICTORY', queue: name, duplicatePending });
  // The search reads payloads in the log, so it would find some tasks of the queue and not others.
  if (payloadsOutsideAboveBytes !== null && search.length > 0)
    return reject({ code: 'SEARCH_NOT_POSSIBLE', queue: name, search, beside: 'payloadsOutsideAboveBytes' });
  if (fair && perLabel && fair.label !== perLabel.label)
    return reject({ code: 'FAIR_LABEL_DIFFERS', queue: name, label: fair.label, limited: perLabel.label });
  // One worker has a serial queue to itself as long as it is heard of, so a task that needs another one would never run.
  if (needs !== null && concurrency === 'serial')
    return reject({ code: 'NEEDS_NOT_POSSIBLE', queue: name, beside: 'concurrency: serial' });
  return gatherContradiction(name, policy) ?? (perLabel && labelContradiction(name, perLabel));
}

/** When a task is due that gathers, its submissions say. A list that grows is neither searched nor kept outside the log. */
function gatherContradiction(queue: string, policy: QueuePolicy): QueueDecision | null {
  if (policy.duplicatePending !== 'gather') return null;
  if (policy.dueTimes !== null) return reject({ code: 'GATHER_NOT_POSSIBLE', queue, beside: 'dueTimes' });
  if (!listsPayloads(policy)) return null;
  if (policy.search.length > 0) return reject({ code: 'GATHER_NOT_POSSIBLE', queue, beside: 'search' });
  return policy.payloadsOutsideAboveBytes === null
    ? null
    : reject({ code: 'GATHER_NOT_POSSIBLE', queue, beside: 'payloadsOutsideAboveBytes' });
}

function labelContradiction(
  queue: string,
  { label, maxRunning, rate, values = [] }: LabelLimits,
): QueueDecision | null {
  if (maxRunning === undefined && rate === undefined && values.length === 0)
    return reject({ code: 'LABEL_NOT_LIMITED', queue, label });
  const twice = values.find(({ value }, at) => values.findIndex((one) => one.value === value) < at);
  return twice ? reject({ code: 'LABEL_VALUE_TWICE', queue, label, labelValue: twice.value }) : null;
}

function waitRefusal(name: string, { waitsFor }: QueuePolicy, awaited: readonly AwaitedQueue[]): QueueDecision | null {
  const cycle = cycleOfWaits(name, waitsFor, awaited);
  if (cycle) return reject({ code: 'QUEUES_WAIT_IN_CYCLE', queue: name, cycle });
  const missing = missingQueue(waitsFor, awaited);
  return missing === null ? null : reject({ code: 'AWAITED_QUEUE_NOT_FOUND', queue: name, awaited: missing });
}

/** The content of a definition. */
export type Definition = Pick<QueueFacts, 'description' | 'policy'>;

/** The fields in which a definition differs from `standing`; policy fields by their names. */
export function differences(standing: Definition, { description, policy }: Definition): readonly string[] {
  const fields = (Object.keys(policy) as (keyof QueuePolicy)[]).filter(
    (field) => !sameContent(standing.policy[field], policy[field]),
  );
  return standing.description === description ? fields : ['description', ...fields];
}
