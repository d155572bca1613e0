import type { Lineage } from './get-lineage.query.js';

/** The lineage without these tasks and batches and their links, and how many they are. */
export function withoutNodes(lineage: Lineage, outside: ReadonlySet<string>): Lineage & { readonly hidden: number } {
  const { nodes, links } = lineage;
  return {
    ...lineage,
    nodes: nodes.filter(({ id }) => !outside.has(id)),
    links: links.filter(({ cause, effect }) => !outside.has(cause) && !outside.has(effect)),
    hidden: outside.size,
  };
}
