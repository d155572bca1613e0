import type { TaskGraph } from '@waybill/client';
import { whole } from '../ui/numbers.js';

export type GraphNode = TaskGraph['nodes'][number];

/** The state of a node in words, because colours alone tell nothing to many people. */
export function stateOf({ state, blocked, percent, count }: GraphNode): string {
  const words = blocked ? `blocked, ${state}` : percent === undefined ? state : `${state}, ${percent} %`;
  return count === undefined ? words : `${whole(count)} × ${words}`;
}

/** What a node is called: a fold is only known by the queue of its tasks. */
export const nameOf = ({ kind, title, queue }: GraphNode): string => (kind === 'fold' ? (queue ?? title) : title);

/** For the colour of a node. */
export const toneOf = ({ state, blocked }: GraphNode): string => (blocked ? 'blocked' : state);
