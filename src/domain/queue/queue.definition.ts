import { accept, alreadyDone, reject } from '../kernel/decider.js';
import { sameContent } from '../kernel/json.js';
import type { QueueCommandOf } from './queue.commands.js';
import { cycleThrough, missingQueue } from './queue.dependencies.js';
import type { QueueEvent } from './queue.events.js';
import type { KnownQueue, QueueState } from './queue.state.js';
import { activity, type QueueDecision } from './queue.transitions.js';

/** A queue defined again after its deletion begins anew, but for the count of its policy's versions. */
export function define(command: QueueCommandOf<'DefineQueue'>, state: QueueState): QueueDecision {
  const { name, description, policy, awaited } = command;
  if ('queue' in state) return says(state, command) ? alreadyDone : reject({ code: 'QUEUE_EXISTS', queue: name });
  const policyVersion = state.status === 'deleted' ? state.policyVersion + 1 : 1;
  return (
    refusal(name, command) ??
    accept<QueueEvent>(
      { type: 'QueueDefined', version: 1, data: { queue: name, description, policy, policyVersion } },
      ...activity(name, policy, awaited),
    )
  );
}

/** What already stands is done whatever version the caller has seen, so that a repeated change is no conflict. */
export function changePolicy(command: QueueCommandOf<'ChangePolicy'>, state: KnownQueue): QueueDecision {
  const { description, policy, ifVersion } = command;
  const { name, policyVersion: actual } = state.queue;
  if (says(state, command)) return alreadyDone;
  if (ifVersion !== null && ifVersion !== actual)
    return reject({ code: 'POLICY_VERSION_MISMATCH', expected: ifVersion, actual });
  const data = { queue: name, description, policy, policyVersion: actual + 1 };
  return (
    refusal(name, command) ??
    accept<QueueEvent>({ type: 'QueuePolicyChanged', version: 1, data }, ...newActivity(command, state))
  );
}

/** A queue that others stand in the way of now waits; one that waited for them before goes on. Any other stays as it is. */
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
  { policy: { waitsFor, onKeyFailure, duplicatePending }, awaited }: QueueCommandOf<'DefineQueue' | 'ChangePolicy'>,
): QueueDecision | null {
  if (onKeyFailure === 'block' && duplicatePending !== 'allow')
    return reject({ code: 'KEY_FAILURE_NEEDS_LINE', queue: name, duplicatePending });
  const cycle = cycleThrough(name, waitsFor, awaited);
  if (cycle) return reject({ code: 'QUEUES_WAIT_IN_CYCLE', queue: name, cycle });
  const missing = missingQueue(waitsFor, awaited);
  return missing === null ? null : reject({ code: 'AWAITED_QUEUE_NOT_FOUND', queue: name, awaited: missing });
}

const says = (
  { queue }: KnownQueue,
  { description, policy }: QueueCommandOf<'DefineQueue' | 'ChangePolicy'>,
): boolean => queue.description === description && sameContent(queue.policy, policy);
