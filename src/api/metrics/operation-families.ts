import type { OperationFigures } from '../../projections/tasks/operation-figures.query.js';
import type { Family } from './families.js';

/** The metrics of the commands for many tasks. */
export const OPERATION_FAMILIES: readonly Family<OperationFigures>[] = [
  {
    kind: 'gauge',
    name: 'waybill_operations_under_way',
    help: 'Commands for many tasks, and deletions of queues, that have not ended, paused ones among them.',
    samples: ({ underWay }) => [[{}, underWay]],
  },
  {
    kind: 'counter',
    name: 'waybill_operation_tasks_total',
    help: 'Tasks that operations asked, by whether they have the command or refused it.',
    samples: ({ done, refused }) => [
      [{ outcome: 'done' }, done],
      [{ outcome: 'refused' }, refused],
    ],
  },
  {
    kind: 'gauge',
    name: 'waybill_operations_stopped_by_canary',
    help: 'Operations that have failed because too few of the tasks that they tried succeeded.',
    samples: ({ stopped }) => [[{}, stopped]],
  },
];
