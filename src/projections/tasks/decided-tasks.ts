import { Injectable } from '@nestjs/common';
import { type AsOf, NoSuchMoment, Past, TooMuchToFold } from '../kernel/past.port.js';

/** Events of one answer, and how long it looks for them. */
const MOST_EVENTS = 50_000;
const WITHIN_MS = 10_000;

/** What a version of a queue's policy decided, from one time up to, but without, another. */
export interface Decided {
  readonly queue?: string;
  readonly policyVersion?: number;
  readonly decidedSince?: AsOf;
  readonly decidedUntil?: AsOf;
}

/** Finds tasks by the version of the policy that decided one of their events. Tasks do not keep it, because each step has its own. */
@Injectable()
export class DecidedTasks {
  constructor(private readonly past: Past) {}

  /** Their ids; null if the filter names no version. Throws `TooMuchToFold`, `NoSuchMoment` and `HistoryNotReady`. */
  async of({ queue, policyVersion, decidedSince, decidedUntil }: Decided): Promise<readonly string[] | null> {
    if (policyVersion === undefined) return null;
    const after = decidedSince === undefined ? 0n : await this.positionBefore(decidedSince);
    const upTo =
      decidedUntil === undefined ? (await this.past.now()).position : await this.positionBefore(decidedUntil);
    const asked = { queue, policyVersion, after, upTo, most: MOST_EVENTS, withinMs: WITHIN_MS };
    const { events, isWhole } = await this.past.eventsOf(asked);
    if (!isWhole) throw tooMany();
    const ids = events.flatMap(({ stream }) => (stream.startsWith('task-') ? stream.slice('task-'.length) : []));
    return [...new Set(ids)];
  }

  /** Before the events that were recorded at the time. */
  private async positionBefore(moment: AsOf): Promise<bigint> {
    if ('position' in moment) return moment.position;
    const before = 'at' in moment ? { at: new Date(moment.at.getTime() - 1) } : { ago: moment.ago + 1 };
    try {
      return (await this.past.momentOf(before)).position;
    } catch (error) {
      const isFuture = 'at' in moment && moment.at.getTime() > Date.parse((await this.past.now()).at);
      if (error instanceof NoSuchMoment && !isFuture) return 0n;
      throw error;
    }
  }
}

const tooMany = (): TooMuchToFold =>
  new TooMuchToFold(MOST_EVENTS, 'events', {
    that: `that the version decided, within ${WITHIN_MS / 1_000} seconds`,
    instead: 'ask for a shorter range, with decidedSince and decidedUntil',
  });
