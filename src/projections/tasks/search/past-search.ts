import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Search, Term } from '../../../domain/search/term.js';
import type { TaskStatus } from '../../../domain/task/task.events.js';
import { type Fragment, numbered, texts, uuids } from '../../kernel/fragment.js';
import { FailedThen } from '../../kernel/failed-then.port.js';
import type { Moment } from '../../kernel/past.port.js';
import { isStanding, StatesThen } from '../../kernel/states-then.port.js';
import { DecidedTasks } from '../decided-tasks.js';
import type { TaskEntity } from '../task.entity.js';
import type { TaskFilter } from '../task-filter.js';
import { matches } from './matches.js';
import { MOST_FOUND } from './search-plan.js';
import { assertSearched } from './searched-paths.js';
import { termsOf, valuesOf } from './terms-of.js';

/** How a list as of a moment is read. */
export interface PastSearchPlan {
  /** The only tasks that may match, ascending; null: any. */
  readonly among: readonly string[] | null;
  /** The queue of all of them, if they have the same. */
  readonly queue: string | undefined;
  /** Whether a row of now can be that of a task which matched. */
  readonly mayMatch: (row: TaskEntity) => boolean;
  /** Whether the task matched, by its row of then. */
  readonly matched: (row: TaskEntity) => boolean;
}

/** Reads what a filter asks for as of a moment. */
@Injectable()
export class PastSearch {
  constructor(
    private readonly db: DataSource,
    private readonly decided: DecidedTasks,
    private readonly states: StatesThen,
    private readonly failed: FailedThen,
  ) {}

  /** Throws `RefusedSearch`, `HistoryNotReady` and `TooMuchToFold`. */
  async planOf(filter: TaskFilter, moment: Moment): Promise<PastSearchPlan> {
    const terms = termsOf(filter).map((term) => withInstant(term, moment));
    await assertSearched(this.db, this.decided, terms);
    const sets = [
      await this.inStates(terms, moment),
      ...(await this.inGroups(terms, moment)),
      await this.decided.of({}, terms, moment.position),
      ...(await this.known(terms)),
    ].filter((ids) => ids !== null);
    const passes = (row: TaskEntity, all: Search): boolean => all.every((term) => matches(row, term));
    const fixed = terms.filter(({ field }) => FIXED.has(field));
    const isOf = (row: TaskEntity) => filter.overdue !== true || row.overdue;
    const isAsThen = (row: TaskEntity) => BigInt(row.position) <= moment.position;
    return {
      among: sets.length === 0 ? null : common(sets),
      queue: onlyQueue(terms),
      mayMatch: (row) => (isAsThen(row) ? isOf(row) && passes(row, terms) : passes(row, fixed)),
      matched: (row) => isOf(row) && passes(row, terms),
    };
  }

  private async inGroups(terms: Search, moment: Moment): Promise<readonly (readonly string[])[]> {
    const found: (readonly string[])[] = [];
    for (const term of terms)
      if (term.field === 'group') found.push(await this.failed.inGroups(valuesOf([term], 'group')!, moment));
    return found;
  }

  /** The tasks in the states; null if none are named, or one that tasks end in: most of a queue's tasks may be in it. */
  private async inStates(terms: Search, moment: Moment): Promise<readonly string[] | null> {
    const states = valuesOf(terms, 'state') as readonly TaskStatus[] | null;
    if (!states?.every(isStanding)) return null;
    const queue = onlyQueue(terms);
    const found: string[] = [];
    for (const state of new Set(states.filter(isStanding)))
      found.push(...(await this.states.idsIn({ ...(queue !== undefined && { queue }), state }, moment)));
    return found;
  }

  /** For each term by which an index knows the tasks in the lists and in the archive, a few of them. */
  private async known(terms: Search): Promise<readonly (readonly string[])[]> {
    const found: (readonly string[])[] = [];
    for (const condition of terms.flatMap((term) => knownBy(term, terms) ?? [])) {
      const [sql, values] = numbered(
        (bind) => `select task_id as id from known_tasks where ${condition(bind)} limit ${MOST_FOUND + 1}`,
      );
      const rows = await this.db.query<{ id: string }[]>(sql, [...values]);
      if (rows.length <= MOST_FOUND) found.push(rows.map(({ id }) => id));
    }
    return found;
  }
}

/** What the first event of a task says for ever. */
const FIXED: ReadonlySet<Term['field']> = new Set([
  'id',
  'queue',
  'kind',
  'key',
  'reference',
  'label',
  'batch',
  'enqueued',
]);

/** 'So long ago' is before the moment. */
function withInstant(term: Term, { at }: Moment): Term {
  if (!('than' in term) || 'at' in term.than) return term;
  return { ...term, than: { at: new Date(Date.parse(at) - term.than.ago) } };
}

function onlyQueue(terms: Search): string | undefined {
  const queues = valuesOf(terms, 'queue');
  return queues?.length === 1 ? queues[0] : undefined;
}

/** The archive has no index of keys, labels and payloads, nor of the ends of ids, and one of references for each queue. */
function knownBy(term: Term, all: Search): Fragment | null {
  if (term.field !== 'id' && term.field !== 'batch' && term.field !== 'reference') return null;
  const values = valuesOf([term], term.field);
  if (values === null || (term.field === 'id' && values.some((id) => id.length < 36))) return null;
  if (term.field === 'id') return (bind) => `task_id = any (${uuids(bind, values)})`;
  if (term.field === 'batch') return (bind) => `batch = any (${uuids(bind, values)})`;
  const queues = valuesOf(all, 'queue');
  return queues && ((bind) => `queue = any (${texts(bind, queues)}) and reference = any (${texts(bind, values)})`);
}

/** What all of them have, ascending. */
function common(sets: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = sets.map((ids) => new Set(ids)).sort((a, b) => a.size - b.size);
  return [...first].filter((id) => others.every((other) => other.has(id))).sort();
}
