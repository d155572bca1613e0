/**
 * The nodes of a cycle that begins and ends at `start`, each leading to the next; null if there is no such cycle.
 * `next` returns the nodes to which a node leads.
 */
export function cycleThrough(start: string, next: (node: string) => readonly string[]): readonly string[] | null {
  const cameFrom = new Map<string, string>();
  for (let open = [start]; open.length > 0;) {
    const node = open.pop()!;
    for (const other of next(node)) {
      if (other === start) return pathTo(node, cameFrom);
      if (cameFrom.has(other)) continue;
      cameFrom.set(other, node);
      open.push(other);
    }
  }
  return null;
}

function pathTo(node: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const path = [node];
  for (let before = cameFrom.get(node); before !== undefined; before = cameFrom.get(before)) path.push(before);
  return path.reverse();
}
