import { Injectable } from '@nestjs/common';
import { isConnectionError } from '../../application/kernel/connection-errors.js';
import { PostgresPool } from '../database/postgres-pool.js';
import { FailingItems } from './failing-items.js';

/** Among what the sweeper could not deal with, the items of this name are queues. */
export const ARCHIVING = 'archive ended tasks';

/** How many rows one transaction looks at. Of what it moves, appends wait for a few milliseconds. */
const ROWS_AT_ONCE = 1_000;
/** Retention counts in days, and a pass reads all of the queue's rows. A changed policy begins one at once. */
const BETWEEN_PASSES = '10 minutes';

/** The queues whose rows are to be looked through. Reads nothing of queues without retention. */
const DUE = {
  name: 'waybill_queues_to_archive',
  text: `select q.name from queues q left join archives a on a.queue = q.name
    where q.retains and (a.queue is null or a.looked_up_to is not null or a.policy_version <> q.policy_version
      or a.ended_at < now() - interval '${BETWEEN_PASSES}') order by q.name`,
};

/** Moves the rows of ended tasks to the archive once their time in the lists is over by their queue's policy. */
@Injectable()
export class Archiver {
  constructor(
    private readonly pool: PostgresPool,
    private readonly failing: FailingItems,
  ) {}

  /**
   * Looks at some rows of each queue whose turn it is. True if there are more. Rejects if the database is unavailable; what
   * concerns one queue keeps no other from its turn.
   */
  async archiveSome(): Promise<boolean> {
    const { rows } = await this.pool.query<{ name: string }>({ ...DUE, values: [] });
    let more = false;
    for (const { name } of rows) more = (!this.failing.rests(ARCHIVING, name) && (await this.archive(name))) || more;
    return more;
  }

  private async archive(queue: string): Promise<boolean> {
    try {
      const { rows } = await this.pool.query<{ more: boolean }>('select more from waybill_archive($1, $2)', [
        queue,
        ROWS_AT_ONCE,
      ]);
      await this.failing.forget(ARCHIVING, [queue]);
      return rows[0]!.more;
    } catch (error) {
      if (isConnectionError(error)) throw error;
      await this.failing.failed(ARCHIVING, queue, error);
      return false;
    }
  }
}
