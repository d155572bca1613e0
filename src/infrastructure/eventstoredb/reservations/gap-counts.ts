import { Logger } from '@nestjs/common';
import { FOLLOWED } from '../../../projections/read-models.js';
import type { PostgresConnection, PostgresPool } from '../../database/postgres-pool.js';
import type { Gap } from './gap.js';

/** Forgets the stretches over skipped events: whoever did not get these has kept that there is nothing of ours. */
const COUNT = `
  with blind as (
    delete from log_stretches s using unnest($3::bigint[], $4::bigint[]) as g(first, last)
    where s.after < g.last and s.up_to > g.first)
  select waybill_count_gaps($1, $2)`;

/** Counts gaps. The read models may lack skipped events, too, so their followers build them anew. */
export async function countGaps(
  db: Pick<PostgresPool | PostgresConnection, 'query'>,
  gaps: readonly Pick<Gap, 'kind' | 'from' | 'to'>[],
): Promise<void> {
  const skipped = gaps.filter(({ kind }) => kind === 'skipped');
  await db.query(COUNT, [
    gaps.map(({ kind }) => kind),
    FOLLOWED.map(({ name }) => name),
    skipped.map(({ from }) => from),
    skipped.map(({ to }) => to),
  ]);
}

/** For an event that the server sent again and nobody got. */
export function countRepeated(pool: PostgresPool): void {
  void countGaps(pool, [{ kind: 'doubled', from: 0n, to: 0n }]).catch((error: unknown) =>
    new Logger('EventStoreDB').warn(`Expected to count an event that came again, but ${(error as Error).message}`),
  );
}
