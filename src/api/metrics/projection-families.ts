import type { ProjectionLag } from '../../projections/lag/lag.queries.js';
import type { Family } from './families.js';

/** The metrics of each follower of the log: read models and reactions. */
export const PROJECTION_FAMILIES: readonly Family<ProjectionLag>[] = [
  {
    kind: 'gauge',
    name: 'waybill_projection_lag_events',
    help: 'Events between the follower and the head of the log. Absent if positions do not count events.',
    samples: ({ name, lagEvents }) => (lagEvents === null ? [] : [[{ projection: name }, lagEvents]]),
  },
  {
    kind: 'gauge',
    name: 'waybill_projection_lag_seconds',
    help: 'Age of the oldest event that the follower has not applied yet; 0 if it has applied all.',
    samples: ({ name, lagSeconds }) => [[{ projection: name }, lagSeconds]],
  },
  {
    kind: 'gauge',
    name: 'waybill_projection_stopped',
    help: '1 if the follower stopped at an event that it cannot apply, 0 if it works.',
    samples: ({ name, status }) => [[{ projection: name }, status === 'stopped' ? 1 : 0]],
  },
];
