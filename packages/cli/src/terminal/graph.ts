import type { GraphNode, TaskGraph } from '@waybill/client';
import { onOneLine } from '@waybill/client/words';
import type { Paint } from './paint.js';

const SIGNS: Readonly<Record<string, string>> = {
  succeeded: '✓',
  superseded: '✓',
  completed: '✓',
  running: '●',
  failed: '✗',
  aborted: '✗',
  undecided: '?',
};

/** The tasks level by level, each with what it waits for, and then why the first blocked one does not run. */
export function linesOfGraph(graph: TaskGraph, paint: Paint): string[] {
  const { nodes, edges, cause, total, folded, truncated } = graph;
  const titleOf = titlesIn(nodes);
  const needs = (id: string): string[] =>
    edges.flatMap((edge) => (edge.to === id ? [titleOf.get(edge.from) ?? edge.from] : []));
  const levels = [...nodes].sort((one, other) => one.level - other.level);
  const lines = levels.map((node, at) => {
    const level = node.level === levels[at - 1]?.level ? '' : String(node.level);
    const after = needs(node.id);
    const waits = after.length > 0 ? onOneLine(`  after ${shortList(after)}`) : '';
    return `${paint.dim(level.padStart(3))}  ${onOneLine(told(node, titleOf.get(node.id)!))}${waits && paint.dim(waits)}`;
  });
  const path = cause.map((id) => titleOf.get(id) ?? id);
  return [
    ...lines,
    ...(path.length > 1
      ? [onOneLine(`Blocked: ${path.join(' waits for ')}, which is ${stateOf(nodes, cause.at(-1)!)}.`)]
      : []),
    ...(folded ? [`${total} tasks; those of the same level, queue and state are shown as one.`] : []),
    ...(truncated ? ['There are more.'] : []),
  ];
}

/** A title that several nodes have is followed by the id. */
function titlesIn(nodes: readonly GraphNode[]): ReadonlyMap<string, string> {
  const times = new Map<string, number>();
  for (const { title } of nodes) times.set(title, (times.get(title) ?? 0) + 1);
  return new Map(nodes.map(({ id, title }) => [id, times.get(title)! > 1 ? `${title} ${id}` : title]));
}

const told = ({ state, blocked, count }: GraphNode, title: string): string =>
  `${SIGNS[state] ?? '○'} ${count === undefined ? title : `${count} tasks`}  ${state}${blocked ? ', blocked' : ''}`;

const shortList = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;

const stateOf = (nodes: readonly GraphNode[], id: string): string =>
  nodes.find((node) => node.id === id)?.state ?? 'unknown';
