import { Injectable } from '@nestjs/common';
import { batchStream } from '../../domain/batch/batch.stream.js';
import type { Prerequisite } from '../../domain/task/task.events.js';
import { type Moment, Past } from '../kernel/past.port.js';
import { PastTasks, type TaskThen } from '../kernel/past-tasks.js';
import { batchAfter, idOf, isClosed } from '../kernel/prerequisites-then.js';
import type { GraphEdge, NodeFacts } from './graph.js';
import { MOST_READ } from './most-read.js';
import { PastWaiters } from './past-waiters.js';

/** Histories that are folded at once. */
const FOLDED = 500;

interface NodeThen {
  readonly facts: NodeFacts;
  readonly after: readonly Prerequisite[];
}

/** The nodes in the order in which they were found. */
export type NodesThen = ReadonlyMap<string, NodeThen>;

/** Tasks and batches as of a moment, with what waited for what. */
@Injectable()
export class PastGraph {
  constructor(
    private readonly past: Past,
    private readonly tasks: PastTasks,
    private readonly waiters: PastWaiters,
  ) {}

  /** As `waybill_graph_around`: a task and what is next to it over up to `depth` steps, level by level and by id. */
  async around(id: string, depth: number, moment: Moment): Promise<{ nodes: NodesThen; truncated: boolean }> {
    const nodes = new Map(await this.tasksAt([id], moment));
    const { waivedSince, isWhole } = await this.waiters.waivedSince(moment);
    let level: NodesThen = nodes;
    for (let step = 0; step < depth && level.size > 0 && nodes.size <= MOST_READ; step++) {
      level = await this.nextTo(level, nodes, waivedSince, moment);
      for (const [found, node] of level) nodes.set(found, node);
    }
    return { nodes: new Map([...nodes].slice(0, MOST_READ)), truncated: nodes.size > MOST_READ || !isWhole };
  }

  /** The tasks with these ids, as far as they were there, and what they waited for, by id. */
  async under(ids: readonly string[], moment: Moment): Promise<NodesThen> {
    const tasks = await this.tasksAt(ids, moment);
    const needs = await this.needsOf(tasks, tasks, moment);
    return new Map([...tasks, ...byId(needs).slice(0, MOST_READ)]);
  }

  private async nextTo(level: NodesThen, known: NodesThen, waivedSince: ReadonlyMap<string, string[]>, moment: Moment) {
    const needs = await this.needsOf(level, known, moment);
    const ids = await this.waiters.of([...level.keys()], waivedSince, moment);
    const candidates = ids.filter((id) => !known.has(id) && !needs.has(id));
    const waiting = [...(await this.tasksAt(candidates, moment))].filter(([, { after }]) =>
      after.some((one) => level.has(idOf(one))),
    );
    return new Map(byId([...needs, ...waiting]));
  }

  private async needsOf(of: NodesThen, known: NodesThen, moment: Moment): Promise<NodesThen> {
    const needs = new Map<string, Prerequisite>();
    for (const { after } of of.values())
      for (const one of after) if (!known.has(idOf(one)) && needs.size <= MOST_READ) needs.set(idOf(one), one);
    const tasks = [...needs].flatMap(([id, one]) => ('task' in one ? id : []));
    const batches = [...needs].flatMap(([id, one]) => ('task' in one ? [] : id));
    return new Map([...(await this.tasksAt(tasks, moment)), ...(await this.batchesAt(batches, moment))]);
  }

  private async tasksAt(ids: readonly string[], moment: Moment): Promise<NodesThen> {
    const nodes = new Map<string, NodeThen>();
    for (let from = 0; from < ids.length; from += FOLDED) {
      const some = ids.slice(from, from + FOLDED);
      const found = await this.tasks.at(some, moment);
      for (const [at, task] of found.entries()) if (task !== null) nodes.set(some[at]!, taskNode(some[at]!, task));
    }
    return nodes;
  }

  private async batchesAt(ids: readonly string[], { position }: Moment): Promise<NodesThen> {
    const histories = await this.past.historiesAt(ids.map(batchStream), position);
    return new Map(
      ids.flatMap((id, at) => {
        const batch = batchAfter(histories[at]!);
        if (batch === null) return [];
        const facts = { id, kind: 'batch', title: batch.name, queue: null, state: batch.state } as const;
        return [[id, { facts, after: [] }]];
      }),
    );
  }
}

const taskNode = (id: string, { kind, reference, queue, state, after }: TaskThen): NodeThen => ({
  facts: { id, kind: 'task', title: reference ?? kind, queue, state },
  after,
});

const byId = (nodes: Iterable<readonly [string, NodeThen]>): [string, NodeThen][] =>
  [...nodes].map(([id, node]): [string, NodeThen] => [id, node]).sort(([one], [other]) => (one < other ? -1 : 1));

/** By the task that waits, then by what it waits for. */
export function edgesAmong(nodes: NodesThen): readonly GraphEdge[] {
  const edges = [...nodes].flatMap(([to, { after }]) =>
    after.flatMap((one) => {
      const needed = nodes.get(idOf(one));
      if (!needed) return [];
      return [{ from: idOf(one), to, ignore: one.ignore === true, closed: isClosed(one, needed.facts.state) }];
    }),
  );
  return edges.sort((one, other) => (`${one.to} ${one.from}` < `${other.to} ${other.from}` ? -1 : 1));
}
