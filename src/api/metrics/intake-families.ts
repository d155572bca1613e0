import type { Deduplications } from '../../application/tasks/deduplications.js';
import type { Family } from './families.js';

/** The metrics of submissions that became no tasks of their own. */
export const INTAKE_FAMILIES: readonly Family<Deduplications>[] = [
  {
    kind: 'counter',
    name: 'waybill_deduplicated_total',
    help: 'Submissions that this process answered with a task that waited for their key, instead of a task of their own.',
    samples: ({ existing }) => existing.byQueue.map(([queue, count]) => [{ queue }, count]),
  },
  {
    kind: 'counter',
    name: 'waybill_gathered_total',
    help: 'Submissions that this process had a task take in that waited for their key.',
    samples: ({ gathered }) => gathered.byQueue.map(([queue, count]) => [{ queue }, count]),
  },
];
