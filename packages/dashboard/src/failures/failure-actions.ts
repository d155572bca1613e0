import type { FailureGroupView } from '@waybill/client';
import type { Action } from '../actions/action.js';

/** What people can say of a group. */
export const commandsOn = ({ id, state }: Pick<FailureGroupView, 'id' | 'state'>): Action[] =>
  state === 'open' ? [resolve(id), ignore(id)] : [reopen(id)];

const resolve = (id: string): Action => ({
  name: 'Resolve',
  about: 'Says that the cause is gone. If a task fails like that again, the group opens again and says so.',
  cli: `waybill failures resolve ${id}`,
  run: (waybill, reason) => waybill.failures.resolve(id, { reason }),
});

const ignore = (id: string): Action => ({
  name: 'Ignore',
  about: 'Says that these failures need nobody. They are still counted.',
  cli: `waybill failures ignore ${id}`,
  run: (waybill, reason) => waybill.failures.ignore(id, { reason }),
});

const reopen = (id: string): Action => ({
  name: 'Open again',
  about: 'Says that these failures need somebody.',
  cli: `waybill failures reopen ${id}`,
  run: (waybill, reason) => waybill.failures.reopen(id, { reason }),
});
