import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { CheckpointEntity } from '../kernel/checkpoint.entity.js';
import { EventLog } from '../kernel/event-log.port.js';
import { type Lag, lagsAt, NOW_MS } from '../kernel/lag.js';

export interface ProjectionLag extends Lag {
  readonly name: string;
  readonly version: number;
  /** Decimal. */
  readonly position: string;
  /** The end of the log when the query ran. Decimal. */
  readonly head: string;
  readonly status: 'running' | 'stopped';
  /** Why the follower stopped, and at which event. */
  readonly error: string | null;
  readonly stoppedAt: string | null;
}

export class GetProjectionLag extends Query<readonly ProjectionLag[]> {}

/** Every follower with a checkpoint, including reactions, by name. */
@QueryHandler(GetProjectionLag)
export class GetProjectionLagHandler implements IQueryHandler<GetProjectionLag> {
  constructor(
    private readonly db: DataSource,
    private readonly log: EventLog,
  ) {}

  async execute(): Promise<readonly ProjectionLag[]> {
    const rows = await this.db
      .getRepository(CheckpointEntity)
      .find({ where: { slot: 'live' }, order: { name: 'ASC' } });
    const head = await this.log.head();
    const [{ nowMs }] = await this.db.query<[{ nowMs: number }]>(`select ${NOW_MS} as "nowMs"`);
    const positions = rows.map(({ position }) => BigInt(position));
    const lags = await lagsAt(this.log, positions, { head, nowMs });
    return rows.map((row, at) => viewOf(row, head, lags.get(positions[at]!)!));
  }
}

function viewOf(row: CheckpointEntity, head: bigint, lag: Lag): ProjectionLag {
  const { name, version, position, status, error, stoppedAt } = row;
  return { name, version, position, head: String(head), ...lag, status, error, stoppedAt };
}
