import type { AppendConditions, AppendItem } from '../../application/kernel/event-store.port.js';

/** Conditions as the SQL function `waybill_guard_problem` reads them. */
export type Guards = Readonly<Record<string, unknown>>;

/** What must hold before any item of the append has its effect. */
export function guardsBefore({ stream, expected, events, conditions = {} }: AppendItem): Guards {
  const { queue, queueRevisions, idempotencyKey } = conditions;
  const key = idempotencyKey && { ...idempotencyKey, stream, revision: expected + events.length };
  return present({ queue, queueRevisions, idempotencyKey: key });
}

/** What must hold when it is the item's turn, behind the effects of those before it. */
export const guardsInTurn = ({ conditions = {} }: AppendItem): Guards => present(pick(conditions));

const pick = ({ lease, queueEmpty, notAwaited }: AppendConditions): Guards => ({ lease, queueEmpty, notAwaited });

const present = (guards: Guards): Guards =>
  Object.fromEntries(Object.entries(guards).filter(([, value]) => value !== undefined));
