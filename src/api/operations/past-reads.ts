import { Injectable } from '@nestjs/common';
import type { Rejection } from '../../application/kernel/application-error.js';
import {
  type AsOf,
  HistoryNotReady,
  type Moment,
  NoSuchMoment,
  NotThereThen,
  Past,
} from '../../projections/kernel/past.port.js';
import { InvalidInput } from '../input/invalid-input.js';
import { sinceOf } from '../input/since.js';
import { ApiError } from '../problems/api-error.js';
import { NotThereAsOf } from '../problems/not-there-as-of.js';
import type { Answer } from './answer.js';

interface Asked {
  readonly asOf: string;
  readonly minPosition: string | undefined;
}

/** What a look at the past found, and which members are in no event. */
export interface Seen<T> {
  readonly view: T;
  readonly notRecorded?: readonly string[];
}

/** Answers queries as of a moment. */
@Injectable()
export class PastReads {
  constructor(private readonly past: Past) {}

  /** `absence`: the refusal if what was asked for did not exist at the moment. */
  async asOf<T extends object>(
    { asOf, minPosition }: Asked,
    absence: Rejection,
    look: (moment: Moment) => Promise<Seen<T>>,
  ): Promise<Answer<T & { readonly asOf: object }>> {
    if (minPosition !== undefined) throw invalid('minPosition', 'Expected no minPosition beside asOf, but got both');
    const moment = await this.past.momentOf(momentIn(asOf)).catch(asProblem);
    const { view, notRecorded = [] } = await look(moment).catch((error: unknown) => {
      throw error instanceof NotThereThen ? new NotThereAsOf(absence, moment, error.beginning) : error;
    });
    return { body: { ...view, asOf: shown(moment, notRecorded) }, asOf: moment.position };
  }
}

const momentIn = (text: string): AsOf => (/^[0-9]+$/.test(text) ? { position: BigInt(text) } : sinceOf(text));

function asProblem(error: unknown): never {
  if (error instanceof NoSuchMoment) throw invalid('asOf', error.message);
  if (!(error instanceof HistoryNotReady)) throw error;
  const { reached, head, message } = error;
  throw new ApiError(
    'HISTORY_NOT_READY',
    message,
    { 'retry-after': '1' },
    { reached: String(reached), head: String(head) },
  );
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
