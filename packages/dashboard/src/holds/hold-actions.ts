import type { HoldView, ResourceView } from '@waybill/client';
import type { Action } from '../actions/action.js';
import { quoted } from '../actions/quoted.js';
import { typedLabels, typedNumber, typedWhole } from '../actions/typed.js';

export const lift = ({ name }: Pick<HoldView, 'name'>): Action => ({
  name: 'Lift',
  about: 'It catches no more tasks. Those that it caught stay held until somebody releases them.',
  cli: `waybill hold lift ${name}`,
  run: (waybill, reason) => waybill.holds.lift(name, { reason }),
});

export const PLACE: Action = {
  name: 'Place a hold',
  about:
    'Tasks that have all of these labels are held when their turn comes. A legal hold holds no task: it forbids to erase what they are about.',
  fields: [
    { name: 'hold', label: 'Name', placeholder: 'maps' },
    { name: 'labels', label: 'Labels', placeholder: 'collection=maps, type=scan' },
    { name: 'isLegal', label: 'Legal hold', kind: 'choice', choices: ['no', 'yes'] },
  ],
  cli: ({ hold = '', labels = '', isLegal }) =>
    [
      'waybill hold place',
      quoted(hold),
      ...labels.split(',').map((label) => `--label ${quoted(label.trim())}`),
      ...(isLegal === 'yes' ? ['--forbids-erasure'] : []),
    ].join(' '),
  run: (waybill, reason, { hold = '', labels = '', isLegal }) =>
    waybill.holds.place(hold, typedLabels(labels), { reason, ...(isLegal === 'yes' && { forbidsErasure: true }) }),
};

export const DEFINE_RESOURCE: Action = {
  name: 'Define a resource',
  about: 'Steps of queues may need it from now on. It is short until somebody measures it.',
  fields: [
    { name: 'resource', label: 'Name', placeholder: 'working-storage' },
    { name: 'description', label: 'What it is', isOptional: true },
    { name: 'unit', label: 'What its gauge counts', isOptional: true, placeholder: '%' },
  ],
  cli: ({ resource = '', description, unit }) =>
    [
      `waybill resource define ${quoted(resource)}`,
      ...(description ? [`--description ${quoted(description)}`] : []),
      ...(unit ? [`--unit ${quoted(unit)}`] : []),
    ].join(' '),
  run: (waybill, reason, { resource = '', description, unit }) =>
    waybill.resources.define(resource, { description: description || undefined, unit: unit || undefined }, { reason }),
};

/** Says by hand what the gauge shows. */
export const measure = ({ name, unit, value }: Pick<ResourceView, 'name' | 'unit' | 'value'>): Action => ({
  name: 'Measure',
  permission: 'work',
  takesNoReason: true,
  about:
    'Says what its gauge shows now, until a worker measures it again. Tasks that waited for less are given out at once.',
  fields: [
    { name: 'gauge', label: unit ? `Value, in ${unit}` : 'Value', initial: value === null ? '' : String(value) },
  ],
  cli: ({ gauge = '' }) => `waybill resource measure ${name} ${quoted(gauge)}`,
  preview: async () => 'What it lets go is known when it is measured.',
  run: async (waybill, _, { gauge = '' }) => waybill.resources.measure(name, typedNumber(gauge)),
});

/** What it is, and how old a measure of it may be. */
export const changeResource = (
  resource: Pick<ResourceView, 'name' | 'description' | 'unit' | 'staleAfterSeconds'>,
): Action => ({
  name: 'Change',
  about: 'Says anew what it is. Its gauge stays as it was measured.',
  fields: [
    { name: 'description', label: 'What it is', isOptional: true, initial: resource.description },
    { name: 'unit', label: 'What its gauge counts', isOptional: true, initial: resource.unit ?? '' },
    {
      name: 'staleAfter',
      label: 'How old a measure may be, in seconds',
      kind: 'number',
      initial: String(resource.staleAfterSeconds),
    },
  ],
  cli: ({ description, unit, staleAfter }) =>
    [
      `waybill resource define ${resource.name}`,
      ...(description ? [`--description ${quoted(description)}`] : []),
      ...(unit ? [`--unit ${quoted(unit)}`] : []),
      `--stale-after ${staleAfter}`,
    ].join(' '),
  run: async (waybill, reason, { description, unit, staleAfter = '' }) =>
    waybill.resources.define(
      resource.name,
      {
        description: description || undefined,
        unit: unit || undefined,
        staleAfterSeconds: typedWhole(staleAfter),
      },
      { reason },
    ),
});

export const deleteResource = ({ name }: Pick<ResourceView, 'name'>): Action => ({
  name: 'Delete',
  kind: 'danger',
  isRare: true,
  about: 'Refused while a step of a queue needs it.',
  cli: `waybill resource delete ${name}`,
  run: (waybill, reason) => waybill.resources.delete(name, { reason }),
});
