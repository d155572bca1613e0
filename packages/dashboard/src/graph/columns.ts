import type { TaskGraph } from '@waybill/client';
import { add } from './add.js';

type Edge = TaskGraph['edges'][number];

/** A node, or where an edge passes the column of a level between its ends. */
export interface GraphCell {
  readonly id: string;
  readonly isNode: boolean;
}

/** An edge and the places that it runs through, its ends included. */
export interface Route {
  readonly edge: Edge;
  readonly through: readonly string[];
}

export interface Columns {
  /** By level; each from the top down. */
  readonly columns: readonly (readonly GraphCell[])[];
  readonly routes: readonly Route[];
}

/** Beyond this many, edges run straight over the columns between their ends. */
const MOST_PASSES = 2_000;

/** Each further round moves fewer places. */
const ROUNDS = 4;

/** The nodes in columns by level, in an order in which few edges cross. */
export function columnsOf({ nodes, edges }: Pick<TaskGraph, 'nodes' | 'edges'>): Columns {
  const levelOf = new Map(nodes.map(({ id, level }) => [id, level]));
  const known = edges.filter(({ from, to }) => levelOf.has(from) && levelOf.has(to));
  const passes = known.reduce((sum, { from, to }) => sum + Math.max(0, levelOf.get(to)! - levelOf.get(from)! - 1), 0);
  const columns: GraphCell[][] = [];
  const put = (level: number, place: GraphCell): void => void (columns[level] ??= []).push(place);
  for (const { id, level } of nodes) put(level, { id, isNode: true });
  const routes = known.map((edge) => {
    const through = passes > MOST_PASSES ? [] : passesOf(edge, levelOf.get(edge.from)!, levelOf.get(edge.to)!);
    for (const { id, level } of through) put(level, { id, isNode: false });
    return { edge, through: [edge.from, ...through.map(({ id }) => id), edge.to] };
  });
  return {
    columns: ordered(
      Array.from(columns, (column) => column ?? []),
      routes,
    ),
    routes,
  };
}

const passesOf = ({ from, to }: Edge, first: number, last: number): { id: string; level: number }[] =>
  Array.from({ length: Math.max(0, last - first - 1) }, (_, n) => ({
    id: `${from} ${to} ${n}`,
    level: first + 1 + n,
  }));

/** Moves each place to the middle of its neighbours, first to those on its left, then to those on its right. */
function ordered(columns: readonly GraphCell[][], routes: readonly Route[]): GraphCell[][] {
  const [lefts, rights] = neighboursOf(routes);
  let now = columns.map((column) => [...column]);
  for (let round = 0; round < ROUNDS; round++) {
    now = swept(now, lefts);
    now = swept(now.toReversed(), rights).toReversed();
  }
  return now;
}

type Neighbours = ReadonlyMap<string, readonly string[]>;

function neighboursOf(routes: readonly Route[]): [lefts: Neighbours, rights: Neighbours] {
  const [lefts, rights] = [new Map<string, string[]>(), new Map<string, string[]>()];
  for (const { through } of routes) {
    for (let n = 1; n < through.length; n++) {
      add(lefts, through[n]!, through[n - 1]!);
      add(rights, through[n - 1]!, through[n]!);
    }
  }
  return [lefts, rights];
}

/** Orders each column by the columns before it. A place without neighbours stays where it is. */
function swept(columns: readonly GraphCell[][], neighbours: Neighbours): GraphCell[][] {
  const heightOf = new Map<string, number>();
  return columns.map((column) => {
    const height = ({ id }: GraphCell, at: number): number => {
      const known = (neighbours.get(id) ?? []).flatMap((one) => heightOf.get(one) ?? []);
      return known.length === 0 ? at / column.length : known.reduce((sum, one) => sum + one, 0) / known.length;
    };
    const keyed = column.map((place, at) => ({ place, height: height(place, at) }));
    const sorted = keyed.sort((one, other) => one.height - other.height).map(({ place }) => place);
    for (const [at, { id }] of sorted.entries()) heightOf.set(id, (at + 0.5) / sorted.length);
    return sorted;
  });
}
