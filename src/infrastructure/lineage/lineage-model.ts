import type { EventReads } from '../../application/kernel/event-store.port.js';
import type { LogSegment } from '../../application/kernel/log-segment.js';
import { LINEAGE_KINDS } from '../../projections/lineage/lineage-kinds.js';
import { LINEAGE } from '../../projections/read-models.js';
import { storedName } from '../projection-engine/change-writer.js';
import type { Slot } from '../projection-engine/checkpoint.js';
import type { LookingModel } from '../projection-engine/model.js';
import type { Statement } from '../projection-engine/table-sql.js';
import { Causes, type Link } from './causes.js';
import { type Overlap, Overlaps } from './overlaps.js';

/** The rows of lineage and overlaps, as far as events name them. Most events name nothing, which is no statement. */
export class LineageModel implements LookingModel {
  readonly name = LINEAGE.name;
  readonly version = LINEAGE.version;
  readonly tables = LINEAGE.tables;

  constructor(
    private readonly causes: Pick<Causes, 'linksOf'>,
    private readonly overlaps: Pick<Overlaps, 'foundIn'>,
  ) {}

  async statements(segments: readonly LogSegment[], slot: Slot): Promise<readonly Statement[]> {
    const links = await this.causes.linksOf(segments);
    const overlaps = await this.overlaps.foundIn(segments);
    return [
      ...(links.length > 0 ? [insertLinks(links, storedName('lineage', slot))] : []),
      ...(overlaps.length > 0 ? [insertOverlaps(overlaps, storedName('attempt_overlaps', slot))] : []),
    ];
  }
}

/** The lineage of a log. It remembers what it has read, so there is one for each reader. */
export const lineageOf = (log: Pick<EventReads, 'readFirst' | 'scan' | 'positionBefore'>): LineageModel =>
  new LineageModel(new Causes(log), new Overlaps(log));

function insertLinks(links: readonly Link[], table: string): Statement {
  const kinds = links.map(({ kind }) => LINEAGE_KINDS.indexOf(kind));
  const positions = links.map(({ position }) => String(position));
  const [causes, effects] = [links.map(({ cause }) => cause), links.map(({ effect }) => effect)];
  return {
    text: `insert into ${table} (cause, effect, kind, position)
      select * from unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::bigint[]) on conflict do nothing`,
    values: [causes, effects, kinds, positions],
  };
}

const insertOverlaps = (overlaps: readonly Overlap[], table: string): Statement => ({
  text: `insert into ${table} (position, queue, task, attempt, worker, next_attempt, next_worker, lost_at, begun_at, ended_at)
    select * from jsonb_to_recordset($1::jsonb) as o (position bigint, queue text, task uuid, attempt int, worker text,
      "nextAttempt" int, "nextWorker" text, "lostAt" timestamptz, "begunAt" timestamptz, "endedAt" timestamptz) on conflict do nothing`,
  values: [JSON.stringify(overlaps)],
});
