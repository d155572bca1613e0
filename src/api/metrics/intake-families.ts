import type { Deduplications } from '../../application/tasks/deduplications.js';
import type { Family } from './families.js';

/** The metrics of submissions that left no event. */
export const INTAKE_FAMILIES: readonly Family<Pick<Deduplications, 'byQueue'>>[] = [
  {
    kind: 'counter',
    name: 'waybill_deduplicated_total',
    help: 'Submissions that this process answered with a task that waited for their key, instead of a task of their own.',
    samples: ({ byQueue }) => byQueue.map(([queue, count]) => [{ queue }, count]),
  },
];
