import type { FailureGroupView } from '@waybill/client';
import type { Action } from '../actions/action.js';
import { quoted } from '../actions/quoted.js';

/** What people can say of a group. */
export const commandsOn = ({ id, state }: Pick<FailureGroupView, 'id' | 'state'>): Action[] =>
  state === 'open' ? [resolve(id), ignore(id)] : [reopen(id)];

const resolve = (id: string): Action => ({
  name: 'Resolve',
  about: 'Says that the cause is gone. If a task fails like that again, the group opens again and says so.',
  fields: [
    { name: 'build', label: 'Build of the workers that repaired it', isOptional: true },
    { name: 'operation', label: 'Operation that repaired it (id)', isOptional: true },
  ],
  cli: ({ build, operation }) =>
    [
      `waybill failure resolve ${id}`,
      ...(build ? [`--build ${quoted(build)}`] : []),
      ...(operation ? [`--operation ${quoted(operation)}`] : []),
    ].join(' '),
  run: (waybill, reason, { build, operation }) =>
    waybill.failures.resolve(id, { reason, build: build || undefined, operation: operation || undefined }),
});

const ignore = (id: string): Action => ({
  name: 'Ignore',
  about: 'Says that these failures need nobody. They are still counted.',
  cli: `waybill failure ignore ${id}`,
  run: (waybill, reason) => waybill.failures.ignore(id, { reason }),
});

const reopen = (id: string): Action => ({
  name: 'Open again',
  about: 'Says that these failures need somebody.',
  cli: `waybill failure reopen ${id}`,
  run: (waybill, reason) => waybill.failures.reopen(id, { reason }),
});
