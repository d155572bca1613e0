import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { batchStream } from '../../domain/batch/batch.stream.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { type Moment, NotThereThen, Past } from '../kernel/past.port.js';
import { batchAfter } from '../kernel/prerequisites-then.js';
import { streamAsOf } from '../kernel/stream-as-of.js';
import { type Graph, graphOf } from './graph.js';
import { MOST_READ } from './most-read.js';
import { edgesAmong, type NodesThen, PastGraph } from './past-graph.js';

export interface PastGraphView {
  readonly view: Graph;
  /** How far running tasks were is in no event. */
  readonly notRecorded: readonly 'percent'[];
}

/** As `GetTaskGraph`, as of a moment. Throws `NotThereThen`. */
export class GetTaskGraphAsOf extends Query<PastGraphView> {
  constructor(
    readonly id: string,
    readonly depth: number | undefined,
    readonly moment: Moment,
  ) {
    super();
  }
}

@QueryHandler(GetTaskGraphAsOf)
export class GetTaskGraphAsOfHandler implements IQueryHandler<GetTaskGraphAsOf> {
  constructor(
    private readonly past: Past,
    private readonly graph: PastGraph,
  ) {}

  async execute({ id, depth = Infinity, moment }: GetTaskGraphAsOf): Promise<PastGraphView> {
    const { nodes, truncated } = await this.graph.around(id, depth, moment);
    if (nodes.size === 0) throw new NotThereThen(await this.past.beginningOf(taskStream(id)));
    return viewOf(nodes, [id], truncated);
  }
}

/** As `GetBatchGraph`, as of a moment. Throws `NotThereThen`. */
export class GetBatchGraphAsOf extends Query<PastGraphView> {
  constructor(
    readonly id: string,
    readonly moment: Moment,
  ) {
    super();
  }
}

const MEMBERS = `select task_id as id from known_tasks where batch = $1 and seq <= $2 order by seq limit ${MOST_READ} + 1`;

@QueryHandler(GetBatchGraphAsOf)
export class GetBatchGraphAsOfHandler implements IQueryHandler<GetBatchGraphAsOf> {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
    private readonly graph: PastGraph,
  ) {}

  async execute({ id, moment }: GetBatchGraphAsOf): Promise<PastGraphView> {
    if (batchAfter(await streamAsOf(this.past, batchStream(id), moment)) === null) throw new NotThereThen(null);
    const members = await this.db.query<{ id: string }[]>(MEMBERS, [id, String(moment.position)]);
    const ids = members.slice(0, MOST_READ).map((row) => row.id);
    return viewOf(await this.graph.under(ids, moment), ids, members.length > MOST_READ);
  }
}

function viewOf(nodes: NodesThen, about: readonly string[], truncated: boolean): PastGraphView {
  const facts = [...nodes.values()].map((node) => node.facts);
  const notRecorded = facts.some(({ state }) => state === 'running') ? (['percent'] as const) : [];
  return { view: graphOf({ nodes: facts, edges: edgesAmong(nodes), about, truncated }), notRecorded };
}
