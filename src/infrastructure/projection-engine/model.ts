import type { LogSegment } from '../../application/kernel/log-segment.js';
import type { Projection } from '../../projections/kernel/projection.js';
import type { Slot } from './checkpoint.js';
import type { Statement } from './table-sql.js';

/** A table as far as a rebuild needs to know it. */
export interface StoredTable {
  readonly name: string;
  /** The primary key. */
  readonly key: Readonly<Record<string, string>>;
}

/** A model whose rules look into the log, so that they are not those of a projection. */
export interface LookingModel extends Pick<Projection, 'name' | 'version' | 'needsPrivate'> {
  readonly tables: readonly StoredTable[];
  /** The statements that write what the events mean to the rows in the slot. Written twice, the rows stay the same. */
  statements(segments: readonly LogSegment[], slot: Slot): Promise<readonly Statement[]>;
}

/** What follows the log, and can be built anew from it. */
export type Model = Projection<never> | LookingModel;

export const looksIntoLog = (model: Model): model is LookingModel => 'statements' in model;
