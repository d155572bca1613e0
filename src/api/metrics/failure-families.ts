import { FAILURE_GROUP_STATUSES } from '../../domain/failure-group/failure-group.events.js';
import type { FailureGroupFigures, GroupCounts } from '../../projections/failure-groups/failure-group-figures.query.js';
import type { Family } from './families.js';

/** The metrics of failures in groups, as of the read model `failure-groups`. */
export const FAILURE_FAMILIES: readonly Family<FailureGroupFigures>[] = [
  {
    kind: 'gauge',
    name: 'waybill_failure_groups',
    help: 'Groups of failures of the same cause, by state.',
    samples: ({ states }) => FAILURE_GROUP_STATUSES.map((state) => [{ state }, states[state]]),
  },
  {
    kind: 'gauge',
    name: 'waybill_failure_groups_returned',
    help: 'Groups of failures that came back after they were resolved, of which nobody has said anything since.',
    samples: ({ returned }) => [[{}, returned]],
  },
  {
    kind: 'counter',
    name: 'waybill_failure_group_returns_total',
    help: 'How often groups of failures came back after they were resolved.',
    samples: ({ returns }) => [[{}, returns]],
  },
  {
    kind: 'counter',
    name: 'waybill_failure_group_tasks_total',
    help: 'How often tasks failed, or had to wait for a decision, by group: of the open groups those that were seen last.',
    samples: ({ latest }) => latest.map((one) => [labelsOf(one), one.failedTasks]),
  },
  {
    kind: 'counter',
    name: 'waybill_failure_group_attempts_total',
    help: 'How often attempts failed, by group: of the open groups those that were seen last.',
    samples: ({ latest }) => latest.map((one) => [labelsOf(one), one.failedAttempts]),
  },
];

const labelsOf = ({ group, class: ofClass }: GroupCounts) => ({ group, class: ofClass });
