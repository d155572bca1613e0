import type { TaskGraph } from '@waybill/client';
import { whole } from '../ui/numbers.js';

export type GraphNode = TaskGraph['nodes'][number];

/** The state of a node in words, because colours alone tell nothing to many people. */
export function stateOf({ state, blocked, percent, count }: GraphNode): string {
  const words = blocked ? `blocked, ${state}` : percent === undefined ? state : `${state}, ${percent} %`;
  return count === undefined ? words : `${whole(count)} × ${words}`;
}

/** The kind of tasks whose queue names no kinds: it names nothing. */
const NO_KIND = 'task';

/** What a node is called: a fold is only known by the queue of its tasks, and a task without a reference or kind by that and its id. */
export function nameOf({ kind, title, queue, id }: GraphNode): string {
  if (kind === 'fold') return queue ?? title;
  return kind === 'task' && title === NO_KIND ? `${queue} ${id.slice(-8)}` : title;
}

/** For the colour of a node. */
export const toneOf = ({ state, blocked }: GraphNode): string => (blocked ? 'blocked' : state);
