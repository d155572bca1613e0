import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';

/** Since when the figures of read models count: restarts and rebuilds do not begin them anew. */
export class CountedSince extends Query<Date> {}

const SINCE = `select min(made_at) as since from schema_versions`;

@QueryHandler(CountedSince)
export class CountedSinceHandler implements IQueryHandler<CountedSince> {
  constructor(private readonly db: DataSource) {}

  async execute(): Promise<Date> {
    const [row] = await this.db.query<{ since: Date }[]>(SINCE);
    return row!.since;
  }
}
