import type { Lineage, LineageLink, LineageNode } from '@waybill/client';
import { onOneLine, plural } from '@waybill/client/words';
import type { Paint } from './paint.js';

/** From the first cause to the last effect, each with how it is linked to those nearer to the task. */
export function linesOfLineage({ nodes, links, hidden, truncated }: Lineage, paint: Paint): string[] {
  const lines = nodes.map((node) => {
    const how = [...new Set(linksOf(node, links).map(({ kind }) => kind))].join(', ');
    const level = node.level > 0 ? `+${node.level}` : String(node.level);
    return `${paint.dim(level.padStart(3))}  ${onOneLine(told(node))}${how && paint.dim(`  ${how}`)}`;
  });
  return [
    ...lines,
    ...(hidden > 0
      ? [`${plural(hidden, 'task or batch', 'tasks and batches')} outside of the queues of your key.`]
      : []),
    ...(truncated ? ['There are more.'] : []),
  ];
}

/** Of a cause, what it led to; of an effect, what led to it. */
const linksOf = ({ id, level }: LineageNode, links: readonly LineageLink[]): readonly LineageLink[] =>
  level === 0 ? [] : links.filter(({ cause, effect }) => (level < 0 ? cause : effect) === id);

const told = ({ id, kind, title, queue, state }: LineageNode): string =>
  `${kind} ${id}  ${title}${queue === null ? '' : ` of ${queue}`}  ${state ?? 'not in the lists yet'}`;
