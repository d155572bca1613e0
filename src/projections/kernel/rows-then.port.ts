import type { Moment } from './past.port.js';
import type { Projection } from './projection.js';

/** A row of a read model that counts: its key and its columns. Times are as in events. */
export type ModelRow = Readonly<Record<string, string | number | null>>;

/** The rows of read models that count, as they were. */
export abstract class RowsThen {
  /** Of a model whose rows are kept for that, in no order. Rows that were forgotten by then may be among them. Throws `HistoryNotReady`. */
  abstract of(model: Projection<never>, moment: Moment): Promise<readonly ModelRow[]>;

  /**
   * What the events after a position up to another count, as rows of the model's first table; null if there are more than
   * `MOST_MOVES_FOLDED`.
   */
  abstract between(model: Projection<never>, after: bigint, upTo: bigint): Promise<readonly ModelRow[] | null>;
}
