import type { BatchHandle, BatchView } from '@waybill/client';
import type { Action } from '../actions/action.js';

interface Step extends Pick<Action, 'name' | 'kind' | 'isRare' | 'about' | 'goesTo'> {
  readonly command: BatchView['commands'][number];
  readonly verb: string;
  readonly run: (batch: BatchHandle, reason: string | undefined) => Promise<unknown>;
}

const STEPS: readonly Step[] = [
  {
    name: 'Release',
    kind: 'primary',
    command: 'ReleaseBatch',
    verb: 'release',
    about: 'The task that plans the batch may run, unless a hold still catches it.',
    run: (batch, reason) => batch.release({ reason }),
  },
  {
    name: 'Report',
    command: 'RequestReport',
    verb: 'report',
    about: 'Reports what has changed since the last report. If nothing has, nothing is sent.',
    run: (batch, reason) => batch.report({ reason }),
  },
  {
    name: 'Run again',
    command: 'RerunBatch',
    verb: 'rerun',
    about: 'Another batch runs the failed tasks again.',
    run: (batch, reason) => batch.rerun({ reason }),
    goesTo: (made) => `/batches/${(made as BatchHandle).id}`,
  },
  {
    name: 'Abort',
    kind: 'danger',
    isRare: true,
    command: 'AbortBatch',
    verb: 'abort',
    about: 'All its tasks that have not succeeded end at once, and can never be retried.',
    run: (batch, reason) => batch.abort({ reason }),
  },
  {
    name: 'Delete',
    kind: 'danger',
    isRare: true,
    command: 'DeleteBatch',
    verb: 'delete',
    about: 'Deletes the batch and all its tasks that have not succeeded, also running ones. Their histories stay.',
    run: (batch, reason) => batch.delete({ reason }),
  },
];

/** What the batch takes now. */
export const commandsOn = ({ id, commands }: Pick<BatchView, 'id' | 'commands'>): Action[] =>
  STEPS.filter(({ command }) => commands.includes(command)).map(({ verb, run, ...step }) => ({
    ...step,
    cli: `waybill batch ${verb} ${id}`,
    run: (waybill, reason) => run(waybill.batch(id), reason),
  }));
