import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource, In } from 'typeorm';
import type { Page } from '../kernel/page.js';
import { pageByName } from '../kernel/page-by-name.js';
import { WorkerRosterEntity } from './worker-roster.entity.js';

export interface WorkerView {
  readonly name: string;
  /** Where its latest claim came from. */
  readonly server: string;
  /** Which it claimed from, by name. */
  readonly queues: readonly string[];
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
  readonly running: number;
  readonly claimed: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly lost: number;
  readonly handedBack: number;
}

export type WorkerPage = Page<WorkerView>;

/** Every worker that ever claimed a task, by name. Throws `InvalidCursor`. */
export class ListWorkers extends Query<WorkerPage> {
  constructor(
    readonly cursor: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

@QueryHandler(ListWorkers)
export class ListWorkersHandler implements IQueryHandler<ListWorkers> {
  constructor(private readonly db: DataSource) {}

  async execute(asked: ListWorkers): Promise<WorkerPage> {
    const rowsAfter = (name: string, take: number) => this.namesAfter(name, take);
    const nameOf = (name: string): string => name;
    const { items, nextCursor } = await pageByName(asked, { list: 'workers', rowsAfter, nameOf });
    return { items: await this.workersNamed(items), nextCursor };
  }

  /** A worker has a row for each of its queues. */
  private async namesAfter(name: string, limit: number): Promise<string[]> {
    const rows = this.db.getRepository(WorkerRosterEntity).createQueryBuilder('w').select('w.worker', 'name');
    const page = rows.where('w.worker > :name', { name }).groupBy('w.worker').orderBy('w.worker').limit(limit);
    return (await page.getRawMany<{ name: string }>()).map((row) => row.name);
  }

  private async workersNamed(names: readonly string[]): Promise<WorkerView[]> {
    const where = { worker: In(names) };
    const order = { last_seen: 'DESC', queue: 'ASC' } as const;
    const workers = new Map<string, WorkerRosterEntity[]>(names.map((name) => [name, []]));
    for (const row of await this.db.getRepository(WorkerRosterEntity).find({ where, order }))
      workers.get(row.worker)!.push(row);
    return Array.from(workers.values(), viewOf);
  }
}

/** `rows` of one worker, its latest first. */
function viewOf(rows: readonly WorkerRosterEntity[]): WorkerView {
  const { worker, server, last_seen } = rows[0]!;
  const sum = (column: Counter): number => rows.reduce((total, row) => total + Number(row[column]), 0);
  return {
    name: worker,
    server: server!,
    queues: rows.map(({ queue }) => queue).sort(),
    firstSeenAt: new Date(Math.min(...rows.map((row) => row.first_seen!.getTime()))).toISOString(),
    lastSeenAt: last_seen!.toISOString(),
    running: sum('running'),
    claimed: sum('claimed'),
    succeeded: sum('succeeded'),
    failed: sum('failed'),
    lost: sum('lost'),
    handedBack: sum('handed_back'),
  };
}

type Counter = 'running' | 'claimed' | 'succeeded' | 'failed' | 'lost' | 'handed_back';
