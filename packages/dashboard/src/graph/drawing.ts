import type { TaskGraph } from '@waybill/client';
import { columnsOf, type GraphCell, type Route } from './columns.js';

export const NODE = { width: 184, height: 44 };

/** The height of a place through which only an edge runs. */
const PASS_HEIGHT = 10;
const GAP = { x: 64, y: 14 };
const MARGIN = 6;

export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** Where each column ends, from the left. */
  readonly columns: readonly number[];
  /** Column by column, each from the top down. */
  readonly nodes: readonly { readonly node: TaskGraph['nodes'][number]; readonly x: number; readonly y: number }[];
  readonly edges: readonly { readonly edge: TaskGraph['edges'][number]; readonly path: string }[];
}

/** Where the nodes and edges of a graph are drawn: what needs nothing on the left, what waits for it further right. */
export function drawingOf(graph: Pick<TaskGraph, 'nodes' | 'edges'>): Drawing {
  const { columns, routes } = columnsOf(graph);
  const heights = columns.map(heightOf);
  const height = Math.max(0, ...heights);
  const spots = new Map(columns.flatMap((column, level) => stacked(column, level, (height - heights[level]!) / 2)));
  return {
    width: columns.length * (NODE.width + GAP.x) - GAP.x + 2 * MARGIN,
    height: height + 2 * MARGIN,
    columns: columns.map((_, level) => leftOf(level) + NODE.width),
    nodes: graph.nodes
      .map((node) => ({ node, ...spots.get(node.id)! }))
      .sort((one, other) => one.x - other.x || one.y - other.y),
    edges: routes.map(({ edge, through }) => ({ edge, path: pathOf(through, spots) })),
  };
}

const leftOf = (level: number): number => MARGIN + level * (NODE.width + GAP.x);

const heightOfPlace = ({ isNode }: GraphCell): number => (isNode ? NODE.height : PASS_HEIGHT);

const heightOf = (column: readonly GraphCell[]): number =>
  column.reduce((sum, place) => sum + heightOfPlace(place) + GAP.y, -GAP.y);

interface Spot {
  readonly x: number;
  readonly y: number;
  /** Where edges arrive and leave. */
  readonly middle: number;
}

function stacked(column: readonly GraphCell[], level: number, top: number): [string, Spot][] {
  const x = leftOf(level);
  let y = MARGIN + top;
  return column.map((place) => {
    const height = heightOfPlace(place);
    const spot = { x, y, middle: y + height / 2 };
    y += height + GAP.y;
    return [place.id, spot];
  });
}

/** A curve from column to column, and straight through each of them. */
function pathOf(through: Route['through'], spots: ReadonlyMap<string, Spot>): string {
  const [first, ...others] = through.map((id) => spots.get(id)!);
  let path = `M${first!.x + NODE.width} ${first!.middle}`;
  for (const [n, { x, middle }] of others.entries()) {
    const from = n === 0 ? first! : others[n - 1]!;
    const bend = (from.x + NODE.width + x) / 2;
    path += ` C${bend} ${from.middle} ${bend} ${middle} ${x} ${middle}`;
    if (n < others.length - 1) path += ` H${x + NODE.width}`;
  }
  return path;
}
