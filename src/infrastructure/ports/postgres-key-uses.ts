import { Injectable } from '@nestjs/common';
import { type KeyUse, KeyUses } from '../../application/kernel/key-uses.port.js';
import { PostgresPool } from '../database/postgres-pool.js';

/** Writes in the order of the ids, so that two processes that write the same keys do not deadlock. */
const WRITE = `
insert into api_key_uses as u (id, name, used_at)
  select id, name, now() - ago_ms * interval '1 millisecond' from unnest($1::text[], $2::text[], $3::float8[]) as used(id, name, ago_ms) order by id
  on conflict (id) do update set name = excluded.name, used_at = greatest(u.used_at, excluded.used_at)`;

const READ = 'select id, used_at from api_key_uses where id = any ($1)';

@Injectable()
export class PostgresKeyUses extends KeyUses {
  constructor(private readonly pool: PostgresPool) {
    super();
  }

  async write(uses: readonly KeyUse[]): Promise<void> {
    await this.pool.query(WRITE, [
      uses.map(({ id }) => id),
      uses.map(({ name }) => name),
      uses.map(({ agoMs }) => agoMs),
    ]);
  }

  async read(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { rows } = await this.pool.query<{ id: string; used_at: Date }>(READ, [ids]);
    return new Map(rows.map(({ id, used_at: at }) => [id, new Date(at).toISOString()]));
  }
}
