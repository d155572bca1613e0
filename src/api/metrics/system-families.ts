import type { SystemView } from '../../projections/system/system.queries.js';
import type { Family } from './families.js';

/** The metrics of the whole system. */
export const SYSTEM_FAMILIES: readonly Family<SystemView>[] = [
  {
    kind: 'gauge',
    name: 'waybill_quarantined_tasks',
    help: 'Tasks that are put aside because their histories cannot be read.',
    samples: ({ quarantined }) => [[{}, quarantined]],
  },
];
