import { Injectable } from '@nestjs/common';
import type { Rejection } from '../../application/kernel/application-error.js';
import {
  type AsOf,
  HistoryNotReady,
  type Moment,
  NoSuchMoment,
  NotThereThen,
  Past,
  TooMuchToFold,
} from '../../projections/kernel/past.port.js';
import { momentAt, type TwoMoments } from '../../projections/kernel/moments.js';
import { momentOfCursor } from '../../projections/kernel/past-cursor.js';
import { WholeTransactions } from '../../projections/kernel/whole-transactions.port.js';
import { RefusedSearch } from '../../projections/tasks/tasks.queries.js';
import type { Since } from '../../domain/kernel/since.js';
import { InvalidInput } from '../input/invalid-input.js';
import { sinceOf } from '../input/since.js';
import { ApiError } from '../problems/api-error.js';
import { NotThereAsOf } from '../problems/not-there-as-of.js';
import type { Answer } from './answer.js';
import { asInvalidInput } from './pages.js';
import { behind, PATIENCE_MS, Reads } from './reads.js';

interface AsOfRequest {
  /** Undefined: the head of the log. */
  readonly asOf: string | undefined;
  readonly minPosition: string | undefined;
  /** The refusal if what was asked for did not exist at the moment; left out of what always exists. */
  readonly absence?: Rejection;
  /** Of a list: a further page is of the moment that the first one was of. */
  readonly cursor?: string | null | undefined;
}

interface Range extends Pick<AsOfRequest, 'absence'> {
  /** As `sinceOf` takes them. */
  readonly from: string;
  readonly to: string;
}

/** As `momentIn` takes them. */
interface Moments {
  readonly since: string;
  /** Undefined: the head of the log. */
  readonly until: string | undefined;
}

/** What a look at the past found, and which members are in no event. */
export interface PastAnswer<T> {
  readonly view: T;
  readonly notRecorded?: readonly string[];
}

/** Answers queries as of a moment. */
@Injectable()
export class PastReads {
  constructor(
    private readonly past: Past,
    private readonly reads: Reads,
    private readonly transactions: WholeTransactions,
  ) {}

  async asOf<T extends object>(
    { asOf, minPosition, absence, cursor = null }: AsOfRequest,
    look: (moment: Moment) => Promise<PastAnswer<T>>,
  ): Promise<Answer<T & { readonly asOf: object }>> {
    if (asOf !== undefined && minPosition !== undefined)
      throw invalid('minPosition', 'Expected no minPosition beside asOf, but got both');
    if (minPosition !== undefined) await this.reads.reached('tasks', BigInt(minPosition));
    const moment = cursor === null ? await this.momentOf(asOf) : resumed(cursor);
    // Anybody may have written a cursor.
    if (cursor !== null) await this.reads.reached('tasks', moment.position);
    return this.seen(moment, absence, look);
  }

  /** From a time up to a moment: what was there at the end of it. */
  async during<T extends object>(
    { from, to, absence }: Range,
    look: (moments: TwoMoments) => Promise<PastAnswer<T>>,
  ): Promise<Answer<T & { readonly asOf: object }>> {
    const now = await this.past.now();
    const until = to === 'now' ? now : await this.past.momentOf(sinceOf(to)).catch(asProblemOf('to'));
    const begin = timeOf(sinceOf(from), now);
    if (begin >= new Date(until.at)) throw invalid('from', "Expected 'from' to be earlier than 'to', but it is not");
    const since = await momentAt(this.past, begin).catch(asProblemOf('from'));
    return this.seen(until, absence, () => look({ since, until }));
  }

  /** Between two moments. `known`: those of the first page, if this is another one. */
  async between<T extends object>(
    asked: Moments,
    known: TwoMoments | null,
    look: (moments: TwoMoments) => Promise<T>,
  ): Promise<Answer<T & { readonly [M in keyof TwoMoments]: ReturnType<typeof shown> }>> {
    const moments = known ?? (await this.twoMoments(asked));
    const { since, until } = moments;
    await this.reads.reached('tasks', until.position);
    const view = await look(moments).catch(asLookProblem);
    return { body: { ...view, since: shown(since, []), until: shown(until, []) }, asOf: until.position };
  }

  /**
   * The position after which the events of a moment come: of a time, before those that were recorded at it; of `beginning`, before the
   * first. `pointer`: the place of the text in the request, for a problem with it.
   */
  async placeBefore(text: string, pointer: string): Promise<bigint> {
    const refused = (detail: string): InvalidInput => new InvalidInput([{ pointer, detail }]);
    if (text === 'beginning') return 0n;
    const [now, asked] = [await this.past.now(), momentIn(text)];
    if ('position' in asked) {
      if (asked.position <= now.position && (await this.past.canBeginAt(asked.position))) return asked.position;
      throw refused(`Expected the position of an event, but there is none at ${text}`);
    }
    const time = timeOf(asked, now);
    if (time > new Date(now.at)) throw refused('Expected a time that is over, but it is in the future');
    const before = new Date(time.getTime() - 1);
    return (await momentAt(this.past, before).catch(asLookProblem)).position;
  }

  /** The last position of a range that ends at a place. Undefined: the head of the log. */
  async endOf(text: string | undefined, pointer: string): Promise<bigint> {
    const { position: head } = await this.past.now();
    if (text === undefined) return head;
    if (!/^[0-9]+$/.test(text)) return this.placeBefore(text, pointer);
    if (BigInt(text) <= head) return BigInt(text);
    const detail = `Expected a position that the log has reached, but it ends at ${head}`;
    throw new InvalidInput([{ pointer, detail }]);
  }

  private async twoMoments({ since: from, until: to }: Moments): Promise<TwoMoments> {
    const until =
      to === undefined ? await this.past.now() : await this.past.momentOf(momentIn(to)).catch(asProblemOf('until'));
    const asked = momentIn(from);
    const since = await (
      'position' in asked ? this.past.momentOf(asked) : momentAt(this.past, timeOf(asked, await this.past.now()))
    ).catch(asProblemOf('since'));
    if (since.position > until.position)
      throw invalid(
        'since',
        `Expected 'since' to be at or before 'until', but position ${since.position} comes after ${until.position}`,
      );
    if (!(await this.past.canBeginAt(since.position)))
      throw invalid('since', `Expected the position of an event, but there is none at ${since.position}`);
    return { since, until };
  }

  private async seen<T extends object>(
    moment: Moment,
    absence: Rejection | undefined,
    look: (moment: Moment) => Promise<PastAnswer<T>>,
  ): Promise<Answer<T & { readonly asOf: object }>> {
    // The index says which tasks there are.
    await this.reads.has('tasks', moment.position);
    if (!(await this.transactions.applied(moment.position, PATIENCE_MS))) throw behind('tasks', moment.position);
    const { view, notRecorded = [] } = await look(moment).catch((error: unknown) => {
      if (absence && error instanceof NotThereThen) throw new NotThereAsOf(absence, moment, error.beginning);
      return asLookProblem(error);
    });
    return { body: { ...view, asOf: shown(moment, notRecorded) }, asOf: moment.position };
  }

  private momentOf(asOf: string | undefined): Promise<Moment> {
    return asOf === undefined ? this.past.now() : this.past.momentOf(momentIn(asOf)).catch(asProblemOf('asOf'));
  }
}

const timeOf = (asked: Since, now: Moment): Date =>
  'at' in asked ? asked.at : new Date(Date.parse(now.at) - asked.ago);

const momentIn = (text: string): AsOf => (/^[0-9]+$/.test(text) ? { position: BigInt(text) } : sinceOf(text));

function resumed(cursor: string): Moment {
  try {
    return momentOfCursor(cursor);
  } catch (error) {
    return asInvalidInput(error);
  }
}

const asProblemOf =
  (parameter: string) =>
  (error: unknown): never => {
    if (error instanceof NoSuchMoment) throw invalid(parameter, error.message);
    if (error instanceof HistoryNotReady) throw notReady(error);
    throw error;
  };

function asLookProblem(error: unknown): never {
  if (error instanceof TooMuchToFold) throw new ApiError('READ_TOO_LONG', error.message);
  if (error instanceof HistoryNotReady) throw notReady(error);
  return asInvalidInput(error);
}

/** For reads of the present that look into the log. `searched`: where the request has its search. */
export const asReadProblem =
  (searched: string) =>
  (error: unknown): never => {
    if (error instanceof RefusedSearch) throw new InvalidInput([{ pointer: searched, detail: error.message }]);
    if (error instanceof TooMuchToFold) throw new ApiError('READ_TOO_LONG', error.message);
    if (error instanceof NoSuchMoment || error instanceof HistoryNotReady) return asProblemOf('decidedUntil')(error);
    return asInvalidInput(error);
  };

const notReady = ({ message, reached, head }: HistoryNotReady): ApiError =>
  new ApiError('HISTORY_NOT_READY', message, { 'retry-after': '1' }, { reached: String(reached), head: String(head) });

const invalid = (parameter: string, detail: string): InvalidInput =>
  new InvalidInput([{ pointer: `#/query/${parameter}`, detail }]);

const shown = ({ position, at, alternative, settled }: Moment, notRecorded: readonly string[]) => ({
  position: String(position),
  at,
  alternative: alternative === null ? null : String(alternative),
  settled,
  notRecorded,
});
