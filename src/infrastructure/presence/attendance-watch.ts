import { Injectable } from '@nestjs/common';
import type { AttendanceCommand } from '../../domain/attendance/attendance.decider.js';
import { lastPolledAt, PRESENT_FOR, unattended } from '../../projections/kernel/attendance.js';
import { isInternal } from '../../projections/kernel/internal-queues.js';
import { oldestWaitingMs } from '../../projections/queue-stats/oldest-waiting.js';
import { PostgresPool } from '../database/postgres-pool.js';
import { UnattendedQueues } from './unattended-queues.js';

/** Each look asks for every queue whether it is served. */
const EVERY_MS = 10_000;
/** After a longer silence another process may have looked, so what is recorded is read anew. */
const STALE_MS = 60_000;
/** How long tasks wait before it matters that no worker asks. */
const WAITED_MS = 60_000;

const NAMES = `select name from queues where not ${isInternal('name')} order by name`;

/** Of the queues in $1, which are recorded as unattended, those that a worker serves again; of the others, those that are unattended. */
const CHANGED = `
select q.name as queue, (extract(epoch from ${lastPolledAt('q.name')}) * 1000)::float8 as since, p.worker
from queues q left join lateral (
  select worker from worker_presence p where p.queue = q.name and p.seen_at > now() - ${PRESENT_FOR} order by p.seen_at desc limit 1) p on true
where case when q.name = any($1) then p.worker is not null and not ${unattended('q')}
  else not ${isInternal('q.name')} and ${oldestWaitingMs('q.name')} >= ${WAITED_MS} and ${unattended('q')} end
order by q.name limit $2`;

interface Row {
  readonly queue: string;
  /** In milliseconds since 1970. */
  readonly since: number | null;
  readonly worker: string | null;
}

/** Finds the queues whose attendance has changed since it was recorded. */
@Injectable()
export class AttendanceWatch {
  private known: ReadonlySet<string> = new Set();
  private lookedAt = -Infinity;

  constructor(
    private readonly pool: PostgresPool,
    private readonly recorded: UnattendedQueues,
  ) {}

  /** At most `limit`. None if it has looked a moment ago. */
  async changes(limit: number): Promise<readonly AttendanceCommand[]> {
    const now = performance.now();
    if (now - this.lookedAt < EVERY_MS) return [];
    if (now - this.lookedAt > STALE_MS) this.known = await this.recordedNow();
    this.lookedAt = now;
    const { rows } = await this.pool.query<Row>(CHANGED, [[...this.known], limit]);
    return rows.map((row) => commandOf(row, this.known.has(row.queue)));
  }

  /** What was just recorded. */
  note(recorded: readonly AttendanceCommand[]): void {
    const known = new Set(this.known);
    for (const { type, queue } of recorded) {
      if (type === 'RecordAbsence') known.add(queue);
      else known.delete(queue);
    }
    this.known = known;
  }

  private async recordedNow(): Promise<ReadonlySet<string>> {
    const { rows } = await this.pool.query<{ name: string }>(NAMES);
    return this.recorded.among(rows.map(({ name }) => name));
  }
}

const commandOf = ({ queue, since, worker }: Row, wasUnattended: boolean): AttendanceCommand =>
  wasUnattended
    ? { type: 'RecordPresence', queue, worker: worker! }
    : { type: 'RecordAbsence', queue, since: since === null ? null : new Date(since).toISOString() };
