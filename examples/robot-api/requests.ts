import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Length, Matches, Max, Min, ValidateIf } from 'class-validator';

/** The statuses of an item, as robots' systems name them. */
export const STATUSES = ['NEW', 'IN_PROGRESS', 'DONE', 'FAILED', 'DELETED'] as const;
export type Status = (typeof STATUSES)[number];

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export class NewQueue {
  @Matches(NAME, {
    message: "Expected name to be of up to 100 letters, digits, '.', '-' and '_' that begins with a letter or a digit",
  })
  name!: string;

  @IsOptional()
  @IsString()
  description?: string;

  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(1_000)
  max_retries?: number;

  @IsOptional()
  @IsBoolean()
  enforce_unique_reference?: boolean;
}

export class QueueChange {
  @IsBoolean()
  is_active!: boolean;
}

class ItemContent {
  @IsOptional()
  @Length(1, 512)
  reference?: string;

  @IsOptional()
  @IsInt()
  priority?: number;

  /** While an item with this key is NEW, another one is that item. */
  @IsOptional()
  @Length(1, 512)
  key?: string;

  @IsOptional()
  payload?: unknown;
}

export class NewItem extends ItemContent {
  @IsString()
  queue_id!: string;
}

export class NewItemByName extends ItemContent {
  @IsString()
  queue_name!: string;
}

/** One queue, by its name or by its id. */
class OfQueue {
  @IsOptional()
  @IsString()
  queue_name?: string;

  @IsOptional()
  @IsString()
  queue_id?: string;
}

export class NextItem extends OfQueue {
  @IsOptional()
  @Length(1, 200)
  robot_id?: string;
}

/** Which items to list: those of one queue. */
export class ItemFilter extends OfQueue {
  @IsOptional()
  @IsIn(STATUSES)
  status?: Status;

  @IsOptional()
  @Length(1, 512)
  reference?: string;

  /** The `next_cursor` of the page before. */
  @IsOptional()
  @IsString()
  cursor?: string;

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(500)
  limit?: number;
}

export class ItemChange {
  /** Absent: the item keeps its status. */
  @IsOptional()
  @IsIn(STATUSES)
  status?: Status;

  @IsOptional()
  result?: unknown;

  @IsOptional()
  @IsString()
  error_message?: string;

  /** A status of the robots' own, beside the one that counts. Null removes it. */
  @IsOptional()
  @Length(1, 200)
  sub_status?: string | null;
}

/** A robot proves by the token of `next` that it has the item. */
export class RobotReport extends ItemChange {
  @IsString()
  token!: string;
}

/** The fields of both types. */
class TriggerFields {
  @IsOptional()
  @IsString()
  time_zone?: string | undefined;

  /** The most items of one job. */
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(100)
  batch_size?: number | undefined;

  /** Seconds between two looks into the queue. */
  @IsOptional()
  @IsInt()
  @Min(1)
  polling_interval?: number | undefined;

  /** What each job gets. */
  @IsOptional()
  payload?: unknown;

  @IsOptional()
  @IsBoolean()
  enabled?: boolean;
}

export class NewTrigger extends TriggerFields {
  @Matches(NAME, {
    message: "Expected name to be of up to 100 letters, digits, '.', '-' and '_' that begins with a letter or a digit",
  })
  name!: string;

  @IsIn(['TIME', 'QUEUE'])
  type!: 'TIME' | 'QUEUE';

  /** What the robot of a job runs. */
  @Length(1, 100)
  process!: string;

  @ValidateIf(({ type }: NewTrigger) => type === 'QUEUE')
  @IsString({ message: 'Expected queue_id, because the trigger has the type QUEUE' })
  queue_id?: string | undefined;

  @ValidateIf(({ type }: NewTrigger) => type === 'TIME')
  @IsString({ message: 'Expected cron, because the trigger has the type TIME' })
  cron?: string | undefined;
}

export class TriggerChange extends TriggerFields {
  @IsOptional()
  @Length(1, 100)
  process?: string;

  @IsOptional()
  @IsString()
  queue_id?: string;

  @IsOptional()
  @IsString()
  cron?: string;
}
