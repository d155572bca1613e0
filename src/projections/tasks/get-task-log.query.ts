import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import type { LogLine } from '../../domain/kernel/log-line.js';
import { decodeCursor, encodeCursor } from '../kernel/cursor.js';

/** A line of the log of a task. */
export interface TaskLogLine extends Omit<LogLine, 'fields'> {
  readonly attempt: number;
  readonly fields: NonNullable<LogLine['fields']>;
}

/** A part of what handlers said while they ran a task. */
export interface TaskLogPage {
  /** The oldest first. */
  readonly items: readonly TaskLogLine[];
  /** Continues after the last line, also after the last one that there is. */
  readonly nextCursor: string;
  /** Whether there are more lines already. */
  readonly more: boolean;
  /** Whether the task has ended, so that no line follows unless it runs again. */
  readonly ended: boolean;
}

/** The lines of a task after a cursor; null if no task has the id. Throws `InvalidCursor`. */
export class GetTaskLog extends Query<TaskLogPage | null> {
  constructor(
    readonly task: string,
    readonly cursor: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

/** One statement, so that no line comes between the lines and the end of the task. */
const LINES = `select t.finished_at is not null as ended, coalesce((
    select jsonb_agg(to_jsonb(l) order by l.attempt, l.number) from (
      select g.attempt, g.number, g.at, g.level, g.text, coalesce(g.fields, '{}') as fields from task_log g
      where g.task_id = $1 and (g.attempt, g.number) > ($2::int, $3::int) order by g.attempt, g.number limit $4) l), '[]') as lines
  from known_tasks t where t.task_id = $1`;

@QueryHandler(GetTaskLog)
export class GetTaskLogHandler implements IQueryHandler<GetTaskLog> {
  constructor(private readonly db: DataSource) {}

  async execute({ task, cursor, limit }: GetTaskLog): Promise<TaskLogPage | null> {
    const list = { logOf: task };
    const after = cursor === null ? START : decodeCursor(list, cursor, isPlace);
    const [found] = await this.db.query<{ ended: boolean; lines: TaskLogLine[] }[]>(LINES, [task, ...after, limit + 1]);
    if (!found) return null;
    const items = found.lines.slice(0, limit).map((line) => ({ ...line, at: new Date(line.at).toISOString() }));
    const last = items.at(-1);
    const end = last ? [String(last.attempt), String(last.number)] : after;
    return { items, nextCursor: encodeCursor(list, end), more: found.lines.length > limit, ended: found.ended };
  }
}

type Place = readonly [attempt: string, number: string];

const START: Place = ['0', '0'];

const isPlace = (end: readonly unknown[]): end is Place =>
  end.length === 2 && end.every((part) => typeof part === 'string' && /^\d{1,9}$/.test(part));
