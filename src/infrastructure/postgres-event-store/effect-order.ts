import type { IndexChange } from '../dispatch-index/changes/index-change.js';

/**
 * The order in which `waybill_append` applies the items, as their indexes. Positions follow it, so that an item stands in
 * the log after whatever made it possible.
 *
 * Successes come first and then claims, because later items may take in the same commit what these free. Changes of rows
 * come last, so that items decided by a queue's old revision come before its change. All others keep their order. Plain
 * creates are applied before the moves, wherever they stand: no move makes a create possible, and a move that a create
 * excludes is refused.
 */
export function effectOrder(changes: readonly IndexChange[]): readonly number[] {
  const [successes, claims, others, rows]: number[][] = [[], [], [], []];
  const lists = { succeed: successes, claim: claims, create: others, move: others, none: others, row: rows };
  changes.forEach(({ kind }, index) => lists[kind]!.push(index));
  return [...successes!, ...claims!, ...others!, ...rows!];
}
