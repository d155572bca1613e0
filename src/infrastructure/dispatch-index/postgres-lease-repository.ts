import { Injectable } from '@nestjs/common';
import {
  LeaseRepository,
  type LeaseCheck,
  type LeaseExtension,
  type LeaseRef,
} from '../../application/kernel/lease-repository.port.js';
import { PostgresPool } from '../database/postgres-pool.js';

const CHECK = { name: 'waybill_check', text: 'select * from waybill_check($1, $2, $3)' };
const EXTEND = { name: 'waybill_extend', text: 'select * from waybill_extend($1, $2, $3)' };

@Injectable()
export class PostgresLeaseRepository extends LeaseRepository {
  constructor(private readonly pool: PostgresPool) {
    super();
  }

  async nextToken(): Promise<string> {
    const { rows } = await this.pool.query<{ token: string }>(`select nextval('lease_tokens') as token`);
    return rows[0]!.token;
  }

  async runsOf(holder: string): Promise<number> {
    const text = 'select coalesce(sum(open), 0)::int as running from leases where holder = $1';
    const { rows } = await this.pool.query<{ running: number }>({ name: 'waybill_runs_of', text, values: [holder] });
    return rows[0]!.running;
  }

  async passOn(job: string, { secret, leaseMs }: { readonly secret: string; readonly leaseMs: number }): Promise<void> {
    const text = `update leases set secret = $2, lease_ms = $3, deadline = now() + $3::int * interval '1 millisecond'
      where claim_id = $1 and expiring is null`;
    await this.pool.query({ name: 'waybill_pass_on', text, values: [job, secret, leaseMs] });
  }

  extend(leases: readonly LeaseRef[]): Promise<readonly LeaseExtension[]> {
    return this.answers(EXTEND, leases, 'extended');
  }

  check(leases: readonly LeaseRef[]): Promise<readonly LeaseCheck[]> {
    return this.answers(CHECK, leases, 'standing');
  }

  private async answers<Kind>(statement: typeof CHECK, leases: readonly LeaseRef[], kind: Kind) {
    const tokens = leases.map(({ token }) => token);
    const secrets = leases.map(({ secret }) => secret);
    const tasks = leases.map(({ taskId }) => taskId);
    const { rows } = await this.pool.query<Row>({ ...statement, values: [tokens, secrets, tasks] });
    return rows.map((row, index) => answer(leases[index]!.taskId, row, kind));
  }
}

interface Row {
  readonly deadline: string | null;
  readonly cancel_requested: boolean | null;
}

const answer = <Kind>(taskId: string, { deadline, cancel_requested }: Row, kind: Kind) =>
  deadline === null
    ? { taskId, kind: 'lost' as const }
    : { taskId, kind, deadline, cancelRequested: cancel_requested === true };
