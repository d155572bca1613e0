import type { IndexChange } from '../dispatch-index/changes/index-change.js';

/**
 * The order of the items' positions, as their indexes: one in which `waybill_append` takes their effects, so that what lets an item in
 * stands before it in the log.
 *
 * Successes and then claims come first: others may take in the same commit what they free. Changes of rows come last: what is guarded by
 * a queue as it was is let in before any of them. All else stays as it came in. A plain create is taken before the moves, wherever it
 * stands, but takes and frees nothing of theirs: no move lets it in, and one that it would keep out is refused.
 */
export function effectOrder(changes: readonly IndexChange[]): readonly number[] {
  const [successes, claims, others, rows]: number[][] = [[], [], [], []];
  const lists = { succeed: successes, claim: claims, create: others, move: others, none: others, row: rows };
  changes.forEach(({ kind }, index) => lists[kind]!.push(index));
  return [...successes!, ...claims!, ...others!, ...rows!];
}
