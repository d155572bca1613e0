import type { BlamedField, PolicyChanges } from '@waybill/client';
import type { Action } from '../actions/action.js';
import { quoted } from '../actions/quoted.js';
import { typedJson, typedObject } from '../actions/typed.js';

interface Policied {
  readonly name: string;
  readonly policyVersion: number;
}

/** Changes one field of the policy; refused if somebody has changed the policy since it was read. */
export const changeField = ({ name, policyVersion }: Policied, { field, value }: BlamedField): Action => ({
  name: 'Change',
  about: `Changes ${field}. Tasks that have begun keep the rules that they began with where these bind them.`,
  fields: [{ name: 'value', label: `${field}, as JSON`, kind: 'json', initial: JSON.stringify(value, null, 2) }],
  cli: ({ value: text = '' }) => `waybill queue change ${name} ${quoted(changeText(field, text))}`,
  run: (waybill, reason, { value: text = '' }) =>
    waybill.queue(name).changePolicy(nested(field, typedJson(text)), { ifVersion: policyVersion, reason }),
});

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
