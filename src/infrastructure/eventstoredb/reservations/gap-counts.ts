import { Logger } from '@nestjs/common';
import { FOLLOWED } from '../../../projections/read-models.js';
import type { PostgresConnection, PostgresPool } from '../../database/postgres-pool.js';
import type { Gap } from './gap.js';

/** Counts gaps. The read models may lack skipped events, too, so their followers build them anew. */
export async function countGaps(
  db: Pick<PostgresPool | PostgresConnection, 'query'>,
  gaps: readonly Pick<Gap, 'kind'>[],
): Promise<void> {
  const kinds = gaps.map(({ kind }) => kind);
  await db.query('select waybill_count_gaps($1, $2)', [kinds, FOLLOWED.map(({ name }) => name)]);
}

/** For an event that the server sent again and nobody got. */
export function countRepeated(pool: PostgresPool): void {
  void countGaps(pool, [{ kind: 'doubled' }]).catch((error: unknown) =>
    new Logger('EventStoreDB').warn(`Expected to count an event that came again, but ${(error as Error).message}`),
  );
}
