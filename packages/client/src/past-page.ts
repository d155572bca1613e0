import type { CallOptions } from './caller.js';
import type { QueryValue } from './transport.js';

export interface PastPageOptions extends CallOptions {
  readonly cursor?: string | undefined;
  /** From 1 to 500. */
  readonly limit?: number | undefined;
}

/** The query that names a moment. */
export type MomentQuery = Readonly<Record<string, QueryValue>>;

/** The query of a page as of a moment. */
export const pageAt = (moment: MomentQuery, { cursor, limit }: PastPageOptions) => ({
  ...moment,
  cursor,
  limit,
});

export const callOf = ({ cursor: _cursor, limit: _limit, ...call }: PastPageOptions): CallOptions => call;
