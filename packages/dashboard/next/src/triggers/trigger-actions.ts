import type { TriggerView } from '@waybill/client';
import type { Action } from '../app/action.js';

export const commandsOn = ({ name, state }: Pick<TriggerView, 'name' | 'state'>): Action[] => [
  {
    name: 'Fire',
    about: 'Makes its task now. Its next times stay as they are.',
    cli: `waybill trigger fire ${name}`,
    run: (waybill, reason) => waybill.trigger(name).fire({ reason }),
  },
  state === 'enabled' ? disable(name) : enable(name),
];

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
