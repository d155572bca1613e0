import { Injectable } from '@nestjs/common';
import {
  ResourceStates,
  type Measured,
  type StoredResource,
} from '../../application/resources/resource-states.port.js';
import type { Level } from '../../domain/resource/level.js';
import { PostgresPool } from '../database/postgres-pool.js';
import { readSql, statement } from '../database/sql.js';

interface Row {
  readonly name: string;
  readonly description: string;
  readonly unit: string | null;
  readonly stale_after: number;
  readonly level: Level;
  readonly limits: readonly number[];
  readonly revision: number;
  readonly position: string;
}

interface WrittenRow extends Row {
  readonly was_stale: boolean;
  readonly measured_at: Date;
}

const WRITE = statement<{ readonly resource: string; readonly value: number; readonly by: string }>(
  'waybill_write_gauge',
  readSql(import.meta.url, 'resources/write-gauge'),
);

const COLUMNS = `r.name, r.description, r.unit, r.stale_after, r.level, r.revision, r.position, waybill_limits_of(r.name) as limits`;

/** `level`: null if it is recorded already that the measure is too old, or if there never was one. */
const STALE = {
  name: 'waybill_stale_resources',
  text: `select ${COLUMNS}
    from resources r left join gauges g on g.resource = r.name
    where r.level is not null and (g.resource is null or g.measured_at + r.stale_after * interval '1 second' <= clock_timestamp())
    limit $1`,
};

@Injectable()
export class PostgresResourceStates extends ResourceStates {
  constructor(private readonly pool: PostgresPool) {
    super();
  }

  async named(resource: string): Promise<StoredResource | null> {
    const text = `select ${COLUMNS} from resources r where r.name = $1 and r.state = 'defined'`;
    const { rows } = await this.pool.query<Row>(text, [resource]);
    return rows[0] ? storedResource(rows[0]) : null;
  }

  async write(resource: string, value: number, by: string): Promise<Measured | null> {
    const { rows } = await this.pool.query<WrittenRow>(WRITE.with({ resource, value, by }));
    if (!rows[0]) return null;
    const { was_stale: wasStale, measured_at: measuredAt } = rows[0];
    return { ...storedResource(rows[0]), wasStale, measuredAt: new Date(measuredAt).toISOString() };
  }

  async missing(resources: readonly string[]): Promise<string | null> {
    const { rows } = await this.pool.query<{ name: string }>(
      `select n.name from unnest($1::text[]) as n(name) where not exists
         (select from resources r where r.name = n.name and r.state = 'defined') limit 1`,
      [resources],
    );
    return rows[0]?.name ?? null;
  }

  async neededBy(resource: string): Promise<{ readonly queue: string; readonly step: string } | null> {
    const { rows } = await this.pool.query<{ queue: string; step: string }>(
      `select q.name as queue, n.step from queues q cross join lateral waybill_needs(q.needs) n
       where q.needs is not null and q.status <> 'deleted' and n.resource = $1 order by q.name limit 1`,
      [resource],
    );
    return rows[0] ?? null;
  }

  /** The resources whose last measurement is too old, where no event says so yet. */
  async stale(limit: number): Promise<readonly StoredResource[]> {
    const { rows } = await this.pool.query<Row>({ ...STALE, values: [limit] });
    return rows.map(storedResource);
  }
}

const storedResource = ({ description, unit, stale_after: staleAfterSeconds, level, ...row }: Row): StoredResource => ({
  name: row.name,
  state: { status: 'defined', definition: { description, unit, staleAfterSeconds }, level },
  limits: row.limits,
  revision: row.revision,
  position: BigInt(row.position),
});
