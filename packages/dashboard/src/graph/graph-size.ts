import type { TaskGraph } from '@waybill/client';
import { plural, whole } from '../ui/numbers.js';

/** How many tasks a graph has, and whether it shows less than there is. */
export function sizeOf({
  nodes,
  total,
  folded,
  truncated,
}: Pick<TaskGraph, 'nodes' | 'total' | 'folded' | 'truncated'>): string {
  const blocked = nodes.reduce((sum, node) => sum + (node.blocked ? (node.count ?? 1) : 0), 0);
  return [
    `${plural(total, 'task')}${blocked > 0 ? `, ${whole(blocked)} of them blocked` : ''}.`,
    folded ? 'Tasks of the same level, queue and state are shown as one.' : '',
    truncated ? 'There are more tasks than are shown.' : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}
