import type { SuggestionList, TaskPage, TaskStatus, TaskSummary } from '@waybill/contracts';
import { assertOptions } from './call-options.js';
import type { Caller, ReadOptions } from './caller.js';
import { readQuery } from './read-query.js';
import type { QueryValue } from './transport.js';

/** Whether a list has the service's own queues. Nobody else adds tasks to them. */
export interface OfService {
  /** True: only those of the service itself (`waybill.*`). False: without them. */
  readonly internal?: boolean;
}

export interface TaskFilter extends OfService {
  /** A search, such as `state:failed error:"timed out" since:2h`: what must match besides the other fields. */
  readonly q?: string;
  readonly queue?: string;
  readonly state?: TaskStatus;
  readonly key?: string;
  readonly reference?: string;
  readonly kind?: string;
  readonly label?: { readonly name: string; readonly value: string };
  readonly worker?: string;
  /** The step that the task is in. */
  readonly step?: string;
  /** The id of a batch. */
  readonly batch?: string;
  /** The id of the group of failures in which the task failed last. */
  readonly group?: string;
  /** True: only open tasks whose deadline has passed. */
  readonly overdue?: boolean;
  /** Only tasks of which an event was decided by this version of the policy of `queue`. */
  readonly policyVersion?: number;
  /** With `policyVersion`: by events from this time on. Operations take no time such as `10m`. */
  readonly decidedSince?: Date | string;
  /** With `policyVersion`: by events before this time. */
  readonly decidedUntil?: Date | string;
  /** `deadline`: only tasks that have a deadline, the earliest first. `newest`: by id, the greatest first. Not as of a moment. */
  readonly sort?: 'deadline' | 'newest';
}

export interface PageOptions extends ReadOptions {
  readonly cursor?: string;
  /** From 1 to 500. */
  readonly limit?: number;
}

/** Lists of tasks, as pages or as one sequence. */
export class TaskList {
  constructor(private readonly caller: Caller) {}

  /**
   * Every matching task. Fetches page by page as you iterate: `for await (const task of waybill.tasks.list({ queue:
   * 'mail' }))`.
   */
  list(filter: TaskFilter = {}, options: PageOptions = {}): AsyncGenerator<TaskSummary> {
    return everyItem((cursor) => this.pageAt(cursor, filter, options), options.cursor);
  }

  /** One page. Pass its `nextCursor` back to get the next one. */
  page(filter: TaskFilter = {}, options: PageOptions = {}): Promise<TaskPage> {
    return this.pageAt(options.cursor, filter, options);
  }

  /** How a search goes on that is written so far as `q`: each suggestion stands in the place of what follows its `at`. */
  suggestions(q: string, options: ReadOptions = {}): Promise<SuggestionList> {
    return this.caller.call('suggestTerms', { query: { q, ...readQuery(options) } }, options);
  }

  private pageAt(cursor: string | undefined, filter: TaskFilter, options: PageOptions): Promise<TaskPage> {
    const query = { ...filterQuery(filter), ...pageQuery({ ...options, cursor }) };
    return this.caller.call('listTasks', { query }, options);
  }
}

/** A part of a list, with the cursor of the next part. */
interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** The items of all pages. Fetches page by page as you iterate. */
export async function* everyItem<T>(
  page: (cursor: string | undefined) => Promise<Page<T>>,
  from?: string,
): AsyncGenerator<T> {
  let cursor = from;
  do {
    const { items, nextCursor } = await page(cursor);
    yield* items;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

export const pageQuery = (options: PageOptions): Record<string, QueryValue> => ({
  ...readQuery(options),
  cursor: options.cursor,
  limit: options.limit,
});

/** The filter as query parameters. */
export const filterQuery = ({
  label,
  decidedSince,
  decidedUntil,
  ...filter
}: TaskFilter): Record<string, QueryValue> => ({
  ...filter,
  decidedSince: timeText(decidedSince),
  decidedUntil: timeText(decidedUntil),
  label: label && labelText(label),
});

const timeText = (time: Date | string | undefined): string | undefined =>
  time instanceof Date ? time.toISOString() : time;

/** A label as filters have it. */
export function labelText(label: NonNullable<TaskFilter['label']>): string {
  assertOptions('a label', label);
  return `${label.name}:${label.value}`;
}
