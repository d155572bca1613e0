import { accept, alreadyDone, reject } from '../kernel/decider.js';
import { sameContent } from '../kernel/json.js';
import type { QueueCommandOf } from './queue.commands.js';
import type { QueueEvent } from './queue.events.js';
import { type LabelLimits, MOST_LIMITED_VALUES } from './queue.policy.js';
import type { KnownQueue, QueueFacts } from './queue.state.js';
import type { QueueDecision } from './queue.transitions.js';

// The limits of one value are part of the policy. A change of them is decided on the policy as it stands, so of two at once none is lost.

type Values = NonNullable<LabelLimits['values']>;

export function setLimit(command: QueueCommandOf<'SetLimit'>, { queue }: KnownQueue): QueueDecision {
  const { label, value, limits } = command;
  const { perLabel, fair } = queue.policy;
  const standing = perLabel ?? { label };
  if (standing.label !== label) return differs(queue, standing, label);
  if (fair && fair.label !== label)
    return reject({ code: 'FAIR_LABEL_DIFFERS', queue: queue.name, label: fair.label, limited: label });
  if (value === null) return changed(queue, { ...standing, ...limits });
  const values = withValue(standing.values ?? [], { value, ...limits });
  if (values.length > MOST_LIMITED_VALUES)
    return reject({ code: 'TOO_MANY_LIMITS', queue: queue.name, most: MOST_LIMITED_VALUES });
  return changed(queue, { ...standing, values });
}

export function unsetLimit({ label, value }: QueueCommandOf<'UnsetLimit'>, { queue }: KnownQueue): QueueDecision {
  const standing = queue.policy.perLabel;
  if (standing === null) return alreadyDone;
  if (standing.label !== label) return differs(queue, standing, label);
  const { values = [], ...ofAll } = standing;
  if (value === null) return changed(queue, limited({ label }, values));
  return changed(
    queue,
    limited(
      ofAll,
      values.filter((one) => one.value !== value),
    ),
  );
}

const differs = ({ name }: QueueFacts, { label }: LabelLimits, given: string): QueueDecision =>
  reject({ code: 'LABEL_DIFFERS', queue: name, label, given });

const withValue = (values: Values, limits: Values[number]): Values =>
  values.some(({ value }) => value === limits.value)
    ? values.map((one) => (one.value === limits.value ? { ...one, ...limits } : one))
    : [...values, limits];

/** Null if nothing is limited any more. */
function limited(ofAll: LabelLimits, values: Values): LabelLimits | null {
  if (values.length > 0) return { ...ofAll, values };
  return ofAll.maxRunning === undefined && ofAll.rate === undefined ? null : ofAll;
}

function changed({ name, description, policy, policyVersion }: QueueFacts, perLabel: LabelLimits | null) {
  if (sameContent(policy.perLabel, perLabel)) return alreadyDone;
  const data = { queue: name, description, policy: { ...policy, perLabel }, policyVersion: policyVersion + 1 };
  return accept<QueueEvent>({ type: 'QueuePolicyChanged', version: 1, data });
}
