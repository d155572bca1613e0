import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource, type EntityManager } from 'typeorm';
import { inOneSnapshot } from '../kernel/one-snapshot.js';
import { LINEAGE_KINDS, type LineageKind } from './lineage-kinds.js';

/** A task or a batch of a lineage. */
export interface LineageNode {
  readonly id: string;
  /** How many steps it is from the task: below 0 for what led to it, above 0 for what followed from it. */
  readonly level: number;
  readonly kind: 'task' | 'batch';
  readonly title: string;
  /** Null for a batch. */
  readonly queue: string | null;
  /** Null if the lists do not know it yet. */
  readonly state: string | null;
}

export interface LineageLink {
  readonly cause: string;
  readonly effect: string;
  readonly kind: LineageKind;
  /** That of the event that names the cause. Decimal. */
  readonly position: string;
}

export interface Lineage {
  readonly nodes: readonly LineageNode[];
  readonly links: readonly LineageLink[];
  /** Whether there are more links than were read. */
  readonly truncated: boolean;
}

/** What led to a task over up to `up` steps, and what followed from it over up to `down`; null if no task has the id. */
export class GetLineage extends Query<Lineage | null> {
  constructor(
    readonly task: string,
    readonly up: number,
    readonly down: number,
  ) {
    super();
  }
}

/** In each direction: an operation may have led to millions. */
export const MOST_LINKS = 500;

const linksOf = (column: 'cause' | 'effect'): string =>
  `select cause, effect, kind, position::text from lineage l where ${column} = any ($1::uuid[])
   order by l.position, cause, effect, kind limit ${MOST_LINKS + 1}`;

const NODES = `select task_id as id, 'task' as kind, coalesce(reference, kind) as title, queue, state
    from known_tasks where task_id = any ($1::uuid[])
  union all select id, 'batch', name, null, state from batches where id = any ($1::uuid[])`;

type Row = Omit<LineageLink, 'kind'> & { readonly kind: number };

@QueryHandler(GetLineage)
export class GetLineageHandler implements IQueryHandler<GetLineage> {
  constructor(private readonly db: DataSource) {}

  execute({ task, up, down }: GetLineage): Promise<Lineage | null> {
    return inOneSnapshot(this.db, async (db) => {
      const there = await db.query<unknown[]>('select from known_tasks where task_id = $1', [task]);
      return there.length === 0 ? null : lineageOf(db, task, up, down);
    });
  }
}

async function lineageOf(db: EntityManager, task: string, up: number, down: number): Promise<Lineage> {
  const levels = new Map([[task, 0]]);
  const before = await walk(db, levels, { from: 'effect', to: 'cause', steps: up, sign: -1 });
  const after = await walk(db, levels, { from: 'cause', to: 'effect', steps: down, sign: 1 });
  const links = new Map([...before.links, ...after.links].map((link) => [Object.values(link).join(), link]));
  return {
    nodes: await nodesOf(db, levels),
    links: [...links.values()],
    truncated: before.truncated || after.truncated,
  };
}

interface Direction {
  readonly from: 'cause' | 'effect';
  readonly to: 'cause' | 'effect';
  readonly steps: number;
  readonly sign: 1 | -1;
}

/** Adds what it finds to the levels. What was found on a shorter way keeps its level. */
async function walk(db: EntityManager, levels: Map<string, number>, { from, to, steps, sign }: Direction) {
  const links: LineageLink[] = [];
  let ends = [...levels].flatMap(([id, level]) => (level === 0 ? id : []));
  for (let step = 1; step <= steps && ends.length > 0; step++) {
    const rows = await db.query<Row[]>(linksOf(from), [ends]);
    links.push(...rows.map(({ kind, ...link }) => ({ ...link, kind: LINEAGE_KINDS[kind]! })));
    if (links.length > MOST_LINKS) return { links: kept(links, levels, to, sign * step), truncated: true };
    ends = place(rows, levels, to, sign * step);
  }
  return { links, truncated: false };
}

function kept(links: readonly LineageLink[], levels: Map<string, number>, to: 'cause' | 'effect', level: number) {
  const some = links.slice(0, MOST_LINKS);
  place(some, levels, to, level);
  return some;
}

/** Returns those that were not found before. */
function place(
  links: readonly Pick<LineageLink, 'cause' | 'effect'>[],
  levels: Map<string, number>,
  to: 'cause' | 'effect',
  level: number,
): string[] {
  const found = new Set(links.map((link) => link[to]).filter((id) => !levels.has(id)));
  for (const id of found) levels.set(id, level);
  return [...found];
}

async function nodesOf(db: EntityManager, levels: ReadonlyMap<string, number>): Promise<readonly LineageNode[]> {
  const rows = await db.query<Omit<LineageNode, 'level'>[]>(NODES, [[...levels.keys()]]);
  const known = new Map(rows.map((row) => [row.id, row]));
  const unknown = (id: string) => ({ id, kind: 'task', title: '', queue: null, state: null }) as const;
  return [...levels]
    .map(([id, level]) => ({ ...(known.get(id) ?? unknown(id)), level }))
    .sort((one, other) => one.level - other.level);
}
