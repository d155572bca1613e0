import { Injectable } from '@nestjs/common';
import type { QueueEvent } from '../../domain/queue/queue.events.js';
import { wholePolicy } from '../../domain/queue/queue.policy.js';
import { queueStream } from '../../domain/queue/queue.stream.js';
import type { Since } from '../../domain/kernel/since.js';
import type { Search, Term } from '../../domain/search/term.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { type AsOf, type EventsAsked, NoSuchMoment, Past, TooMuchToFold } from '../kernel/past.port.js';
import { valuesOf } from './search/terms-of.js';
import type { Decided } from './task-filter.js';

/** Events of one answer, and how long it looks for them. */
const DECIDED: Bound = { most: 50_000, withinMs: 10_000 };

/** The same for the events of a term of a search: enough for a first page in time, and longer if the search says since when. */
const OF_TERM: Bound = { most: 10_000, withinMs: 150 };
const OF_TERM_SINCE: Bound = { most: 10_000, withinMs: 10_000 };

interface Bound {
  readonly most: number;
  readonly withinMs: number;
}

/** The events with which tasks begin, so many of them, and how long it looks for them: enough for the first page of a search in time. */
const CREATIONS = ['TaskEnqueued', 'TaskPrepared', 'TaskEnqueueRejected'];
const MOST_CREATED = 10_000;
const CREATED_WITHIN_MS = 150;
/** The same where the list can be walked instead. */
const CREATED_BESIDE_A_LIST_MS = 100;

interface Range {
  readonly after: bigint;
  readonly upTo: bigint;
}

/** Finds tasks by what the log alone knows of them: who caused an event, which build claimed them, which version of the policy decided. */
@Injectable()
export class DecidedTasks {
  constructor(private readonly past: Past) {}

  /**
   * Their ids; null if nothing is asked that the log knows. `upTo`: the last event that counts for a term. Throws `TooMuchToFold`, `NoSuchMoment`
   * and `HistoryNotReady`.
   */
  async of(filter: Decided, terms: Search = [], upTo?: bigint): Promise<readonly string[] | null> {
    const found = [await this.byVersion(filter)];
    for (const term of terms) found.push(await this.byTerm(term, terms, upTo));
    const sets = found.filter((ids) => ids !== null);
    return sets.length === 0 ? null : sets.reduce((some, others) => some.filter((id) => new Set(others).has(id)));
  }

  /** The tasks that were enqueued within the bounds; null if there are none, or too many to list. `isWalked`: whether the list can be walked instead. */
  async enqueued(terms: Search, queue: string | undefined, isWalked: boolean): Promise<readonly string[] | null> {
    if (!terms.some(isSince)) return null;
    const withinMs = isWalked ? CREATED_BESIDE_A_LIST_MS : CREATED_WITHIN_MS;
    const limits = { types: CREATIONS, most: MOST_CREATED, withinMs };
    const { events, isWhole } = await this.past.eventsOf({ queue, ...limits, ...(await this.lifeWithin(terms)) });
    return isWhole ? tasksOf(events) : null;
  }

  /** From when on the policies of the queue have named the path for its searches; null if all have. */
  async searchedSince(queue: string, path: string): Promise<Date | null> {
    const { position } = await this.past.now();
    const [history] = await this.past.historiesAt([queueStream(queue)], position);
    let since: Date | null = null;
    let isSearched = true;
    for (const { event, recordedAt } of history as readonly Recorded<QueueEvent>[]) {
      if (event.type === 'QueueDeleted') [since, isSearched] = [null, true];
      if (!('policy' in event.data)) continue;
      const isNamed = wholePolicy(event.data.policy).search.includes(path);
      if (isNamed && !isSearched) since = new Date(recordedAt);
      isSearched = isNamed;
    }
    return since;
  }

  private async byVersion({ queue, policyVersion, decidedSince, decidedUntil }: Decided) {
    if (policyVersion === undefined) return null;
    const after = decidedSince === undefined ? 0n : await this.positionBefore(decidedSince);
    const upTo =
      decidedUntil === undefined ? (await this.past.now()).position : await this.positionBefore(decidedUntil);
    return this.foundIn({ queue, policyVersion, after, upTo }, DECIDED, tooManyDecided);
  }

  private async byTerm(term: Term, terms: Search, upTo?: bigint): Promise<readonly string[] | null> {
    if (term.field !== 'actor' && term.field !== 'build') return null;
    const [queue, another] = valuesOf(terms, 'queue') ?? [];
    const { after } = await this.lifeWithin(terms);
    const whole = { after, upTo: upTo ?? (await this.past.now()).position };
    const range = queue === undefined || another !== undefined ? whole : { ...whole, queue };
    const bound = terms.some(isSince) ? OF_TERM_SINCE : OF_TERM;
    const found: string[] = [];
    for (const name of valuesOf([term], term.field)!) {
      const asked = term.field === 'actor' ? { actor: name } : { build: name, types: ['TaskClaimed'] };
      found.push(...(await this.foundIn({ ...range, ...asked }, bound, tooManyOfTerm)));
    }
    return found;
  }

  private async foundIn(
    asked: Omit<EventsAsked, 'most'>,
    bound: Bound,
    tooMany: (bound: Bound) => TooMany,
  ): Promise<readonly string[]> {
    if (asked.after >= asked.upTo) return [];
    const { events, isWhole } = await this.past.eventsOf({ ...asked, ...bound });
    if (!isWhole) throw new TooMuchToFold(bound.most, 'events', tooMany(bound));
    return tasksOf(events);
  }

  /** The part of the log in which tasks begin that were enqueued within the bounds. */
  private async lifeWithin(terms: Search): Promise<Range> {
    let [after, upTo] = [0n, (await this.past.now()).position];
    for (const term of terms) {
      if (term.field !== 'enqueued') continue;
      const { position, last } = await this.before(term.than, { position: upTo, last: upTo });
      if (term.bound === '>') after = position > after ? position : after;
      else upTo = last < upTo ? last : upTo;
    }
    return { after, upTo };
  }

  private async positionBefore(moment: AsOf): Promise<bigint> {
    return 'position' in moment ? moment.position : (await this.before(moment)).position;
  }

  /** Where the events begin that were recorded at the time or later. `future`: the answer for a time that is not over; if absent, it is refused. */
  private async before(moment: Since, future?: Beginning): Promise<Beginning> {
    const before = 'at' in moment ? { at: new Date(moment.at.getTime() - 1) } : { ago: moment.ago + 1 };
    try {
      const { position, alternative } = await this.past.momentOf(before);
      return { position, last: alternative ?? position };
    } catch (error) {
      if (!(error instanceof NoSuchMoment)) throw error;
      const isFuture = 'at' in moment && moment.at.getTime() > Date.parse((await this.past.now()).at);
      if (!isFuture) return { position: 0n, last: 0n };
      if (future === undefined) throw error;
      return future;
    }
  }
}

/** All events after `last` were recorded at the time or later, none up to `position`. They differ if the clock was set back. */
interface Beginning {
  readonly position: bigint;
  readonly last: bigint;
}

function tasksOf(events: readonly Recorded[]): readonly string[] {
  const ids = events.flatMap(({ stream }) => (stream.startsWith('task-') ? stream.slice('task-'.length) : []));
  return [...new Set(ids)];
}

const isSince = (term: Term): boolean => term.field === 'enqueued' && term.bound === '>';

interface TooMany {
  readonly that: string;
  readonly instead: string;
}

const tooManyDecided = ({ withinMs }: Bound): TooMany => ({
  that: `that the version decided, within ${withinMs / 1_000} seconds`,
  instead: 'ask for a shorter range, with decidedSince and decidedUntil',
});

const tooManyOfTerm = ({ withinMs }: Bound): TooMany => ({
  that: `of the actor or the build, within ${withinMs / 1_000} seconds`,
  instead: 'ask for a shorter range, with since:, or for one queue',
});
