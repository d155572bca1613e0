import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';

/** Who leads a role, or did last. */
export interface Leader {
  readonly role: string;
  /** The machine and the number of the process. */
  readonly process: string;
  /** `vacant`: its term has ended, and no other process has taken over. */
  readonly state: 'leading' | 'vacant';
  readonly since: string;
  /** When another process may take over, unless the term is renewed. */
  readonly until: string;
  /** When a round of the role's work was done last, to a few seconds; null if none was or the role has none. */
  readonly workedAt: string | null;
  /** The age of that round. */
  readonly workedSeconds: number | null;
}

/** Of every role that a process has led, by name. */
export class ListLeaders extends Query<readonly Leader[]> {}

interface Row extends Omit<Leader, 'since' | 'until' | 'workedAt'> {
  readonly since: Date;
  readonly until: Date;
  readonly workedAt: Date | null;
}

@QueryHandler(ListLeaders)
export class ListLeadersHandler implements IQueryHandler<ListLeaders> {
  constructor(private readonly db: DataSource) {}

  execute(): Promise<readonly Leader[]> {
    return leadersIn(this.db);
  }
}

export async function leadersIn(db: Pick<DataSource, 'query'>): Promise<readonly Leader[]> {
  const rows = await db.query<Row[]>(LEADERS);
  return rows.map(({ since, until, workedAt, ...row }) => ({
    ...row,
    since: since.toISOString(),
    until: until.toISOString(),
    workedAt: workedAt?.toISOString() ?? null,
  }));
}

/** How many seconds ago any process swept last; null if none ever did. */
export const lastSweepSecondsOf = (leaders: readonly Leader[]): number | null =>
  leaders.find(({ role }) => role === 'sweeper')?.workedSeconds ?? null;

const LEADERS = `
  select role, process, case when deadline > clock_timestamp() then 'leading' else 'vacant' end as state, since,
    deadline as until, worked_at as "workedAt",
    greatest(0, extract(epoch from clock_timestamp() - worked_at))::float8 as "workedSeconds"
  from leaders order by role`;
