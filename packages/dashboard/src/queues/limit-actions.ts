import type { LimitedValue } from '@waybill/client';
import { rateOf } from '@waybill/client/words';
import type { Action } from '../actions/action.js';
import { quoted } from '../actions/quoted.js';
import { typedWhole } from '../actions/typed.js';
import { InputError } from '../ui/input-error.js';

/** Limits a value. Its label is typed unless the queue already limits one. */
export const setLimit = (queue: string, label?: string): Action => ({
  name: 'Limit a value',
  isRare: true,
  about: `How many tasks with a value of a label, such as a customer, may run at once, and how many may start in a time. A queue limits the values of one label. What you leave out stays as it is.`,
  fields: [
    { name: 'label', label: 'Label', initial: label, placeholder: 'customer' },
    { name: 'labelValue', label: 'Value; all that have no limits of their own if empty', isOptional: true },
    { name: 'mostRunning', label: 'Most that run at once', kind: 'number', isOptional: true, placeholder: '10' },
    { name: 'rate', label: 'Starts in a time', isOptional: true, placeholder: '5/s' },
    {
      name: 'burst',
      label: 'Starts at once after a quiet time',
      kind: 'number',
      isOptional: true,
      placeholder: 'as many as in the time',
    },
  ],
  isWhole: ({ mostRunning, rate }) => Boolean(mostRunning || rate),
  cli: ({ label: of = '', labelValue, mostRunning, rate, burst }) =>
    [
      `waybill limit set ${queue} ${quoted(labelValue ? `${of}=${labelValue}` : of)}`,
      ...(rate ? [quoted(rate)] : []),
      ...(mostRunning ? [`--max-running ${quoted(mostRunning)}`] : []),
      ...(burst ? [`--burst ${quoted(burst)}`] : []),
    ].join(' '),
  run: (waybill, reason, { label: of = '', labelValue, mostRunning, rate, burst }) =>
    waybill.queue(queue).setLimit(
      {
        label: of,
        value: labelValue || undefined,
        maxRunning: mostRunning ? typedWhole(mostRunning) : undefined,
        rate: rate ? typedRate(rate, burst) : undefined,
      },
      { reason },
    ),
});

export const unsetLimit = (queue: string, label: string, value: LimitedValue['value']): Action => ({
  name: 'Take away',
  about: 'The value has the limits of all others then.',
  cli: `waybill limit unset ${queue} ${quoted(value === null ? label : `${label}=${value}`)}`,
  run: (waybill, reason) => waybill.queue(queue).unsetLimit({ label, value: value ?? undefined }, { reason }),
});

function typedRate(rate: string, burst: string | undefined) {
  const typed = rateOf(rate, burst ? typedWhole(burst) : undefined);
  if (typed) return typed;
  throw new InputError("Expected a rate such as '5/s' or '100/10m'");
}
