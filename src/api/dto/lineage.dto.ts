import { ApiProperty } from '@nestjs/swagger';
import { LINEAGE_KINDS, type LineageKind } from '../../projections/lineage/lineage-kinds.js';
import { Choice, Closed, Flag, Instant, Integer, Since, Text, Uuid } from '../input/fields.js';
import { Count, Position } from './answer.fields.js';
import { Limits, QUEUE_NAME } from './limits.js';
import { PageQuery, ReadQuery } from './query.dto.js';

const STEPS = { min: 0, max: 10, optional: true } as const;

@Closed()
export class LineageQuery extends ReadQuery {
  @Integer({ ...STEPS, description: 'Over how many steps to show what led to the task; 3 if absent.' })
  up?: number;

  @Integer({ ...STEPS, description: 'Over how many steps to show what followed from it; 3 if absent.' })
  down?: number;
}

export class LineageNode {
  @Uuid({})
  id!: string;

  @ApiProperty({
    type: 'integer',
    description: 'The steps from the task: below 0 for what led to it, above 0 for what followed from it.',
  })
  level!: number;

  @Choice(['task', 'batch'])
  kind!: 'task' | 'batch';

  @Text({ min: 0, max: Limits.reference, description: 'The reference or the kind of a task, the name of a batch.' })
  title!: string;

  @Text({ max: 100, nullable: true, description: 'null for a batch.' })
  queue!: string | null;

  @Text({ max: 100, nullable: true, description: 'null if the lists do not know the task yet.' })
  state!: string | null;
}

export class LineageLink {
  @Uuid({})
  cause!: string;

  @Uuid({})
  effect!: string;

  @Choice(LINEAGE_KINDS, {
    description:
      '`context`: it was submitted within the work of the cause; `trigger`: an event of the cause fired a trigger; `plan`: the cause planned its batch; `rerun`: it runs the cause again; `operation`: the operation gave it a command, or made it; `item`: the job is for the item; `cascade`: it was aborted because the cause was; `supersession`: the success of the cause superseded it; `delivery`: it tells of the cause.',
  })
  kind!: LineageKind;

  @Position({ description: 'That of the event that names the cause.' })
  position!: string;
}

export class Lineage {
  @ApiProperty({ type: () => [LineageNode], description: 'Up to 1,000 tasks and batches, with the task itself.' })
  nodes!: LineageNode[];

  @ApiProperty({ type: () => [LineageLink] })
  links!: LineageLink[];

  @Flag({ description: 'Whether there are more than the 500 links that were read in one of the directions.' })
  truncated!: boolean;

  @Count({ description: 'How many are left out because they are outside of the queues of the API key.' })
  hidden!: number;
}

@Closed()
export class OverlapQuery extends PageQuery {
  @Text({ max: 100, pattern: QUEUE_NAME, optional: true, description: 'Only those of this queue.' })
  queue?: string;

  @Since({
    optional: true,
    example: '24h',
    description: 'From this time on, or from this long ago (such as `24h`, the default).',
  })
  from?: string;

  @Since({ optional: true, description: 'Up to this time, or up to this long ago; until now if absent.' })
  to?: string;
}

/** Two attempts of a task that worked at the same time. */
export class Overlap {
  @Position({ description: 'That of the late report.' })
  position!: string;

  @Text({ max: 100 })
  queue!: string;

  @Uuid({})
  task!: string;

  @Count({ description: 'The attempt that was lost, and reported after the next one had begun.' })
  attempt!: number;

  @Text({ max: Limits.worker })
  worker!: string;

  @Count()
  nextAttempt!: number;

  @Text({ max: Limits.worker })
  nextWorker!: string;

  @Instant({ description: 'When the attempt was lost.' })
  lostAt!: string;

  @Instant({ description: 'When the next attempt began.' })
  begunAt!: string;

  @Instant({ description: 'When the late report came, or the next attempt had ended before that.' })
  endedAt!: string;
}

export class OverlapPage {
  @ApiProperty({ type: () => [Overlap] })
  items!: Overlap[];

  @Text({ max: Limits.cursor, nullable: true, description: 'null on the last page.' })
  nextCursor!: string | null;

  @Instant({})
  from!: string;

  @Instant({})
  to!: string;

  @Count({ description: 'How many overlaps the range has.' })
  overlaps!: number;

  @Count({
    description:
      'How many attempts began in the range: in the whole minutes that it touches, or in the whole hours if it begins more than a week ago.',
  })
  attempts!: number;

  @ApiProperty({ type: 'number', nullable: true, description: '`overlaps` of `attempts`; null without attempts.' })
  share!: number | null;
}
