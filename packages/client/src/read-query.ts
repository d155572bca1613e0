import type { ReadOptions } from './caller.js';
import type { QueryValue } from './transport.js';

/** The query parameters that every read understands. */
export const readQuery = ({ minPosition }: ReadOptions): Record<string, QueryValue> => ({ minPosition });
