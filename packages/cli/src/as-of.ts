import type { AsOf } from '@waybill/client';
import { Option } from 'commander';
import type { Printer } from './terminal/printer.js';

/** The moment that a reading command shows. */
export interface AsOfOption {
  readonly asOf?: string;
}

export const asOfOption = (): Option =>
  new Option('--as-of <moment>', "show it as it was: at a time, so long ago ('10m'), or at a position of the log");

/** Says beside the answer what the moment means. */
export function tellMoment(moment: AsOf | undefined, printer: Printer): void {
  if (!moment) return;
  const { at, position, alternative, settled, notRecorded } = moment;
  printer.note(`As of ${at}, position ${position}.`);
  if (alternative !== null)
    printer.note(
      `The clock was set back or a transaction was being stored: the time may also mean position ${alternative} (--as-of ${alternative}).`,
    );
  if (!settled) printer.note('Something that is recorded now may still get a time at or before this one.');
  if (notRecorded.length > 0) printer.note(`Its events do not tell: ${notRecorded.join(', ')}.`);
}

interface PastPage<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
  readonly asOf?: AsOf;
}

/** Every item of a list as of a moment, page by page. Says beside the list which moment it is of. */
export async function* everyAsOf<T>(
  page: (cursor: string | undefined) => Promise<PastPage<T>>,
  printer: Printer,
): AsyncGenerator<T> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { items, nextCursor, asOf } = await page(cursor);
    if (cursor === undefined) tellMoment(asOf, printer);
    yield* items;
    cursor = nextCursor;
  }
}
