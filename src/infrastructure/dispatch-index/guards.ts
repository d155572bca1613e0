import type { AppendConditions, AppendItem } from '../../application/kernel/event-store.port.js';
import { defined } from '../../domain/kernel/defined.js';

/** Conditions in the form that the SQL function `waybill_guard_problem` reads. */
export type Guards = Readonly<Record<string, unknown>>;

/** The conditions to check before any item of the append is applied. */
export function guardsBefore({ stream, expected, events, conditions = {} }: AppendItem): Guards {
  const { queue, queueRevisions, leader, idempotencyKey } = conditions;
  const key = idempotencyKey && { ...idempotencyKey, stream, revision: expected + events.length };
  return defined({ queue, queueRevisions, leader, idempotencyKey: key });
}

/** The conditions to check when the item itself is applied, after those before it. */
export const guardsInTurn = ({ conditions = {} }: AppendItem): Guards => defined(pick(conditions));

const pick = ({
  lease,
  keyFree,
  behind,
  notHeld,
  queueEmpty,
  notAwaited,
  batch,
  unneeded,
  returns,
  staysAborted,
}: AppendConditions): Guards => ({
  lease,
  keyFree,
  behind,
  notHeld,
  queueEmpty,
  notAwaited,
  batch,
  unneeded,
  returns,
  staysAborted,
});
