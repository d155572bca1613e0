import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { CheckpointEntity } from '../kernel/checkpoint.entity.js';
import { EventLog } from '../kernel/event-log.port.js';

export interface ProjectionLag {
  readonly name: string;
  readonly version: number;
  /** Decimal. */
  readonly position: string;
  /** Events between it and the head of the log. */
  readonly lag: number;
  readonly status: 'running' | 'stopped';
  /** Why it stopped, and at which event. */
  readonly error: string | null;
  readonly stoppedAt: string | null;
}

export class GetProjectionLag extends Query<readonly ProjectionLag[]> {}

/** Every follower with a checkpoint, reactions included, by name. */
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
    return rows.map((row) => lagOf(row, head));
  }
}

function lagOf({ name, version, position, status, error, stoppedAt }: CheckpointEntity, head: bigint): ProjectionLag {
  return { name, version, position, lag: Number(head - BigInt(position)), status, error, stoppedAt };
}
