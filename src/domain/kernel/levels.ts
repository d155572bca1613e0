/**
 * Groups the nodes so that each comes after all those that it needs: a group needs nodes of earlier groups only. Nodes
 * that are in a cycle, or need one that is, are in no group. Needs outside the nodes do not count.
 */
export function levelsOf(
  nodes: readonly string[],
  needsOf: (node: string) => readonly string[],
): readonly (readonly string[])[] {
  const here = new Set(nodes);
  const open = new Map(nodes.map((node) => [node, needsOf(node).filter((need) => here.has(need)).length]));
  const dependants = dependantsOf(nodes, needsOf);
  const levels: string[][] = [];
  for (
    let level = nodes.filter((node) => open.get(node) === 0);
    level.length > 0;
    level = levels.at(-1)!.flatMap(freed)
  ) {
    levels.push(level);
  }
  return levels;

  function freed(node: string): string[] {
    return (dependants.get(node) ?? []).filter((other) => {
      const left = open.get(other)! - 1;
      open.set(other, left);
      return left === 0;
    });
  }
}

function dependantsOf(nodes: readonly string[], needsOf: (node: string) => readonly string[]): Map<string, string[]> {
  const dependants = new Map<string, string[]>();
  for (const node of nodes) {
    for (const need of needsOf(node)) {
      const others = dependants.get(need);
      if (others) others.push(node);
      else dependants.set(need, [node]);
    }
  }
  return dependants;
}
