import { Injectable } from '@nestjs/common';
import { LeaseRepository, type LeaseExtension, type LeaseRef } from '../../application/kernel/lease-repository.port.js';
import { PostgresPool } from '../database/postgres-pool.js';

/**
 * `skip locked` skips a lease that is being settled or expired, because otherwise a heartbeat and a settlement of the
 * same tasks could wait for each other. Such a lease is answered as it is; the next heartbeat sees the outcome.
 */
const EXTEND = {
  name: 'waybill_extend',
  text: `with given as (
      select * from unnest($1::bigint[], $2::uuid[], $3::uuid[]) with ordinality as g(token, secret, task, at)),
    mine as (
      select l.token from given g join leases l on l.token = g.token and l.task_id = g.task
        and (l.secret is null or l.secret = g.secret)
      where l.expiring is null
      for update of l skip locked),
    extended as (
      update leases l set deadline = now() + l.lease_ms * interval '1 millisecond' from mine where l.token = mine.token
      returning l.token, l.deadline)
    select coalesce(e.deadline, l.deadline) as deadline, l.cancel_requested
    from given g left join leases l on l.token = g.token and l.task_id = g.task
      and (l.secret is null or l.secret = g.secret)
    left join extended e on e.token = l.token order by g.at`,
};

@Injectable()
export class PostgresLeaseRepository extends LeaseRepository {
  constructor(private readonly pool: PostgresPool) {
    super();
  }

  async extend(leases: readonly LeaseRef[]): Promise<readonly LeaseExtension[]> {
    const tokens = leases.map(({ token }) => token);
    const secrets = leases.map(({ secret }) => secret);
    const tasks = leases.map(({ taskId }) => taskId);
    const { rows } = await this.pool.query<Row>({ ...EXTEND, values: [tokens, secrets, tasks] });
    return rows.map((row, index) => answer(leases[index]!.taskId, row));
  }
}

interface Row {
  readonly deadline: string | null;
  readonly cancel_requested: boolean | null;
}

const answer = (taskId: string, { deadline, cancel_requested }: Row): LeaseExtension =>
  deadline === null
    ? { taskId, kind: 'lost' }
    : { taskId, kind: 'extended', deadline, cancelRequested: cancel_requested === true };
