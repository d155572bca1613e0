import { Logger } from '@nestjs/common';
import { EVENT_TRIGGERS } from '../../../application/triggers/trigger-states.port.js';
import { categoryOf } from '../../../domain/aggregates.js';
import { TRIGGER_CATEGORY } from '../../../domain/trigger/trigger.stream.js';
import { FOLLOWED, INDEX_FOLLOWER } from '../../../projections/read-models.js';
import type { PostgresConnection, PostgresPool } from '../../database/postgres-pool.js';
import type { Gap } from './gap.js';

/** Forgets the stretches over skipped events: whoever did not get these has kept that there is nothing of ours. */
const COUNT = `
  with blind as (
    delete from log_stretches s using unnest($3::bigint[], $4::bigint[]) as g(first, last)
    where s.after < g.last and s.up_to > g.first)
  select waybill_count_gaps($1, $2)`;

/**
 * Whoever gives commands may lack them, too. A follower that did not get an event of a trigger reads the triggers, and the log
 * after that event, again.
 */
const OWE = `
  with owed as (
    insert into events_skipped (follower, position)
    select c.name, p from projection_checkpoints c, unnest($2::bigint[]) as p where c.slot = 'live' and c.name <> all ($1)
    on conflict do nothing)
  update projection_checkpoints set position = least(position, $4) where name = $3 and slot = 'live' and position > $4`;

/** The followers that give no commands. */
const DERIVED = [INDEX_FOLLOWER, ...FOLLOWED.map(({ name }) => name)];

type Db = Pick<PostgresPool | PostgresConnection, 'query'>;

/**
 * Counts gaps. Others may lack skipped events, too: the followers of read models build these anew, and those that give commands
 * look at the events.
 */
export async function countGaps(db: Db, gaps: readonly Gap[]): Promise<void> {
  const skipped = gaps.filter(({ kind }) => kind === 'skipped');
  if (skipped.length > 0) await owe(db, skipped);
  await count(db, gaps);
}

async function count(db: Db, gaps: readonly Pick<Gap, 'kind' | 'from' | 'to'>[]): Promise<void> {
  const skipped = gaps.filter(({ kind }) => kind === 'skipped');
  await db.query(COUNT, [
    gaps.map(({ kind }) => kind),
    FOLLOWED.map(({ name }) => name),
    skipped.map(({ from }) => from),
    skipped.map(({ to }) => to),
  ]);
}

function owe(db: Db, skipped: readonly Gap[]): Promise<unknown> {
  const ofTriggers = skipped.filter(({ stream }) => categoryOf(stream) === TRIGGER_CATEGORY);
  const first = ofTriggers.reduce<bigint | null>((least, { from }) => (least && least < from ? least : from), null);
  return db.query(OWE, [DERIVED, skipped.flatMap(({ positions }) => positions), EVENT_TRIGGERS, first]);
}

/** For an event that the server sent again and nobody got. */
export function countRepeated(pool: PostgresPool): void {
  void count(pool, [{ kind: 'doubled', from: 0n, to: 0n }]).catch((error: unknown) =>
    new Logger('EventStoreDB').warn(`Expected to count an event that came again, but ${(error as Error).message}`),
  );
}
