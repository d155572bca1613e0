import { Injectable } from '@nestjs/common';
import type { Category } from '../../domain/aggregates.js';
import type { EventType } from '../../domain/events.js';
import { type EventFilter, EventReads, type LogRange, type ShownEvent } from '../kernel/event-store.port.js';
import { type Activity, activityOf, COMMAND_EVENTS, grouped, ORDER_QUEUES } from './activity.js';
import { HistoryReader, type Start } from './history-reader.js';
import { ReadThrottle } from './read-throttle.js';

export interface ActivityFilter {
  readonly actor?: string;
  readonly category?: Category;
  readonly type?: EventType;
  readonly queue?: string;
  readonly policyVersion?: number;
}

/** Where a page begins: an event that was looked at already, or the end of a part of the log. */
export interface ActivityPlace {
  readonly position: bigint;
  /** Whether the event at the position belongs to the next page. */
  readonly isNext: boolean;
}

export interface ActivityRequest {
  readonly filter: ActivityFilter;
  readonly since: Start | null;
  readonly until: Start | null;
  readonly order: 'newest' | 'oldest';
  /** Where the page before this one ended. */
  readonly from: ActivityPlace | null;
  readonly limit: number;
}

export interface ActivityPage {
  readonly items: readonly Activity[];
  /** Null if nothing follows. A page may be empty, and then only tells how far the log was looked through. */
  readonly next: ActivityPlace | null;
}

/** How many events a page looks through at most, a window at a time. Those of one window are in memory together. */
const MOST_WINDOWS = 20;
const WINDOW = 5_000;

/** Reads from the log what people did, in either direction. */
@Injectable()
export class ActivityReader {
  private readonly throttle = new ReadThrottle();

  constructor(
    private readonly store: EventReads,
    private readonly history: HistoryReader,
  ) {}

  async page(request: ActivityRequest): Promise<ActivityPage> {
    const range = await this.rangeOf(request);
    return request.order === 'newest' ? this.newest(request, range) : this.oldest(request, range);
  }

  private async rangeOf({ since, until }: ActivityRequest): Promise<LogRange> {
    const [after, upTo] = await Promise.all([
      since === null ? 0n : this.history.positionOf(since),
      until === null ? this.store.head() : this.history.positionOf(until),
    ]);
    return { after, upTo };
  }

  private async newest({ filter, from, limit }: ActivityRequest, range: LogRange): Promise<ActivityPage> {
    let place = from ?? { position: range.upTo, isNext: true };
    const found: Activity[] = [];
    for (let windows = 0; windows < MOST_WINDOWS && place.position > range.after; windows++) {
      const after = max(range.after, await this.store.placeBefore(place.position, WINDOW));
      const window = (await this.within({ after, upTo: place.position }, filter)).reverse();
      found.push(...window.filter(({ position }) => place.isNext || position < place.position));
      place = { position: after, isNext: true };
      if (found.length >= limit) break;
    }
    return pageOf(found, limit, place.position > range.after ? place : null);
  }

  private async oldest({ filter, from, limit }: ActivityRequest, range: LogRange): Promise<ActivityPage> {
    let reached = from?.position ?? range.after;
    const found: Activity[] = [];
    for (let windows = 0; windows < MOST_WINDOWS && reached < range.upTo && found.length < limit; windows++) {
      const slice = await this.next({ after: reached, upTo: range.upTo }, filter);
      found.push(...slice.items);
      reached = slice.reached;
    }
    return pageOf(found, limit, reached < range.upTo ? { position: reached, isNext: false } : null);
  }

  /** All of a window, the oldest first. */
  private async within(range: LogRange, filter: ActivityFilter): Promise<Activity[]> {
    const found: Activity[] = [];
    for (let { after } = range; after < range.upTo;) {
      const { items, reached } = await this.next({ after, upTo: range.upTo }, filter);
      found.push(...items);
      after = reached;
    }
    return found;
  }

  /** The log's next part, looked through for commands for one thing and for orders of operations. */
  private async next(range: LogRange, filter: ActivityFilter) {
    const [first, ...others] = filtersOf(filter);
    if (first === undefined) return { items: [], reached: range.upTo };
    const slice = await this.throttle.pass(() => this.store.scan(range, WINDOW, first));
    const events: ShownEvent[] = [...slice.events];
    for (const other of others) events.push(...(await this.all({ ...range, upTo: slice.reached }, other)));
    const items = events.flatMap((event) => (event.unreadable === undefined ? (activityOf(event) ?? []) : []));
    return { items: items.filter((one) => passes(one, filter)).sort(byPosition), reached: slice.reached };
  }

  private async all(range: LogRange, filter: EventFilter): Promise<readonly ShownEvent[]> {
    const events: ShownEvent[] = [];
    for (let { after } = range; after < range.upTo;) {
      const from = { after, upTo: range.upTo };
      const slice = await this.throttle.pass(() => this.store.scan(from, WINDOW, filter));
      events.push(...slice.events);
      after = slice.reached;
    }
    return events;
  }
}

function filtersOf({ actor, category, type, queue }: ActivityFilter): readonly EventFilter[] {
  const common = { ...(actor !== undefined && { actor }), ...(category !== undefined && { categories: [category] }) };
  const types = COMMAND_EVENTS.filter((one) => type === undefined || one === type);
  const commands = types.length > 0 ? [{ ...common, types, ...(queue !== undefined && { queue }) }] : [];
  const isOrder = (type === undefined || type === 'TaskEnqueued') && (category === undefined || category === 'task');
  const orders = isOrder ? ORDER_QUEUES.filter((one) => queue === undefined || one === queue) : [];
  return [...commands, ...orders.map((one) => ({ ...common, types: ['TaskEnqueued'], queue: one }))];
}

const passes = (one: Activity, { policyVersion }: ActivityFilter): boolean =>
  policyVersion === undefined || one.policyVersion === policyVersion;

/** `rest`: where to go on after all that was found. */
function pageOf(found: readonly Activity[], limit: number, rest: ActivityPlace | null): ActivityPage {
  const groups = grouped(found);
  if (groups.length <= limit) return { items: groups, next: rest };
  const items = groups.slice(0, limit);
  const shown = items.reduce((sum, { count }) => sum + count, 0);
  return { items, next: { position: found[shown - 1]!.position, isNext: false } };
}

const byPosition = (one: Activity, other: Activity): number => (one.position < other.position ? -1 : 1);
const max = (one: bigint, other: bigint): bigint => (one > other ? one : other);
