import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
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

/** Every worker that ever claimed a task, last seen first. */
export class ListWorkers extends Query<readonly WorkerView[]> {}

@QueryHandler(ListWorkers)
export class ListWorkersHandler implements IQueryHandler<ListWorkers> {
  constructor(private readonly db: DataSource) {}

  async execute(): Promise<readonly WorkerView[]> {
    const rows = await this.db.getRepository(WorkerRosterEntity).find({ order: { last_seen: 'DESC', queue: 'ASC' } });
    const workers = new Map<string, WorkerRosterEntity[]>();
    for (const row of rows) workers.set(row.worker, [...(workers.get(row.worker) ?? []), row]);
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
