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
import { momentOfCursor } from '../../projections/kernel/past-cursor.js';
import { InvalidInput } from '../input/invalid-input.js';
import { sinceOf } from '../input/since.js';
import { ApiError } from '../problems/api-error.js';
import { NotThereAsOf } from '../problems/not-there-as-of.js';
import type { Answer } from './answer.js';
import { asInvalidInput } from './pages.js';
import { Reads } from './reads.js';

interface Asked {
  /** Undefined: the head of the log. */
  readonly asOf: string | undefined;
  readonly minPosition: string | undefined;
  /** The refusal if what was asked for did not exist at the moment; left out of what always exists. */
  readonly absence?: Rejection;
  /** Of a list: a further page is of the moment that the first one was of. */
  readonly cursor?: string | null | undefined;
}

/** What a look at the past found, and which members are in no event. */
export interface Seen<T> {
  readonly view: T;
  readonly notRecorded?: readonly string[];
}

/** Answers queries as of a moment. */
@Injectable()
export class PastReads {
  constructor(
    private readonly past: Past,
    private readonly reads: Reads,
  ) {}

  async asOf<T extends object>(
    { asOf, minPosition, absence, cursor = null }: Asked,
    look: (moment: Moment) => Promise<Seen<T>>,
  ): Promise<Answer<T & { readonly asOf: object }>> {
    if (asOf !== undefined && minPosition !== undefined)
      throw invalid('minPosition', 'Expected no minPosition beside asOf, but got both');
    const moment = cursor === null ? await this.momentOf(asOf) : resumed(cursor);
    // The index says which tasks there are.
    await this.reads.reached('tasks', moment.position);
    const { view, notRecorded = [] } = await look(moment).catch((error: unknown) => {
      if (error instanceof TooMuchToFold) throw new ApiError('READ_TOO_LONG', error.message);
      if (absence && error instanceof NotThereThen) throw new NotThereAsOf(absence, moment, error.beginning);
      return asInvalidInput(error);
    });
    return { body: { ...view, asOf: shown(moment, notRecorded) }, asOf: moment.position };
  }

  private momentOf(asOf: string | undefined): Promise<Moment> {
    return asOf === undefined ? this.past.now() : this.past.momentOf(momentIn(asOf)).catch(asProblem);
  }
}

const momentIn = (text: string): AsOf => (/^[0-9]+$/.test(text) ? { position: BigInt(text) } : sinceOf(text));

function resumed(cursor: string): Moment {
  try {
    return momentOfCursor(cursor);
  } catch (error) {
    return asInvalidInput(error);
  }
}

function asProblem(error: unknown): never {
  if (error instanceof NoSuchMoment) throw invalid('asOf', error.message);
  if (!(error instanceof HistoryNotReady)) throw error;
  const [reached, head] = [String(error.reached), String(error.head)];
  throw new ApiError('HISTORY_NOT_READY', error.message, { 'retry-after': '1' }, { reached, head });
}

const invalid = (parameter: string, detail: string): InvalidInput =>
  new InvalidInput([{ pointer: `#/query/${parameter}`, detail }]);

const shown = ({ position, at, alternative, settled }: Moment, notRecorded: readonly string[]) => ({
  position: String(position),
  at,
  alternative: alternative === null ? null : String(alternative),
  settled,
  notRecorded,
});
