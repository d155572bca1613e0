import { levelsOf } from '../../domain/kernel/levels.js';

/** A task or a batch, or several tasks of one level and state that are shown as one. */
export interface GraphNode {
  readonly id: string;
  /** 0: needs nothing of the graph. Otherwise one more than the highest level that it needs. */
  readonly level: number;
  readonly kind: 'task' | 'batch' | 'fold';
  readonly title: string;
  /** Null for a batch. */
  readonly queue: string | null;
  readonly state: string;
  /** Whether it waits for others. */
  readonly blocked: boolean;
  /** How far a running task is, if it has reported. */
  readonly percent?: number;
  /** How many tasks a fold stands for. */
  readonly count?: number;
}

export interface GraphEdge {
  /** The prerequisite. */
  readonly from: string;
  /** What waits for it. */
  readonly to: string;
  readonly ignore: boolean;
  readonly closed: boolean;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** From what is asked about to what keeps it from running; empty if nothing does. */
  readonly cause: readonly string[];
  /** The number of tasks and batches. */
  readonly total: number;
  readonly folded: boolean;
  /** Whether there are more than were read, or than can be shown. */
  readonly truncated: boolean;
}

export type NodeFacts = Omit<GraphNode, 'level' | 'blocked' | 'count'>;

/** More nodes than this cannot be told apart. */
export const MOST_NODES = 150;

interface Parts {
  readonly nodes: readonly NodeFacts[];
  readonly edges: readonly GraphEdge[];
  /** The tasks whose cause is looked for, in this order. */
  readonly about: readonly string[];
  readonly truncated: boolean;
}

/** Arranges the nodes in levels, finds the cause, and folds what is too much to look at. */
export function graphOf({ nodes, edges, about, truncated }: Parts): Graph {
  const openNeeds = needsBy(edges.filter(({ closed }) => !closed));
  const levelOf = levelsBy(nodes, needsBy(edges));
  const shown = nodes.map((node) => ({
    ...node,
    level: levelOf.get(node.id) ?? 0,
    blocked: WAITS.includes(node.state) && openNeeds.has(node.id),
  }));
  const states = new Map(nodes.map(({ id, state }) => [id, state]));
  const blocked = about.find((id) => openNeeds.has(id) && WAITS.includes(states.get(id) ?? ''));
  const cause = blocked === undefined ? [] : shortened(causeOf(blocked, openNeeds, states));
  const whole = { nodes: shown, edges, cause, total: nodes.length, folded: false, truncated };
  return nodes.length <= MOST_NODES ? whole : cut(folded(whole, about));
}

/** The states in which a task may be blocked. */
const WAITS: readonly string[] = ['prepared', 'pending', 'held'];

function needsBy(edges: readonly GraphEdge[]): ReadonlyMap<string, readonly string[]> {
  const needs = new Map<string, string[]>();
  for (const { from, to } of edges) {
    const known = needs.get(to);
    if (known) known.push(from);
    else needs.set(to, [from]);
  }
  return needs;
}

function levelsBy(
  nodes: readonly NodeFacts[],
  needs: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, number> {
  const levels = levelsOf(
    nodes.map(({ id }) => id),
    (id) => needs.get(id) ?? [],
  );
  return new Map(levels.flatMap((ids, level) => ids.map((id) => [id, level] as const)));
}

/** What a person must see to first: of several open prerequisites, the one that goes on by itself last. */
const URGENCY = ['failed', 'aborted', 'undecided', 'cancelled', 'held', 'prepared', 'planning', 'pending', 'running'];

/** Follows the open prerequisites to one that waits for nothing. */
function causeOf(
  id: string,
  openNeeds: ReadonlyMap<string, readonly string[]>,
  states: ReadonlyMap<string, string>,
): readonly string[] {
  const urgency = (need: string): number => (URGENCY.indexOf(states.get(need) ?? '') + URGENCY.length) % URGENCY.length;
  const path = [id];
  for (let needs = openNeeds.get(id); needs; needs = openNeeds.get(path.at(-1)!)) {
    const next = [...needs].sort((one, other) => urgency(one) - urgency(other))[0]!;
    if (path.includes(next)) break;
    path.push(next);
  }
  return path;
}

const MOST_AT_AN_END = 20;

/** Leaves out the middle of a long path. */
const shortened = (path: readonly string[]): readonly string[] =>
  path.length <= 2 * MOST_AT_AN_END ? path : [...path.slice(0, MOST_AT_AN_END), ...path.slice(-MOST_AT_AN_END)];

/** A chain has one node a level, which cannot be folded. */
const cut = (graph: Graph): Graph => {
  if (graph.nodes.length <= MOST_NODES) return graph;
  const nodes = graph.nodes.slice(0, MOST_NODES);
  const ids = new Set(nodes.map(({ id }) => id));
  const edges = graph.edges.filter(({ from, to }) => ids.has(from) && ids.has(to));
  return { ...graph, nodes, edges, truncated: true };
};

/** The task that the graph is about, with what is next to it, and the cause. */
function keptIn({ edges, cause }: Graph, about: readonly string[]): ReadonlySet<string> {
  const [task] = about;
  if (about.length !== 1 || task === undefined) return new Set(cause);
  const beside = edges.flatMap(({ from, to }) => (from === task ? to : to === task ? from : []));
  return new Set([task, ...beside.slice(0, MOST_AT_AN_END), ...cause]);
}

/** Shows tasks of the same level, queue and state as one, except for the most important ones. */
function folded(whole: Graph, about: readonly string[]): Graph {
  const kept = keptIn(whole, about);
  const standIn = new Map<string, string>();
  const folds = new Map<string, GraphNode>();
  for (const node of whole.nodes) {
    if (kept.has(node.id)) continue;
    const id = ['fold', node.level, node.queue, node.state, node.blocked].join(':');
    standIn.set(node.id, id);
    const { percent: _, ...fold } = node;
    folds.set(id, { ...fold, id, kind: 'fold', title: node.state, count: (folds.get(id)?.count ?? 0) + 1 });
  }
  const nodes = [...whole.nodes.filter(({ id }) => kept.has(id)), ...folds.values()];
  return { ...whole, nodes, edges: foldedEdges(whole.edges, standIn), folded: true };
}

/** One edge for all between the same two. It is closed if all of them are. */
function foldedEdges(edges: readonly GraphEdge[], standIn: ReadonlyMap<string, string>): readonly GraphEdge[] {
  const merged = new Map<string, GraphEdge>();
  for (const edge of edges) {
    const [from, to] = [standIn.get(edge.from) ?? edge.from, standIn.get(edge.to) ?? edge.to];
    if (from === to) continue;
    const known = merged.get(`${from} ${to}`);
    const closed = edge.closed && (known?.closed ?? true);
    merged.set(`${from} ${to}`, { from, to, ignore: edge.ignore && (known?.ignore ?? true), closed });
  }
  return [...merged.values()];
}
