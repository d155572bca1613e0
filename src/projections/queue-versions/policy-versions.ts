import { type JsonObject, sameContent } from '../../domain/kernel/json.js';
import type { QueueEvent } from '../../domain/queue/queue.events.js';
import { DEFAULT_POLICY, type QueuePolicy, wholePolicy } from '../../domain/queue/queue.policy.js';
import type { Recorded } from '../kernel/event-log.port.js';

/** Who gave the command that made a version, when and why. */
export interface VersionOrigin {
  readonly version: number;
  readonly position: string;
  readonly at: string;
  readonly by: string;
  /** The program or assistant that acted on the actor's behalf, as it said. */
  readonly agent?: string;
  readonly reason: string | null;
}

/** A field of a policy, or `description`, in two versions. A member of `retry`, `limits` or `retention` is a field, such as `retry.maxAttempts`. */
export interface FieldChange {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** A version of a queue's policy. */
export interface PolicyVersion extends VersionOrigin {
  /** `defined`: the queue was created with it, perhaps anew under its old name. */
  readonly outcome: 'defined' | 'changed';
  /** What it changed of the version before; empty if the queue was defined with it. */
  readonly changes: readonly FieldChange[];
  readonly description: string;
  readonly policy: QueuePolicy;
}

/** Who set a field to the value that it has. */
export interface BlamedField {
  readonly field: string;
  readonly value: unknown;
  /** Whether a queue has it that is defined without a policy. */
  readonly isDefault: boolean;
  /** Null if no event set it: builds before had no such field, and it has its default of today. */
  readonly setBy: VersionOrigin | null;
}

type Versioned = Extract<QueueEvent, { readonly data: { readonly policyVersion: number } }>;

const isVersioned = (recorded: Recorded): recorded is Recorded<Versioned> => 'policyVersion' in recorded.event.data;

/** The versions of a queue's policy, the first one first, from the events of its stream. */
export function policyVersions(history: readonly Recorded[]): readonly PolicyVersion[] {
  const versions: PolicyVersion[] = [];
  for (const recorded of history.filter(isVersioned)) {
    const { type, data } = recorded.event;
    const [description, policy] = [data.description, wholePolicy(data.policy)];
    const before = type === 'QueueDefined' ? undefined : versions.at(-1);
    const outcome = type === 'QueueDefined' ? 'defined' : 'changed';
    const changes = before ? fieldChanges(before, { description, policy }) : [];
    versions.push({ ...madeBy(recorded), outcome, changes, description, policy });
  }
  return versions;
}

type Content = Pick<PolicyVersion, 'description' | 'policy'>;

/** The fields in which two versions differ. */
export function fieldChanges(one: Content, other: Content): readonly FieldChange[] {
  const [before, after] = [fieldsOf(one), fieldsOf(other)];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.flatMap((field) => {
    const [from, to] = [before.get(field) ?? null, after.get(field) ?? null];
    return sameContent(from, to) ? [] : [{ field, from, to }];
  });
}

/** For each field of the newest version, who set it last. A definition sets every field that its event has. */
export function blame(history: readonly Recorded[]): readonly BlamedField[] {
  const set = new Map<string, { readonly value: unknown; readonly by: VersionOrigin }>();
  const versions = history.filter(isVersioned);
  for (const recorded of versions) {
    if (recorded.event.type === 'QueueDefined') set.clear();
    const by = madeBy(recorded);
    for (const [field, value] of fieldsOf(recorded.event.data))
      if (!sameContent(set.get(field)?.value, value)) set.set(field, { value, by });
  }
  const newest = versions.at(-1);
  if (!newest) return [];
  const { description, policy } = newest.event.data;
  const fields = fieldsOf({ description, policy: wholePolicy(policy) });
  return [...fields].map(([field, value]) => ({
    field,
    value,
    isDefault: sameContent(DEFAULTS.get(field) ?? null, value ?? null),
    setBy: set.get(field)?.by ?? null,
  }));
}

function madeBy({ event, position, recordedAt, envelope }: Recorded<Versioned>): VersionOrigin {
  const { actor: by, agent, reason = null } = envelope;
  const made = { version: event.data.policyVersion, position: String(position), at: recordedAt, by, reason };
  return agent === undefined ? made : { ...made, agent };
}

/** The fields whose members are fields of their own, because commands change them one by one. */
const NESTED: readonly string[] = ['retry', 'limits', 'retention'];

function fieldsOf({ description, policy }: Content): ReadonlyMap<string, unknown> {
  const fields = Object.entries(policy).flatMap(([name, value]) =>
    NESTED.includes(name)
      ? Object.entries(value as JsonObject).map(([member, of]) => [`${name}.${member}`, of] as const)
      : [[name, value as unknown] as const],
  );
  return new Map([['description', description], ...fields]);
}

const DEFAULTS = fieldsOf({ description: '', policy: DEFAULT_POLICY });
