import type { TriggerDefinition, TriggerView } from '@waybill/client';
import { type Action, operationPage } from '../actions/action.js';
import { quoted } from '../actions/quoted.js';
import { typedObject } from '../actions/typed.js';
import { definitionOf } from './definition-of.js';

export const commandsOn = (trigger: Pick<TriggerView, 'name' | 'state'> & Partial<TriggerView>): Action[] => {
  const { name, state, event } = trigger;
  return [
    fire(name),
    state === 'enabled' ? disable(name) : enable(name),
    change(trigger),
    ...(event ? [replay(name)] : []),
    remove(name),
  ];
};

const fire = (name: string): Action => ({
  name: 'Fire',
  about: 'Makes its task now. Its next times stay as they are.',
  cli: `waybill trigger fire ${name}`,
  run: (waybill, reason) => waybill.trigger(name).fire({ reason }),
});

const enable = (name: string): Action => ({
  name: 'Enable',
  kind: 'primary',
  about: 'It makes a task at each of its times from now on.',
  cli: `waybill trigger enable ${name}`,
  run: (waybill, reason) => waybill.trigger(name).enable({ reason }),
});

const disable = (name: string): Action => ({
  name: 'Disable',
  about:
    'It makes no tasks until somebody enables it. If its time has come and its task is not made yet, it is dropped.',
  cli: `waybill trigger disable ${name}`,
  run: (waybill, reason) => waybill.trigger(name).disable({ reason }),
});

const remove = (name: string): Action => ({
  name: 'Delete',
  kind: 'danger',
  isRare: true,
  about: 'It makes no more tasks. Those that it made stay.',
  cli: `waybill trigger delete ${name}`,
  run: (waybill, reason) => waybill.trigger(name).delete({ reason }),
  goesTo: () => '/triggers',
});

/** The whole definition is given anew. */
const change = (trigger: Pick<TriggerView, 'name'> & Partial<TriggerView>): Action => ({
  name: 'Change',
  about: 'Replaces its definition. An occurrence that came and has not made its task yet makes that of the new one.',
  fields: [
    {
      name: 'definition',
      label: 'Definition',
      kind: 'json',
      initial: JSON.stringify(definitionOf(trigger), null, 2),
    },
  ],
  cli: ({ definition = '' }) => `waybill trigger define ${trigger.name} ${quoted(definition)}`,
  run: async (waybill, reason, { definition = '' }) =>
    waybill.trigger(trigger.name).define(typedObject(definition) as unknown as TriggerDefinition, { reason }),
});

const replay = (name: string): Action => ({
  name: 'Replay',
  isRare: true,
  about:
    'Tells the events of a range once more: each that it waits for makes a new task or delivery, marked as a replay.',
  fields: [
    { name: 'from', label: "From a time, a position, or 'beginning'", placeholder: '2h' },
    { name: 'to', label: 'To; now if empty', isOptional: true },
  ],
  cli: ({ from = '', to }) => `waybill trigger replay ${name} --from ${quoted(from)}${to ? ` --to ${quoted(to)}` : ''}`,
  preview: async () => 'How many events it tells is counted when it begins.',
  run: (waybill, reason, { from = '', to }) => waybill.trigger(name).replay({ from, to: to || undefined }, { reason }),
  goesTo: (answer) => operationPage(answer).replace('/operations/', '/tasks/'),
});

/** Makes a trigger of any kind: of times, of a queue, of events or of deliveries. */
export const DEFINE: Action = {
  name: 'New trigger',
  about:
    'Makes a task at every time of a pattern, of what waits in a queue, of events, or of what others sign and send.',
  fields: [
    { name: 'trigger', label: 'Name', placeholder: 'nightly-report' },
    {
      name: 'definition',
      label: 'Definition',
      kind: 'json',
      initial: JSON.stringify({ cron: '30 2 * * 1-5', timeZone: 'UTC', task: { queue: 'reports' } }, null, 2),
    },
  ],
  cli: ({ trigger = '', definition = '' }) => `waybill trigger define ${quoted(trigger)} ${quoted(definition)}`,
  run: (waybill, reason, { trigger = '', definition = '' }) =>
    waybill.trigger(trigger).define(typedObject(definition) as unknown as TriggerDefinition, { reason }),
  goesTo: () => '/triggers',
};
