import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import { KeyFailures } from '../../application/tasks/key-failures.port.js';
import { PostgresPool } from '../database/postgres-pool.js';

const MAX_KEYS = 500;

interface Key {
  readonly queue: string;
  readonly key: string;
}

const FAILURES = {
  name: 'waybill_key_failures',
  text: `select array(select f.task_id from key_failures f where f.queue = k.queue and f.key = k.key order by f.task_id) as tasks
    from unnest($1::text[], $2::text[]) with ordinality as k(queue, key, at) order by k.at`,
};

/** Each keyed task that succeeds asks for the failures of its key, so those that ask together share a statement. */
@Injectable()
export class PostgresKeyFailures extends KeyFailures {
  private readonly loader = new DataLoader<Key, string[]>((keys) => this.ofAll(keys), {
    cache: false,
    maxBatchSize: MAX_KEYS,
  });

  constructor(private readonly pool: PostgresPool) {
    super();
  }

  of(queue: string, key: string): Promise<string[]> {
    return this.loader.load({ queue, key });
  }

  private async ofAll(keys: readonly Key[]): Promise<string[][]> {
    const values = [keys.map(({ queue }) => queue), keys.map(({ key }) => key)];
    const { rows } = await this.pool.query<{ tasks: string[] }>({ ...FAILURES, values });
    return rows.map(({ tasks }) => tasks);
  }
}
