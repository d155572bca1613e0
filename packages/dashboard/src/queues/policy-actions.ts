import type { BlamedField, PolicyChanges } from '@waybill/client';
import type { Action } from '../actions/action.js';
import { quoted } from '../actions/quoted.js';
import { typedJson, typedObject } from '../actions/typed.js';

interface Policied {
  readonly name: string;
  readonly policyVersion: number;
}

/** What fields look like that are null in most queues, and so show nothing to change. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  fair: { label: 'tenant', weights: { acme: 3 } },
  needs: { gpu: true },
  perLabel: { label: 'customer', maxRunning: 2 },
  rate: { starts: 100, perMs: 60_000, burst: 20 },
  dueTimes: { cron: '0 8 * * 1-5', timeZone: 'UTC' },
};

const asJson = (value: unknown): string => JSON.stringify(value, null, 2);

/** The field as it is, or an example if it is nothing so far. */
const jsonOf = ({ field, value }: BlamedField) =>
  value === null && field in EXAMPLES ? { placeholder: asJson(EXAMPLES[field]) } : { initial: asJson(value) };

/** Changes one field of the policy; refused if somebody has changed the policy since it was read. */
export const changeField = ({ name, policyVersion }: Policied, blamed: BlamedField): Action => {
  const { field } = blamed;
  return {
    name: 'Change',
    about: `Changes ${field}. Tasks that have begun keep the rules that they began with where these bind them.`,
    fields: [{ name: 'value', label: `${field}, as JSON`, kind: 'json', ...jsonOf(blamed) }],
    cli: ({ value: text = '' }) => `waybill queue change ${name} ${quoted(changeText(field, text))}`,
    run: (waybill, reason, { value: text = '' }) =>
      waybill.queue(name).changePolicy(nested(field, typedJson(text)), { ifVersion: policyVersion, reason }),
  };
};

/** Changes several fields at once. */
export const changePolicy = ({ name, policyVersion }: Policied): Action => ({
  name: 'Change the policy',
  about: 'Changes the fields that you name. The others stay.',
  fields: [{ name: 'changes', label: 'Changes', kind: 'json', initial: '{\n  "leaseMs": 60000\n}' }],
  cli: ({ changes = '' }) => `waybill queue change ${name} ${quoted(changes)}`,
  run: (waybill, reason, { changes = '' }) =>
    waybill.queue(name).changePolicy(typedObject(changes), { ifVersion: policyVersion, reason }),
});

/** `retry.maxAttempts` is a member of `retry`. */
export const nested = (field: string, value: unknown): PolicyChanges =>
  field.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as PolicyChanges;

function changeText(field: string, text: string): string {
  try {
    return JSON.stringify(nested(field, JSON.parse(text)));
  } catch {
    return text; // half typed
  }
}

/** What a definition alone says. */
const DEFINED: ReadonlySet<string> = new Set(['description', 'preset', 'vocabulary']);

export const isChangeable = ({ field }: BlamedField): boolean => !DEFINED.has(field);
