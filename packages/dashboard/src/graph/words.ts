import type { TaskGraph } from '@waybill/client';
import { count } from '@waybill/client/words';
import { hashOf } from '../route.js';

export type GraphNode = TaskGraph['nodes'][number];

/** The state of a node in words, because colours alone tell nothing to many people. */
export function stateOf({ state, blocked, percent, count: tasks }: GraphNode): string {
  const words = blocked ? `blocked, ${state}` : percent === undefined ? state : `${state}, ${percent} %`;
  return tasks === undefined ? words : `${count(tasks)} × ${words}`;
}

/** The class for the colour of a node. */
export const toneOf = ({ state, blocked }: GraphNode): string => (blocked ? 'blocked' : state);

/** The page of the node's task or batch; undefined for a fold, which is no single one. */
export function linkTo({ kind, id }: GraphNode): string | undefined {
  if (kind === 'task') return hashOf({ page: 'task', id });
  return kind === 'batch' ? hashOf({ page: 'batch', id }) : undefined;
}

/** What a node is called: a fold is only known by the queue of its tasks. */
export const nameOf = ({ kind, title, queue }: GraphNode): string => (kind === 'fold' ? (queue ?? title) : title);
