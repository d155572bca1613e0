import { ApiProperty } from '@nestjs/swagger';
import type { Json } from '../../domain/kernel/json.js';
import { AnyObject, Closed, Flag, Integer } from '../input/fields.js';
import { TaskLogLine } from './claim.dto.js';
import { Limits } from './limits.js';
import { PageCursor, PageLimit } from './page.fields.js';

@Closed()
export class TaskLogQuery {
  @PageCursor()
  cursor?: string;

  @PageLimit()
  limit?: number;

  @Integer({
    min: 0,
    max: Limits.waitMs,
    optional: true,
    description: 'How long to wait for lines if there are none, in milliseconds; 0 if absent.',
  })
  waitMs?: number;
}

/** A line of the log of a task. */
export class KeptLogLine extends TaskLogLine {
  @Integer({ min: 1, max: Limits.lineNumber })
  attempt!: number;

  @AnyObject({ description: 'What belongs to the line.' })
  declare fields: Record<string, Json>;
}

export class TaskLogPage {
  @ApiProperty({ type: () => [KeptLogLine], description: 'The oldest first.' })
  items!: KeptLogLine[];

  @ApiProperty({ type: 'string', description: 'Continues after the last line, also after the last one that there is.' })
  nextCursor!: string;

  @Flag({ description: 'Whether there are more lines already.' })
  more!: boolean;

  @Flag({ description: 'Whether the task has ended, so that no line follows unless it runs again.' })
  ended!: boolean;
}
