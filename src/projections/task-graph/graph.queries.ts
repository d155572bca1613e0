import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource, type EntityManager } from 'typeorm';
import { inOneSnapshot } from '../kernel/one-snapshot.js';
import { percentOf, type ProgressBar } from '../kernel/progress.js';
import { type Graph, type GraphEdge, graphOf, type NodeFacts } from './graph.js';
import { MOST_READ } from './most-read.js';

/**
 * The tasks and batches that a task waits for or that wait for it, directly or over up to `depth` steps; null if no task
 * has the id.
 */
export class GetTaskGraph extends Query<Graph | null> {
  constructor(
    readonly id: string,
    readonly depth = Infinity,
  ) {
    super();
  }
}

/** The tasks of a batch, and what they wait for; null if no batch has the id. */
export class GetBatchGraph extends Query<Graph | null> {
  constructor(readonly id: string) {
    super();
  }
}

/** In one statement, whose time the database limits, however long a chain is. */
const AROUND = `select waybill_graph_around($1, $2, ${MOST_READ}) as ids`;

const MEMBERS = `select task_id as id from known_tasks where batch = $1 order by seq limit ${MOST_READ + 1}`;

const NODES = `select t.task_id as id, 'task' as kind, coalesce(t.reference, t.kind) as title, t.queue, t.state,
      case when t.state = 'running' and p.attempt = t.attempt then p.bars end as bars
    from known_tasks t left join task_progress p on p.task_id = t.task_id where t.task_id = any ($1)
  union all
  select b.id, 'batch', b.name, null, b.state, null from batches b where b.id = any ($1)`;

const EDGES = `select needs as "from", task_id as "to", ignore, closed from prerequisites
  where task_id = any ($1) and needs = any ($1) order by task_id, needs`;

interface Row {
  readonly id: string;
}

@QueryHandler(GetTaskGraph)
export class GetTaskGraphHandler implements IQueryHandler<GetTaskGraph> {
  constructor(private readonly db: DataSource) {}

  execute({ id, depth }: GetTaskGraph): Promise<Graph | null> {
    return inOneSnapshot(this.db, (db) => graphAround(db, id, depth));
  }
}

async function graphAround(db: EntityManager, id: string, depth: number): Promise<Graph | null> {
  const there = await db.query<Row[]>('select task_id as id from known_tasks where task_id = $1', [id]);
  if (there.length === 0) return null;
  const { ids, truncated } = await idsAround(db, id, depth);
  return readGraph(db, ids, [id], truncated);
}

async function idsAround(db: EntityManager, id: string, depth: number) {
  const steps = Number.isFinite(depth) ? depth : null;
  const [found] = await db.query<{ readonly ids: readonly string[] }[]>(AROUND, [id, steps]);
  const { ids } = found!;
  return { ids: ids.slice(0, MOST_READ), truncated: ids.length > MOST_READ };
}

@QueryHandler(GetBatchGraph)
export class GetBatchGraphHandler implements IQueryHandler<GetBatchGraph> {
  constructor(private readonly db: DataSource) {}

  execute({ id }: GetBatchGraph): Promise<Graph | null> {
    return inOneSnapshot(this.db, (db) => graphOfBatch(db, id));
  }
}

async function graphOfBatch(db: EntityManager, id: string): Promise<Graph | null> {
  const there = await db.query<Row[]>('select id from batches where id = $1', [id]);
  if (there.length === 0) return null;
  const members = (await db.query<Row[]>(MEMBERS, [id])).map((row) => row.id);
  const ids = members.slice(0, MOST_READ);
  const needed = await db.query<Row[]>(
    `select distinct needs as id from prerequisites where task_id = any ($1) and needs <> all ($1) order by 1 limit ${MOST_READ}`,
    [ids],
  );
  return readGraph(db, [...ids, ...needed.map((row) => row.id)], ids, members.length > MOST_READ);
}

interface NodeRow extends Omit<NodeFacts, 'percent'> {
  readonly bars: readonly ProgressBar[] | null;
}

function factsOf({ bars, ...node }: NodeRow): NodeFacts {
  const percent = bars && percentOf(bars);
  return percent === null ? node : { ...node, percent };
}

async function readGraph(
  db: EntityManager,
  ids: readonly string[],
  about: readonly string[],
  truncated: boolean,
): Promise<Graph> {
  const nodes = await db.query<NodeRow[]>(NODES, [ids]);
  const edges = await db.query<GraphEdge[]>(EDGES, [ids]);
  const order = new Map(ids.map((id, at) => [id, at]));
  const inOrder = nodes.sort((one, other) => order.get(one.id)! - order.get(other.id)!);
  return graphOf({ nodes: inOrder.map(factsOf), edges, about, truncated });
}
