import type { SystemView } from '@waybill/client';
import type { Action } from '../actions/action.js';
import { whole } from '../ui/numbers.js';

export const drain = ({ running, runningInternal = 0 }: Pick<SystemView, 'running' | 'runningInternal'>): Action => ({
  name: 'Drain',
  label: 'Drain for a deployment',
  about: `Workers get no more tasks, and new ones are refused unless you take them. ${toldOf(running - runningInternal)}`,
  fields: [
    { name: 'running', label: 'Running tasks', kind: 'choice', choices: ['finish', 'cancel'] },
    { name: 'intake', label: 'New tasks', kind: 'choice', choices: ['closed', 'open'] },
  ],
  cli: ({ running: tasks, intake }) =>
    `waybill drain${tasks === 'cancel' ? ' --cancel' : ''}${intake === 'open' ? ' --keep-intake' : ''}`,
  run: (waybill, reason, { running: tasks, intake }) =>
    waybill.system.drain({ reason, running: tasks as 'finish' | 'cancel', intake: intake as 'open' | 'closed' }),
});

/** The service's own tasks are none of those that somebody waits for. */
const toldOf = (running: number): string =>
  running === 0 ? 'No task runs now.' : `${whole(running)} running now may finish.`;

export const resume: Action = {
  name: 'Resume',
  kind: 'primary',
  about: 'Workers get tasks again, and those that shutdowns stopped are retried, unless you leave them.',
  fields: [{ name: 'stopped', label: 'Tasks that shutdowns stopped', kind: 'choice', choices: ['retry', 'leave'] }],
  cli: ({ stopped }) => `waybill resume${stopped === 'leave' ? ' --leave-stopped' : ''}`,
  run: (waybill, reason, { stopped }) =>
    waybill.system.resume({ reason, ...(stopped === 'leave' && { stopped: false }) }),
};

type Mode = 'diff' | 'switch' | 'back';

export const rebuild = (projection: string): Action => ({
  name: 'Rebuild',
  about: 'Builds the read model from the log, beside the one in use. diff says which rows differ, and changes nothing.',
  fields: [{ name: 'mode', label: 'And then', kind: 'choice', choices: ['diff', 'switch', 'back'] }],
  cli: ({ mode }) => `waybill projection rebuild ${projection} --${mode}`,
  run: (waybill, reason, { mode }) => waybill.rebuildProjection(projection, mode as Mode, { reason }),
  goesTo: (answer) => `/tasks/${(answer as { readonly id: string }).id}`,
});
