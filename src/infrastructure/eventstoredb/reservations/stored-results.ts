import type { AppendResult } from '../../../application/kernel/event-store.port.js';

export const isStored = (result: AppendResult): result is Extract<AppendResult, { readonly position: bigint }> =>
  result.kind === 'appended' || result.kind === 'duplicate';

/** The last position that something was stored at; 0n if nothing was. */
export const lastOf = (results: readonly AppendResult[]): bigint =>
  results.reduce((last, result) => (isStored(result) && result.position > last ? result.position : last), 0n);
