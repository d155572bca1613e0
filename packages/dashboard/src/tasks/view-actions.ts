import type { SavedView } from '@waybill/client';
import type { Action } from '../actions/action.js';
import { quoted } from '../actions/quoted.js';
import type { View } from './view.js';

/** Saves what a list of tasks shows under a name that everybody finds. */
export const saveView = ({ q, overdue, sort }: Omit<View, 'name'>, name = ''): Action => ({
  name: 'Save for everybody',
  title: 'Save this view for everybody',
  kind: 'bare',
  about:
    'Everybody finds the view under its name, and sees who saved it. A view of the same name shows this from then on. The history keeps the search, so it should name nobody.',
  fields: [{ name: 'view', label: 'Name', initial: name, placeholder: 'failed-mail' }],
  cli: ({ view = '' }) =>
    [
      `waybill view save ${quoted(view)}`,
      ...(q ? [quoted(q)] : []),
      ...(overdue ? ['--overdue'] : []),
      ...(sort ? ['--sort deadline'] : []),
    ].join(' '),
  run: (waybill, reason, { view = '' }) =>
    waybill.views.save(
      view,
      { q, ...(overdue && { overdue: true }), ...(sort && { sort: 'deadline' as const }) },
      { reason },
    ),
});

export const deleteView = ({ name }: Pick<SavedView, 'name'>): Action => ({
  name: 'Delete',
  label: 'Delete for everybody',
  kind: 'bare',
  about: 'Nobody finds it in the list any more. Its address still works, and it can be saved anew.',
  cli: `waybill view delete ${name}`,
  run: (waybill, reason) => waybill.views.delete(name, { reason }),
});
