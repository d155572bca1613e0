import { Logger } from '@nestjs/common';
import type { RecordedEvent } from '../../../application/kernel/event-store.port.js';
import { EVENT_TRIGGERS } from '../../../application/triggers/trigger-states.port.js';
import { categoryOf } from '../../../domain/aggregates.js';
import { TRIGGER_CATEGORY } from '../../../domain/trigger/trigger.stream.js';
import { BUILT_ANEW, INDEX_FOLLOWER } from '../../../projections/read-models.js';
import type { PostgresConnection, PostgresPool } from '../../database/postgres-pool.js';
import type { Gap } from './gap.js';

/**
 * Forgets the stretches over skipped events: whoever did not get these has kept that there is nothing of ours, or has not
 * counted their times. And the rows of models that were kept after them.
 */
const COUNT = `
  with blind as (
    delete from log_stretches s using unnest($3::bigint[], $4::bigint[]) as g(first, last)
    where s.after < g.last and s.up_to > g.first),
  untimed as (
    delete from log_times t using unnest($3::bigint[], $4::bigint[]) as g(first, last)
    where t.after < g.last and t.up_to >= g.first),
  uncounted as (
    delete from model_snapshots s using unnest($3::bigint[], $4::bigint[]) as g(first, last) where s.position >= g.first)
  select waybill_count_gaps($1, $2)`;

/** Of the followers that give commands, all or those that are named. */
const WHO = `c.slot = 'live' and c.name <> all ($1) and ($2::text[] is null or c.name = any ($2))`;

const OWE = `
  insert into events_skipped (follower, position)
  select c.name, p from projection_checkpoints c, unnest($3::bigint[]) as p where ${WHO}
  on conflict do nothing`;

/** A follower that did not get an event of a trigger reads the triggers, and the log after that event, again. */
const MOVE_BACK = `
  with moved as (
    update projection_checkpoints c set position = $4 where ${WHO} and c.name = $3 and c.position > $4 returning c.name)
  select waybill_end_terms(array_agg(name)) from moved having count(*) > 0`;

/** Whether they got the events is not known, so what they have passed up to there says nothing. */
const COUNT_ANEW = `
  insert into follower_counts as f (follower, begins) select c.name, $3 from projection_checkpoints c where ${WHO}
  on conflict (follower) do update
    set position = null, events = null, lead = null, begins = greatest(f.begins, excluded.begins)`;

/** The followers that give no commands. */
const DERIVED = [INDEX_FOLLOWER, ...BUILT_ANEW];

type Db = Pick<PostgresPool | PostgresConnection, 'query'>;

/** An event that a follower may lack. */
export type Lacked = Pick<RecordedEvent, 'stream' | 'position'>;

/** Where events of streams that are not known were skipped or came again. */
type GapBetween = Pick<Gap, 'kind' | 'from' | 'to'>;

/**
 * Counts gaps. Others may lack skipped events, too: the followers of read models build these anew, and those that give commands
 * look at the events.
 */
export async function countGaps(db: Db, gaps: readonly Gap[]): Promise<void> {
  const skipped = gaps.filter(({ kind }) => kind === 'skipped');
  const lacked = skipped.flatMap(({ stream, positions }) => positions.map((position) => ({ stream, position })));
  if (lacked.length > 0) await oweTo(db, lacked, null);
  await count(db, gaps, BUILT_ANEW);
}

/** Counts a gap that only these read models have. They are built anew. */
export const countGap = (db: Db, gap: GapBetween, models: readonly string[]): Promise<void> => count(db, [gap], models);

async function count(db: Db, gaps: readonly GapBetween[], models: readonly string[]): Promise<void> {
  const skipped = gaps.filter(({ kind }) => kind === 'skipped');
  await db.query(COUNT, [
    gaps.map(({ kind }) => kind),
    models,
    skipped.map(({ from }) => from),
    skipped.map(({ to }) => to),
  ]);
}

/**
 * Lets followers that give commands look at events, whether they got them or not: all of them (null), or those that are
 * named. `lacked`: at least one.
 */
export async function oweTo(db: Db, lacked: readonly Lacked[], followers: readonly string[] | null): Promise<void> {
  const events = lacked.toSorted((one, other) => (one.position < other.position ? -1 : 1));
  const ofTrigger = events.find(({ stream }) => categoryOf(stream) === TRIGGER_CATEGORY);
  await db.query(OWE, [DERIVED, followers, events.map(({ position }) => position)]);
  if (ofTrigger) await db.query(MOVE_BACK, [DERIVED, followers, EVENT_TRIGGERS, ofTrigger.position]);
  if (ofTrigger || followers === null) await db.query(COUNT_ANEW, [DERIVED, followers, events.at(-1)!.position]);
}

/** For an event that the server sent again and nobody got. */
export function countRepeated(pool: PostgresPool): void {
  void count(pool, [{ kind: 'doubled', from: 0n, to: 0n }], []).catch((error: unknown) =>
    new Logger('EventStoreDB').warn(`Expected to count an event that came again, but ${(error as Error).message}`),
  );
}
